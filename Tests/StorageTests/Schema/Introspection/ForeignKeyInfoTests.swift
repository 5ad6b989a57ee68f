import Storage
import Testing

@testable import StorageTestSupport

@Suite struct ForeignKeyInfoTests {
  @Test func `foreign keys that name no column refer to the primary key`() throws {
    try withParents { db in
      try db.execute(
        sql: """
          CREATE TABLE child (a, b, u, z REFERENCES missing, FOREIGN KEY (a, b) REFERENCES parents,
            FOREIGN KEY (u) REFERENCES users ON UPDATE SET NULL)
          """
      )
      let keys = try db.foreignKeys(on: "child")
      #expect(keys.map(\.destinationTable) == ["users", "parents", "missing"])
      #expect(keys.map(\.destinationColumns) == [["id"], ["c", "d"], ["?"]])
      #expect(keys.map(\.onUpdate) == [.setNull, .noAction, .noAction])
    }
  }
}
