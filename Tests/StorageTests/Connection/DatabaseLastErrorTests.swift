import CWellspringSQLite
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseLastErrorTests {
  @Test func `the last error of the connection can be read`() throws {
    try withDatabase { db in
      #expect(db.lastErrorCode == .SQLITE_OK)
      let sql = "INSERT INTO item VALUES (1, 'cup', 1), (1, 'pot', 1)"
      sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil)
      #expect(db.lastErrorCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
      #expect(db.lastErrorMessage == "UNIQUE constraint failed: item.id")
    }
  }
}
