import Storage
import Testing

@testable import StorageTestSupport

/// Rows that a trigger makes the database ignore, without an error of SQLite.
@Suite struct IgnoredRowTests {
  private struct Mutable: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "item"
    var id: Int64?
    var name: String
    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  private struct Constant: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "item"
    var id: Int64
    var name: String
  }

  private struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fetch: @Sendable (Database) throws -> Void
  }

  private static let cases = [
    Case(testDescription: "upsertAndFetch") {
      _ = try Mutable(id: 1, name: "cup").upsertAndFetch($0)
    },
    Case(testDescription: "upsertAndFetch(as:)") {
      var record = Mutable(id: nil, name: "cup")
      _ = try record.upsertAndFetch($0, as: Constant.self)
    },
    Case(testDescription: "upsertAndFetch of a constant") {
      _ = try Constant(id: 1, name: "cup").upsertAndFetch($0)
    },
    Case(testDescription: "upsertAndFetch(as:) of a constant") {
      _ = try Constant(id: 1, name: "cup").upsertAndFetch($0, as: Mutable.self)
    },
    Case(testDescription: "insertAndFetch") {
      _ = try Constant(id: 1, name: "cup").insertAndFetch($0)
    },
    Case(testDescription: "saveAndFetch") { _ = try Constant(id: 1, name: "cup").saveAndFetch($0) },
    Case(testDescription: "updateAndFetch") {
      _ = try Constant(id: 9, name: "cup").updateAndFetch($0)
    },
    Case(testDescription: "updateAndFetch(as:)") {
      _ = try Constant(id: 9, name: "cup").updateAndFetch($0, as: Mutable.self)
    },
    Case(testDescription: "updateChangesAndFetch") {
      var record = Constant(id: 9, name: "cup")
      _ = try record.updateChangesAndFetch($0) { $0.name = "pot" }
    },
  ]

  @Test(arguments: cases)
  private func `a row that is ignored cannot be fetched, which is an error`(_ test: Case) throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          INSERT INTO item (id, name) VALUES (9, 'cup');
          CREATE TRIGGER insertion BEFORE INSERT ON item BEGIN SELECT RAISE(IGNORE); END;
          CREATE TRIGGER modification BEFORE UPDATE ON item BEGIN SELECT RAISE(IGNORE); END
          """
      )
      #expect(throws: RecordError.self) { try test.fetch(db) }
      try #expect(Int.fetchOne(db, sql: "SELECT COUNT(*) FROM item") == 1)
    }
  }

  @Test func `an upsert that is ignored changes neither the record nor the table`() throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          INSERT INTO item (id, name) VALUES (9, 'cup');
          CREATE TRIGGER insertion BEFORE INSERT ON item BEGIN SELECT RAISE(IGNORE); END
          """
      )
      var record = Mutable(id: nil, name: "pot")
      try record.upsert(db)
      #expect(record.id == nil)
      let id = try record.upsertAndFetch(db, selection: [Column("id")]) {
        try Int.fetchOne($0)
      }
      #expect(id == nil)
      #expect(record.id == nil)
    }
  }
}
