import CWellspringSQLite
import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct StatementBindingTests {
  @Test func `a refused binding keeps the previous arguments`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ? + ?")
      try statement.setArguments([1, 2])
      #expect(throws: DatabaseError.self) { try statement.setArguments([100]) }
      #expect(try Int.fetchOne(statement) == 3)
    }
  }

  @Test func `A-027: arguments can be validated before they are bound`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ?, :a")
      try statement.setArguments([1, 2])
      try statement.validateArguments([3, 4])
      try statement.validateArguments([3] + ["a": 4])
      try statement.validateArguments([3] + ["a": 4, "z": 5])
      for wrong in [[1], [1, 2, 3], ["a": 1], [1] + ["b": 2]] as [StatementArguments] {
        #expect(throws: DatabaseError.self) { try statement.validateArguments(wrong) }
      }
      #expect(statement.arguments == [1, 2])
      #expect(try Row.fetchOne(statement)?.databaseValues == [1, 2].map(\.databaseValue))
    }
  }

  @Test func `A-027: unchecked arguments bind NULL where a value is missing`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ?, :a, ?")
      func values() throws -> [DatabaseValue] {
        try #require(try Row.fetchOne(statement)).databaseValues
      }
      statement.setUncheckedArguments([1])
      #expect(try values() == [1.databaseValue, .null, .null])
      statement.setUncheckedArguments(["a": 2, "b": 3])
      #expect(try values() == [.null, 2.databaseValue, .null])
      statement.setUncheckedArguments([1, 2, 3, 4])
      #expect(try values() == [1, 2, 3].map(\.databaseValue))
      statement.setUncheckedArguments([])
      #expect(try values() == [.null, .null, .null])
    }
  }

  @Test func `arguments can be assigned, and a run throws when they do not fit`() throws {
    try withDatabase { db throws in
      let statement = try db.makeStatement(sql: "SELECT ? + ?")
      statement.arguments = [1, 2]
      #expect(statement.arguments == [1, 2])
      #expect(try Int.fetchOne(statement) == 3)
      statement.arguments = [1]
      let message = "missing statement arguments: number 2 (the statement has 2, 1 given)"
      for _ in 1...2 {
        expectDatabaseError(.SQLITE_MISUSE, message) { try statement.execute() }
      }
      expectDatabaseError(.SQLITE_MISUSE, message) { _ = try Int.fetchOne(statement) }
      statement.arguments = [3, 4]
      #expect(try Int.fetchOne(statement) == 7)
    }
  }

  @Test func `a value that is too large makes the run of unchecked arguments fail`() throws {
    try withDatabase { db in
      sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, 100)
      let statement = try db.makeStatement(sql: "SELECT length(?)")
      statement.setUncheckedArguments([String(repeating: "x", count: 101)])
      let error = #expect(throws: DatabaseError.self) { try statement.execute() }
      #expect(error?.resultCode == .SQLITE_TOOBIG)
      statement.setUncheckedArguments(["cup"])
      #expect(try Int.fetchOne(statement) == 3)
    }
  }
}
