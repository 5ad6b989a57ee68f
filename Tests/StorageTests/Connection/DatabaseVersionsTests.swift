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

  @Test func `the schema numbers change with their own schemas only`() throws {
    try withDatabase { db in
      let main = try db.versions.schemaVersion()
      let temp = try db.versions.temporarySchemaVersion()
      try Item.cup.insert(db)
      #expect(try db.versions.schemaVersion() == main)
      #expect(try db.versions.temporarySchemaVersion() == temp)
      try db.execute(sql: "CREATE TEMP TABLE t (a)")
      #expect(try db.versions.schemaVersion().number == main.number)
      #expect(try db.versions.temporarySchemaVersion().number != temp.number)
      try db.execute(sql: "CREATE TABLE u (a)")
      #expect(try db.versions.schemaVersion().number != main.number)
    }
  }

  @Test(arguments: ["main", "temp", "scratch"])
  func `a schema version never comes back after a rollback`(schema: String) throws {
    try withDatabase { db in
      try db.attach(.inMemory, as: "scratch")
      var seen: Set<SchemaVersion> = []
      func note(isNew: Bool = true) throws {
        #expect(try seen.insert(db.versions.schemaVersion(of: schema)).inserted == isNew)
      }
      try note()
      for end in ["ROLLBACK", "ROLLBACK TO s; COMMIT"] {
        try db.execute(sql: "BEGIN; SAVEPOINT s; CREATE TABLE \(schema).t (a)")
        try note()
        try db.execute(sql: end)
        try note()
        // Without a change of the schema, there is nothing to discard.
        try db.execute(sql: "BEGIN; INSERT INTO item VALUES (1, '', 1); ROLLBACK")
        try note(isNew: false)
      }
    }
  }

  @Test func `a snapshot does not report its own reading of the schemas as a change`() throws {
    try withDatabase { db in
      try db.attach(.inMemory, as: "scratch")
      try db.versions.takeSnapshots { db.expireStatements() }
      try db.versions.takeSnapshots { Issue.record("nothing has changed") }
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
