import CWellspringSQLite
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseLimitsTests {
  @Test func `a statement may have as many parameters as the connection allows`() throws {
    try withDatabase { db throws in
      #expect(db.maximumStatementArgumentCount > 999)
      sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_VARIABLE_NUMBER, 2)
      #expect(db.maximumStatementArgumentCount == 2)
      _ = try db.makeStatement(sql: "SELECT ?, ?")
      #expect(throws: DatabaseError.self) { try db.makeStatement(sql: "SELECT ?, ?, ?") }
    }
  }

  @Test func `the version of SQLite is known`() throws {
    try withDatabase { db in
      let text = try #require(try String.fetchOne(db, sql: "SELECT sqlite_version()"))
      let parts = text.split(separator: ".").compactMap { Int32($0) }
      #expect(
        Database.sqliteLibVersionNumber == parts[0] * 1_000_000 + parts[1] * 1000 + parts[2]
      )
    }
  }
}
