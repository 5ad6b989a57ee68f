import Foundation
import Storage
import Testing

@Suite struct StatementTests {
  @Test func `STM-10, STM-11: a statement is compiled once and run with several arguments`() throws
  {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "INSERT INTO item (name) VALUES (?)")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 0)
      try statement.execute(arguments: ["cup"])
      #expect(db.changesCount == 1)
      #expect(db.lastInsertedRowID == 1)
      try statement.execute(arguments: ["pot"])
      #expect(db.lastInsertedRowID == 2)
      try statement.execute()
      #expect(try String.fetchAll(db, sql: "SELECT name FROM item") == ["cup", "pot", "pot"])
    }
  }

  @Test func `STM-13, STM-19: rows changed, in all, and the id of the last one`() throws {
    try withDatabase { db in
      let before = db.totalChangesCount
      try db.execute(sql: "INSERT INTO item VALUES (7, 'cup', 4), (9, 'pot', 5)")
      #expect(db.changesCount == 2)
      #expect(db.lastInsertedRowID == 9)
      try db.execute(sql: "UPDATE item SET price = 6")
      #expect(db.changesCount == 2)
      try db.execute(sql: "DELETE FROM item WHERE id = 7")
      #expect(db.changesCount == 1)
      #expect(db.totalChangesCount - before == 5)
    }
  }

  @Test func `STM-12, STM-14, STM-18: values bound before serve later fetches`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(
        sql: "SELECT column1 AS n FROM (VALUES (1), (2), (3)) WHERE column1 >= ?"
      )
      try statement.setArguments([2])
      #expect(try Int.fetchAll(statement) == [2, 3])
      #expect(try Int.fetchSet(statement) == [2, 3])
      #expect(try Int.fetchOne(statement, arguments: [3]) == 3)
      #expect(try Int.fetchAll(statement) == [3])
      let rows = try Row.fetchCursor(statement, arguments: [1])
      var numbers: [Int] = []
      while let row = try rows.next() { numbers.append(row[0]) }
      #expect(numbers == [1, 2, 3])
      #expect(try Row.fetchSet(statement).count == 3)
    }
  }

  @Test func `STM-15, A-027: a statement tells of itself`() throws {
    try withDatabase { db in
      let query = try db.makeStatement(sql: "SELECT id, name AS Title FROM item -- all of them")
      #expect(query.columnNames == ["id", "Title"])
      #expect(query.columnCount == 2)
      #expect(query.index(ofColumn: "title") == 1)
      #expect(query.index(ofColumn: "name") == nil)
      #expect(query.isReadonly)
      #expect(query.sql == "SELECT id, name AS Title FROM item -- all of them")
      #expect(try query.databaseRegion().description == "item(id,name)")
      let delete = try db.makeStatement(sql: "DELETE FROM item; ")
      #expect(!delete.isReadonly)
      #expect(delete.columnNames == [])
      #expect(delete.sql == "DELETE FROM item;")
      let row = try db.makeStatement(sql: "SELECT name FROM item WHERE id = ?")
      try row.setArguments([3])
      #expect(try row.databaseRegion().description == "item(id,name)[3]")
      #expect(try db.makeStatement(sql: "SELECT 1").databaseRegion().isEmpty)
    }
  }

  @Test func `STM-16: a statement is compiled, run and returned at once`() throws {
    try withDatabase { db in
      let insert = try db.run(sql: "INSERT INTO item (name) VALUES (?)", arguments: ["cup"])
      try insert.execute(arguments: ["pot"])
      #expect(try String.fetchAll(db, sql: "SELECT name FROM item") == ["cup", "pot"])
    }
  }

  @Test func `A-026: a cached statement is compiled once`() throws {
    try withDatabase { db in
      let first = try db.cachedStatement(sql: "SELECT ?")
      #expect(try db.cachedStatement(sql: "SELECT ?") === first)
      #expect(try Int.fetchOne(first, arguments: [1]) == 1)
    }
  }

  // MARK: Several statements

  @Test func `STM-21: the statements of a string are compiled one by one`() throws {
    try withDatabase { db in
      let statements = try db.allStatements(
        sql: """
          CREATE TABLE shop (name); /* a table */ INSERT INTO shop VALUES ('Corner');
          ; SELECT name FROM shop; -- the end
          """
      )
      var sqls: [String] = []
      while let statement = try statements.next() {
        sqls.append(statement.sql)
        if statement.isReadonly {
          #expect(try String.fetchAll(statement) == ["Corner"])
        } else {
          try statement.execute()
        }
      }
      #expect(
        sqls.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } == [
          "CREATE TABLE shop (name);", "/* a table */ INSERT INTO shop VALUES ('Corner');",
          "SELECT name FROM shop;",
        ]
      )
      #expect(try statements.next() == nil)
    }
  }

  @Test func `STM-03: statements take positional values in turn, and named ones by name`() throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          INSERT INTO item VALUES (?, :name, ?);
          INSERT INTO item VALUES (?, :name, NULL);
          UPDATE item SET price = 9 WHERE id = ?
          """,
        arguments: [1, 4.0, 2, 2] + ["name": "cup"]
      )
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM item")
      #expect(
        rows.map(\.description) == ["[id:1 name:'cup' price:4.0]", "[id:2 name:'cup' price:9.0]"]
      )
    }
  }

  @Test func `arguments that do not fit several statements are an error`() throws {
    try withDatabase { db throws in
      let sql = "INSERT INTO item VALUES (?, 'cup', 1); INSERT INTO item VALUES (?, 'pot', 1)"
      expectDatabaseError(
        .SQLITE_MISUSE,
        "missing statement arguments: number 1 (the statement has 1, 0 given)"
      ) { try db.execute(sql: sql, arguments: [1]) }
      expectDatabaseError(
        .SQLITE_MISUSE,
        "too many statement arguments: the statements have 2, 3 given"
      ) { try db.execute(sql: sql, arguments: [2, 3, 4]) }
      // The last statement has not been run.
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM item ORDER BY id") == [1, 2])
      let error = expectDatabaseError(.SQLITE_MISUSE, "no statement has the parameter :x") {
        try db.execute(sql: "SELECT 1; SELECT :a", arguments: ["a": 1, "x": 2])
      }
      #expect(error?.sql == "SELECT 1; SELECT :a")
    }
  }

  @Test(
    arguments: [
      ("SELECT 1; SELECT 2", "several SQL statements where one is expected", 10),
      ("SELECT 1; SELECT * FROM nope", "several SQL statements where one is expected", 10),
      ("SELECT 1; garbage", "near \"garbage\": syntax error", 10),
      ("SELECT 1; SELECT 'x", "unrecognized token: \"'x\"", 17),
      ("SELECT 1;; ; SELEC", "near \"SELEC\": syntax error", 13),
      ("SELECT 1; SELECT", "incomplete input", nil),
    ] as [(String, String, Int?)]
  )
  func `STM-20: one statement is expected, and what follows is reported`(
    sql: String,
    message: String,
    offset: Int?
  ) throws {
    try withDatabase { db in
      for prepare in [db.makeStatement(sql:), db.cachedStatement(sql:)] {
        let error = #expect(throws: DatabaseError.self) { try prepare(sql) }
        #expect(error?.message == message)
        #expect(error?.sqlOffset == offset)
        #expect(error?.sql == sql)
      }
      #expect(throws: DatabaseError.self) { try Row.fetchAll(db, sql: sql) }
    }
  }

  @Test func `STM-20: what follows may be a comment, a space or a semicolon`() throws {
    try withDatabase { db throws in
      for tail in ["", ";", " ; ;\n", "-- the end", "; -- the end", "/* a */;", "; /* unclosed"] {
        #expect(try Int.fetchOne(db, sql: "SELECT 1 " + tail) == 1)
      }
    }
  }

  // MARK: Arguments

  @Test func `A-027: arguments can be checked before they are bound`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ?, :a")
      try statement.setArguments([1, 2])
      try statement.validateArguments([3, 4])
      try statement.validateArguments([3] + ["a": 4])
      for wrong in [[1], [1, 2, 3], ["a": 1], [1] + ["b": 2]] as [StatementArguments] {
        #expect(throws: DatabaseError.self) { try statement.validateArguments(wrong) }
      }
      #expect(statement.arguments == [1, 2])
      #expect(try Row.fetchOne(statement)?.databaseValues == [1, 2].map(\.databaseValue))
    }
  }

  @Test func `A-027: unchecked arguments leave NULL where a value is missing`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ?, :a, ?")
      func values() throws -> [DatabaseValue] {
        try #require(try Row.fetchOne(statement)).databaseValues
      }
      try statement.setUncheckedArguments([1])
      #expect(try values() == [1.databaseValue, .null, .null])
      try statement.setUncheckedArguments(["a": 2, "b": 3])
      #expect(try values() == [.null, 2.databaseValue, .null])
      try statement.setUncheckedArguments([1, 2, 3, 4])
      #expect(try values() == [1, 2, 3].map(\.databaseValue))
      try statement.setUncheckedArguments([])
      #expect(try values() == [.null, .null, .null])
    }
  }
}
