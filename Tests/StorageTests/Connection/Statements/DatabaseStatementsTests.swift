import CWellspringSQLite
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseStatementsTests {
  @Test func `STM-01, STM-02, STM-04: statements are executed with and without arguments`() throws {
    let steps: [(sql: String, arguments: StatementArguments, names: [String])] = [
      ("CREATE TABLE wine (name TEXT, corked BOOLEAN)", [], []),
      ("INSERT INTO wine VALUES (?, ?), ('Fixin', 1)", ["Irancy", false], ["Irancy", "Fixin"]),
      ("UPDATE wine SET name = 'Volnay' WHERE name = :n", ["n": "Irancy"], ["Volnay", "Fixin"]),
      ("DELETE FROM wine WHERE corked", [], ["Volnay"]),
      ("SELECT * FROM wine", [], ["Volnay"]),
    ]
    try withDatabase { db in
      for step in steps {
        try db.execute(sql: step.sql, arguments: step.arguments)
        let names = try String.fetchAll(db, sql: "SELECT name FROM wine ORDER BY rowid")
        #expect(names == step.names, "\(step.sql)")
      }
    }
  }

  @Test func `STM-28: a PRAGMA is executed and fetched like other statements`() throws {
    try withDatabase { db in
      #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == 0)
      try db.execute(sql: "PRAGMA user_version = 7")
      #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == 7)
      let columns = try Row.fetchAll(db, sql: "PRAGMA table_info(item)")
      #expect(columns.map { $0["name"] } == ["id", "name", "price"])
    }
  }

  @Test func `A-023: the raw handles are those of SQLite`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT 7")
      let handle = statement.sqliteStatement
      #expect(sqlite3_db_handle(handle) == db.sqliteConnection)
      #expect(String(cString: sqlite3_sql(handle)) == "SELECT 7")
      #expect(sqlite3_step(handle) == SQLITE_ROW)
      #expect(sqlite3_column_int64(handle, 0) == 7)
      #expect(sqlite3_reset(handle) == SQLITE_OK)
      #expect(try Int.fetchAll(statement) == [7])
    }
  }

  // MARK: SQL texts

  @Test(
    arguments: [
      "INSERT INTO item VALUES (1, 'a', 1); INSERT INTO item VALUES (2, 'b', 2)",
      "INSERT INTO item VALUES (1, 'a;b', 1);; ;\n;INSERT INTO item VALUES (2, 'b', 2); ; ",
      "/* ; */ INSERT INTO item VALUES (1, 'a', 1); -- ;\n INSERT INTO item VALUES (2, 'b', 2) --",
      "-- x\nINSERT INTO item VALUES (1,'--',1); /* a */ ; /* b */INSERT INTO item VALUES (2, '', 2)",
      "INSERT INTO item VALUES (1, '/*', 1);INSERT INTO item VALUES (2, '*/', 2); /* not closed",
    ]
  )
  func `all statements of an SQL string run`(sql: String) throws {
    try withDatabase { db in
      try db.execute(sql: sql)
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM item ORDER BY id") == [1, 2])
    }
  }

  @Test func `a statement may use tables that earlier statements created`() throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE a (x); /* then */ ; INSERT INTO a VALUES (1);
          ALTER TABLE a ADD COLUMN y DEFAULT 2; UPDATE a SET x = y + 1;
          CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a; SELECT 1; END;
          """
      )
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM a") == [Row(["x": 3, "y": 2])])
      try db.execute(sql: "INSERT INTO a VALUES (4, 5)")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM a") == 0)
    }
  }

  @Test func `statements before a failing one have run`() throws {
    try withDatabase { db throws in
      expectDatabaseError(.SQLITE_ERROR, "no such table: items") {
        try db.execute(sql: "INSERT INTO item VALUES (1, 'cup', 4); DELETE FROM items; nonsense")
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 1)
    }
  }

  @Test(arguments: ["", " ", ";", ";;\n ;", "-- nothing", "/* nothing */", "/* not closed"])
  func `SQL without a statement can be executed, but not prepared or fetched`(
    sql: String
  ) throws {
    try withDatabase { db in
      try db.execute(sql: sql)
      expectDatabaseError(.SQLITE_MISUSE, "no SQL statement") { _ = try db.makeStatement(sql: sql) }
      expectDatabaseError(.SQLITE_MISUSE, "no SQL statement") { _ = try Row.fetchAll(db, sql: sql) }
    }
  }

  @Test(arguments: ["SELECT 1; SELECT 2", "SELECT 1; /* a */ SELECT 2", "SELECT 1;;-- x\nSELECT 2"])
  func `several statements are refused where one is expected`(sql: String) throws {
    let message = "several SQL statements where one is expected"
    try withDatabase { db in
      expectDatabaseError(.SQLITE_MISUSE, message) { _ = try db.makeStatement(sql: sql) }
      expectDatabaseError(.SQLITE_MISUSE, message) { _ = try db.cachedStatement(sql: sql) }
      expectDatabaseError(.SQLITE_MISUSE, message) { _ = try Int.fetchAll(db, sql: sql) }
      expectDatabaseError(.SQLITE_MISUSE, message) { _ = try Int.fetchCursor(db, sql: sql) }
    }
  }

  @Test(arguments: ["SELECT 1;", " SELECT 1 ; ", "-- a\nSELECT 1; -- b", "SELECT 1;/* b */;"])
  func `a single statement may have comments and semicolons around it`(sql: String) throws {
    try withDatabase { db throws in
      #expect(try Int.fetchAll(db, sql: sql) == [1])
      #expect(try Int.fetchAll(db.makeStatement(sql: sql)) == [1])
    }
  }

  @Test func `SQL with a NUL character is refused, not truncated`() throws {
    let message = "the SQL holds a NUL character, which would end it: bind values as arguments"
    try withDatabase { db in
      try db.execute(sql: "INSERT INTO item VALUES (1, 'cup', 4)")
      expectDatabaseError(.SQLITE_MISUSE, message) {
        try db.execute(sql: "DELETE FROM item \0 WHERE id = 2")
      }
      expectDatabaseError(.SQLITE_MISUSE, message) { _ = try Int.fetchAll(db, sql: "SELECT 1\0") }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 1)
    }
  }

  @Test func `double-quoted text that names no column is an error`() throws {
    try withDatabase { db in
      expectDatabaseError(.SQLITE_ERROR, "no such column: cup") {
        _ = try Row.fetchAll(db, sql: "SELECT \"cup\"")
      }
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "CREATE INDEX i ON item (\"nmae\")")
      }
    }
    var configuration = Configuration()
    configuration.acceptsDoubleQuotedStringLiterals = true
    try withDatabase(configuration) { db throws in
      #expect(try String.fetchOne(db, sql: "SELECT \"cup\"") == "cup")
    }
  }

  // MARK: Effects

  @Test func `the number of changes and the row id are those of the last statement`() throws {
    try withDatabase { db in
      #expect(db.lastInsertedRowID == 0)
      try db.execute(sql: "INSERT INTO item (name) VALUES ('a'), ('b'), ('c')")
      #expect(db.changesCount == 3)
      #expect(db.lastInsertedRowID == 3)
      try db.execute(sql: "INSERT INTO item VALUES (9223372036854775807, 'last', NULL)")
      #expect(db.lastInsertedRowID == .max)
      try db.execute(sql: "UPDATE item SET price = 1 WHERE id < 3")
      #expect(db.changesCount == 2)
      try db.execute(sql: "DELETE FROM item WHERE id = 77")
      #expect(db.changesCount == 0)
      try db.execute(sql: "DELETE FROM item")
      #expect(db.changesCount == 4)
    }
  }

  @Test func `a statement that returns rows runs to its end`() throws {
    try withDatabase { db in
      let insert = "INSERT INTO item (name) VALUES ('a'), ('b'), ('c') RETURNING id"
      #expect(try Int.fetchOne(db, sql: insert) == 1)
      #expect(try Int.fetchAll(db, sql: insert) == [4, 5, 6])
      try db.execute(sql: insert)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 9)
    }
  }

  @Test func `a failed statement changes nothing and can run again`() throws {
    try withDatabase { db in
      try db.execute(sql: "INSERT INTO item VALUES (2, 'b', 1)")
      let insert = try db.makeStatement(
        sql: "INSERT INTO item (id, name) SELECT column1, 'x' FROM (VALUES (1), (2))"
      )
      #expect(throws: DatabaseError.self) { try insert.execute() }
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM item") == [2])
      try db.execute(sql: "DELETE FROM item")
      try insert.execute()
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM item") == [1, 2])
    }
  }

  @Test func `text over SQLite's length limit is an error`() throws {
    try withDatabase { db in
      sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, 100)
      let text = String(repeating: "x", count: 101)
      expectDatabaseError(.SQLITE_TOOBIG, "string or blob too big") {
        try db.execute(sql: "INSERT INTO item VALUES (1, ?, 1)", arguments: [text])
      }
      try Item.cup.insert(db)
      for id in 2...3 {
        expectDatabaseError(.SQLITE_TOOBIG, "string or blob too big") {
          try Item(id: Int64(id), name: text, price: nil).insert(db)
        }
      }
      #expect(try Item.fetchAll(db, sql: "SELECT * FROM item") == [.cup])
    }
  }

  @Test func `the offset of an error refers to the error's SQL`() throws {
    try withDatabase { db in
      let sql = "SELECT 1; SELECT nope"
      let error = #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
      #expect(error?.sql == sql)
      #expect(error?.sqlOffset == 17)
    }
  }
}
