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
}
