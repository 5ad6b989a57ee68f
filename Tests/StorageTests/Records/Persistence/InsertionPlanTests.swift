import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct InsertionPlanTests {
  struct ReadBack: PersistableRecord {
    static let databaseTableName = "item"
    var id: Int
    var name: String
    func encode(to container: inout PersistenceContainer) {
      container["id"] = id
      container["name"] = name
      let name: String? = container["name"]
      container["price"] = name?.count
    }
  }

  @Test func `a container returns values that were set, for every record`() throws {
    try withDatabase { db in
      try ReadBack(id: 1, name: "cup").insert(db)
      try ReadBack(id: 2, name: "pots").insert(db)
      #expect(try Int?.fetchAll(db, sql: "SELECT price FROM item ORDER BY id") == [3, 4])
    }
  }

  @Test func `the arguments of a failed insertion are those of its record`() throws {
    try withDatabase { db in
      try Item.cup.insert(db)
      try Item.pot.insert(db)
      let error = #expect(throws: DatabaseError.self) { try Item.pot.insert(db) }
      #expect(error?.arguments == [2, "pot", nil])
    }
  }

  /// A record whose table and conflict policy are not always the same.
  private struct Entry: Codable, PersistableRecord {
    @TaskLocal static var year = 2024
    @TaskLocal static var replaces = false
    static var databaseTableName: String { "entry\(year)" }
    static var persistenceConflictPolicy: PersistenceConflictPolicy {
      PersistenceConflictPolicy(insert: replaces ? .replace : .abort)
    }
    var id: Int
    var text: String
  }

  @Test func `an insertion goes to the table that the record type has at that time`() throws {
    try withDatabase { db in
      for year in [2024, 2025] {
        try db.execute(sql: "CREATE TABLE entry\(year) (id INTEGER PRIMARY KEY, text TEXT)")
      }
      for (id, year) in [2024, 2025, 2025, 2024].enumerated() {
        try Entry.$year.withValue(year) { try Entry(id: id, text: "a").insert(db) }
      }
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM entry2024 ORDER BY id") == [0, 3])
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM entry2025 ORDER BY id") == [1, 2])
    }
  }

  @Test func `an insertion follows the conflict policy that the record type has at that time`()
    throws
  {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE entry2024 (id INTEGER PRIMARY KEY, text TEXT)")
      try Entry(id: 1, text: "a").insert(db)
      try Entry.$replaces.withValue(true) { try Entry(id: 1, text: "b").insert(db) }
      expectDatabaseError(.SQLITE_CONSTRAINT_PRIMARYKEY, "UNIQUE constraint failed: entry2024.id") {
        try Entry(id: 1, text: "c").insert(db)
      }
      #expect(try String.fetchAll(db, sql: "SELECT text FROM entry2024") == ["b"])
    }
  }
}
