import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct DatabaseVersionsTests {
  @Test func `the data version changes with commits of other connections only`() throws {
    let shop = try Shop()
    try shop.pool.writeWithoutTransaction { db in
      let version = try db.versions.dataVersion()
      try db.execute(sql: "UPDATE item SET price = 5")
      #expect(try db.versions.dataVersion() == version)
      try SQLiteShell.run(shop.path, "UPDATE item SET price = 6")
      #expect(try db.versions.dataVersion() != version)
    }
  }

  @Test func `the schema versions change with their own schemas only`() throws {
    try withDatabase { db in
      let main = try db.versions.schemaVersion()
      let temp = try db.versions.temporarySchemaVersion()
      try Item.cup.insert(db)
      try db.execute(sql: "CREATE TEMP TABLE t (a)")
      #expect(try db.versions.schemaVersion() == main)
      #expect(try db.versions.temporarySchemaVersion() != temp)
      try db.execute(sql: "CREATE TABLE u (a)")
      #expect(try db.versions.schemaVersion() != main)
    }
  }

  @Test func `each attached database has a data version`() throws {
    let shop = try Shop()
    try withDatabase { db in
      #expect(try db.versions.attachedDataVersions() == [])
      try db.attach(shop.path, as: "it's \"one\"")
      try db.attach(.inMemory, as: "scratch")
      let versions = try db.versions.attachedDataVersions()
      #expect(versions.count == 2)
      try shop.pool.write { db in try Item(id: 3, name: "pan", price: nil).insert(db) }
      let later = try db.versions.attachedDataVersions()
      #expect(later[0] != versions[0])
      #expect(later[1] == versions[1])
    }
  }

  @Test func `a snapshot reports schema changes of main and of attached databases`() throws {
    try withDatabase { db in
      func reportsChange() throws -> Bool {
        var isChanged = false
        try db.versions.takeSnapshots { isChanged = true }
        return isChanged
      }
      _ = try reportsChange()
      #expect(try !reportsChange())
      try db.execute(sql: "CREATE TABLE t (a)")
      #expect(try reportsChange())
      try db.attach(.inMemory, as: "scratch")
      #expect(try reportsChange())
      #expect(try !reportsChange())
      try db.execute(sql: "CREATE TABLE scratch.t (a)")
      #expect(try reportsChange())
      try db.detach("scratch")
      #expect(try reportsChange())
    }
  }
}
