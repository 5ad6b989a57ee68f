import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseUserVersionTests {
  @Test func `MIG-01, MIG-02, A-068: the user version is read and set`() throws {
    try withDatabase { db in
      try #expect(db.userVersion == 0)
      try #expect(
        tracedStatements(db) { try db.setUserVersion(-7) } == ["PRAGMA user_version = -7"]
      )
      try #expect(db.userVersion == -7)
      expectDatabaseError(.SQLITE_MISUSE, "the user version 5000000000 does not fit in 32 bits") {
        try db.setUserVersion(5_000_000_000)
      }
      try? db.inTransaction {
        try db.setUserVersion(8)
        return .rollback
      }
      try #expect(db.userVersion == -7)
    }
  }

  @Test func `MIG-03: the user version selects the remaining steps`() throws {
    let queue = try DatabaseQueue()
    for _ in 1...2 {
      try queue.write { db in
        if try db.userVersion == 0 {
          try db.create(table: "player") { t in t.autoIncrementedPrimaryKey("id") }
          try db.setUserVersion(1)
        }
        if try db.userVersion == 1 {
          try db.alter(table: "player") { t in t.add(column: "name", .text) }
          try db.setUserVersion(2)
        }
      }
    }
    try queue.read { db in
      try #expect(db.userVersion == 2)
      try #expect(db.columns(in: "player").map(\.name) == ["id", "name"])
    }
  }

  @Test func `MIG-04: a script can set the user version`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE t (a); PRAGMA user_version = 3; INSERT INTO t VALUES (1)")
      try #expect(db.userVersion == 3)
    }
  }
}
