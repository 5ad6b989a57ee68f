import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct SQLStatementCursorTests {
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

  @Test func `STM-03: statements take positional values in turn and named values by name`() throws {
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
      let error = expectDatabaseError(
        .SQLITE_MISUSE,
        "too many statement arguments: the statements have 1, 2 given"
      ) { try db.execute(sql: "SELECT 1; SELECT :a", arguments: [1, 2]) }
      #expect(error?.sql == "SELECT 1; SELECT :a")
    }
  }

  @Test func `named arguments that no statement has are ignored`() throws {
    try withDatabase { db in
      let sql = "INSERT INTO item VALUES (:a, 'cup', 1); INSERT INTO item VALUES (:b, 'pot', 1)"
      try db.execute(sql: sql, arguments: ["a": 1, "b": 2, "c": 3])
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM item ORDER BY id") == [1, 2])
    }
  }
}
