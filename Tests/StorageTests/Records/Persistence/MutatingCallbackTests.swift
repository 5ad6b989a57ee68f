import Storage
import Testing

@testable import StorageTestSupport

/// Callbacks that change the record.
@Suite struct MutatingCallbackTests {
  /// The callbacks of all copies of a record.
  private final class Calls {
    var names: [String] = []
  }

  private struct Note: MutablePersistableRecord {
    static let databaseTableName = "item"
    var id: Int64?
    var name: String
    let calls = Calls()

    func encode(to container: inout PersistenceContainer) {
      container["id"] = id
      container["name"] = name
    }

    mutating func willSave(_ db: Database) throws { call("willSave") }
    mutating func willInsert(_ db: Database) throws { call("willInsert") }
    mutating func didInsert(_ inserted: InsertionSuccess) {
      call("didInsert")
      id = inserted.rowID
    }
    mutating func willUpdate(_ db: Database, columns: Set<String>) throws { call("willUpdate") }
    mutating func didUpdate(_ updated: PersistenceSuccess) { call("didUpdate") }
    mutating func didSave(_ saved: PersistenceSuccess) { call("didSave") }
    mutating func willDelete(_ db: Database) throws { call("willDelete") }
    mutating func didDelete(deleted: Bool) { call("didDelete") }

    private mutating func call(_ callback: String) {
      calls.names.append(callback)
      name = callback
    }
  }

  private struct Constant: Codable, PersistableRecord {
    static let databaseTableName = "item"
    var id: Int64?
    var name: String

    mutating func willSave(_ db: Database) throws { name = "saved" }
  }

  @Test func `each callback is called, and changes what is stored`() throws {
    try withDatabase { db in
      func stored() throws -> [String] { try String.fetchAll(db, sql: "SELECT name FROM item") }
      var note = Note(name: "")
      try note.insert(db)
      #expect(note.calls.names == ["willSave", "willInsert", "didInsert", "didSave"])
      #expect(note.id == 1)
      #expect(note.name == "didSave")
      try #expect(stored() == ["willInsert"])
      note.calls.names = []
      try note.update(db)
      #expect(note.calls.names == ["willSave", "willUpdate", "didUpdate", "didSave"])
      try #expect(stored() == ["willUpdate"])
      try note.save(db)
      #expect(note.calls.names.count == 8)
      note.calls.names = []
      try #expect(note.delete(db))
      #expect(note.calls.names == ["willDelete", "didDelete"])
    }
  }

  @Test func `a callback that changes a constant record changes the copy that is stored`() throws {
    try withDatabase { db in
      func stored() throws -> [String] { try String.fetchAll(db, sql: "SELECT name FROM item") }
      try Constant(id: 1, name: "cup").insert(db)
      try #expect(stored() == ["saved"])
      try db.execute(sql: "UPDATE item SET name = 'cup'")
      try Constant(id: 1, name: "cup").update(db)
      try #expect(stored() == ["saved"])
    }
  }
}
