import Testing
import TestSupport

@testable import Storage
@testable import StorageTestSupport

@Suite struct AttachedDatabasesTests {
  @Test func `main and temp do not count as attached`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TEMP TABLE t (a)")
      #expect(db.attached.isEmpty)
      #expect(db.attached.names == [])
    }
  }

  @Test func `attached databases have names, and paths if they have a file`() throws {
    let directory = TemporaryDirectory()
    try withDatabase { db in
      try db.attach(.inMemory, as: "scratch")
      try db.attach(directory.file(), as: "two words")
      #expect(!db.attached.isEmpty)
      #expect(db.attached.names == ["scratch", "two words"])
      #expect(db.attached.files == [directory.file()])
    }
  }
}
