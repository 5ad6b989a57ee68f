import Storage
import Testing

@testable import StorageTestSupport

/// A record whose callbacks break their contract.
private struct Careless: Codable, MutablePersistableRecord {
  static let databaseTableName = "team"
  var id: Int64?
  var name: String
  var skips = ""

  private enum CodingKeys: String, CodingKey { case id, name }

  private func around<Result>(_ callback: String, _ body: () throws -> Result) throws {
    if skips == callback { return }
    if skips == "errors" { _ = try? body() } else { _ = try body() }
  }

  func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    try around("insert", insert)
  }
  func aroundUpdate(
    _ db: Database,
    columns: Set<String>,
    update: () throws -> PersistenceSuccess
  ) throws {
    try around("update", update)
  }
  func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
    try around("save", save)
  }
  func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
    try around("delete", delete)
  }
}

@Suite struct AroundCallbackTests {
  private func expectMisuse(_ callbacks: String, _ body: () throws -> Void) {
    expectDatabaseError(
      .SQLITE_MISUSE,
      "\(callbacks) of Careless must call the closure received, and rethrow its error",
      body
    )
  }

  @Test(arguments: ["insert", "save"])
  func `an insertion without a call of the closure is an error`(skipped: String) throws {
    try withLeague { db throws in
      var record = Careless(id: 1, name: "x", skips: skipped)
      expectMisuse("aroundSave and aroundInsert") { try record.insert(db) }
      expectMisuse("aroundSave and aroundInsert") { try record.upsert(db) }
      #expect(try Careless.fetchCount(db) == 0)
    }
  }

  @Test(arguments: ["update", "save"])
  func `an update without a call of the closure is an error`(skipped: String) throws {
    try withPlayers { db throws in
      let record = Careless(id: 1, name: "x", skips: skipped)
      expectMisuse("aroundSave and aroundUpdate") { try record.update(db) }
    }
  }

  @Test func `a deletion without a call of the closure is an error`() throws {
    try withPlayers { db throws in
      let record = Careless(id: 1, name: "x", skips: "delete")
      expectMisuse("aroundDelete") { try record.delete(db) }
      #expect(try Careless.fetchCount(db) == 2)
    }
  }

  @Test func `a callback that catches the error of its closure is an error`() throws {
    try withPlayers { db throws in
      var record = Careless(id: 1, name: "x", skips: "errors")
      expectMisuse("aroundSave and aroundInsert") { try record.insert(db) }
      record.id = 99
      expectMisuse("aroundSave and aroundUpdate") { try record.update(db) }
    }
  }
}
