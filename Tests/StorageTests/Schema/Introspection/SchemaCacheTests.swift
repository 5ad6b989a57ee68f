import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct SchemaCacheTests {
  @Test func `the cache keeps its content until the version of a database changes`() {
    var cache = SchemaCache()
    let first = SchemaVersion(number: 1, losses: 0)
    let second = SchemaVersion(number: 2, losses: 0)
    let undone = SchemaVersion(number: 2, losses: 1)
    for version in [
      SchemaCache.Version(main: first, temp: first, attached: [:]),
      SchemaCache.Version(main: second, temp: first, attached: [:]),
      SchemaCache.Version(main: second, temp: second, attached: [:]),
      SchemaCache.Version(main: undone, temp: second, attached: [:]),
      SchemaCache.Version(main: undone, temp: second, attached: ["other": first]),
      SchemaCache.Version(main: undone, temp: second, attached: ["other": second]),
    ] {
      var hasChanged = cache.adopt(version)
      #expect(hasChanged)
      #expect(cache.content.indexes.isEmpty)
      cache.insert([], \.indexes, "player")
      hasChanged = cache.adopt(version)
      #expect(!hasChanged)
      #expect(cache.content.indexes == ["player": []])
    }
  }

  @Test func `a changed schema is looked up again`() throws {
    try withLeague { db in
      try #expect(db.columns(in: "note").count == 1)
      try db.execute(sql: "ALTER TABLE note ADD COLUMN size")
      try #expect(db.columns(in: "note").count == 2)
      try db.execute(sql: "CREATE TEMPORARY TABLE note (a, b, c)")
      try #expect(db.columns(in: "note").count == 3)
      try db.execute(sql: "DROP TABLE temp.note")
      try #expect(db.columns(in: "note").count == 2)
    }
  }

  @Test func `a schema that another process changed is looked up again`() throws {
    let shop = try Shop()
    try shop.pool.write { db in try #expect(db.columns(in: "item").count == 3) }
    try shop.pool.read { db in
      try #expect(db.columns(in: "item").count == 3)
      try #expect(db.indexes(on: "item").isEmpty)
      try #expect(!db.tableExists("extra"))
      try SQLiteShell.run(
        shop.path,
        """
        ALTER TABLE item ADD COLUMN size; CREATE INDEX bySize ON item(size);
        CREATE TABLE extra (a REFERENCES item);
        """
      )
      // The snapshot still has the old schema.
      try #expect(db.columns(in: "item").count == 3)
    }
    let check: (Database) throws -> Void = { db in
      try #expect(db.columns(in: "item").map(\.name) == ["id", "name", "price", "size"])
      try #expect(db.indexes(on: "item").map(\.name) == ["bySize"])
      try #expect(db.foreignKeys(on: "extra").map(\.destinationTable) == ["item"])
    }
    try shop.pool.read(check)
    try shop.pool.write(check)
  }
}
