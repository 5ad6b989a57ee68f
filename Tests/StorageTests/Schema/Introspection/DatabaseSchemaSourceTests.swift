import Storage
import Testing

@testable import StorageTestSupport

/// A row of the view `hero`.
private struct Hero: Codable, Identifiable, FetchableRecord, PersistableRecord, Equatable {
  static let databaseTableName = "hero"
  var id: Int64
  var name: String
}

/// Knows one view, by one column.
private struct Key: DatabaseSchemaSource {
  var view = "hero"
  var columns = ["id"]

  func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
    #expect(try db.viewExists(view.name, in: view.schemaName))
    return view.name == self.view ? columns : nil
  }
}

@Suite struct DatabaseSchemaSourceTests {
  private static let schema = """
    CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT);
    CREATE VIEW hero AS SELECT * FROM user WHERE name LIKE '%man';
    CREATE TRIGGER hero_insert INSTEAD OF INSERT ON hero
    BEGIN INSERT INTO user VALUES (new.id, new.name); END;
    INSERT INTO user VALUES (1, 'Batman'), (2, 'Joker');
    """

  private func withHeroes(
    _ source: (any DatabaseSchemaSource)?,
    _ body: (Database) throws -> Void
  ) throws {
    var configuration = Configuration()
    configuration.schemaSource = source
    try withDatabase(configuration) { db in
      try db.execute(sql: Self.schema)
      try body(db)
    }
  }

  @Test func `a view has no primary key unless a source names it`() throws {
    let message = """
      the view hero has no primary key: name its columns in the schemaSource of the configuration
      """
    try withHeroes(nil) { db in
      expectDatabaseError(.SQLITE_ERROR, message) { _ = try db.primaryKey("hero") }
      expectDatabaseError(.SQLITE_ERROR, message) { _ = try Hero.find(db, id: 1) }
      try #expect(!db.table("hero", hasUniqueKey: ["rowid"]))
      try Hero(id: 3, name: "Superman").insert(db)
      try #expect(Hero.fetchAll(db).map(\.id) == [1, 3])
    }
    for source in [Key(columns: []), Key(view: "villain")] {
      try withHeroes(source) { db in
        expectDatabaseError(.SQLITE_ERROR, message) { _ = try db.primaryKey("hero") }
      }
    }
  }

  @Test func `records of a view are found by the key that a source names`() throws {
    try withHeroes(Key()) { db in
      let key = try db.primaryKey("hero")
      #expect(key.columns == ["id"] && !key.isRowID && key.rowIDColumn == nil)
      try #expect(db.table("hero", hasUniqueKey: ["name", "ID"]))
      try #expect(Hero.find(db, id: 1).name == "Batman")
      expectSQL(
        try Hero.filter(key: 1).makePreparedRequest(db).statement,
        #"SELECT * FROM "hero" WHERE "id" = 1"#
      )
      try Hero(id: 3, name: "Superman").insert(db)
      try #expect(Hero(id: 3, name: "").exists(db))
    }
  }

  @Test func `a chain asks the next source where one knows nothing`() throws {
    let source = Key(view: "villain").then(Key(columns: ["name"]))
    try withHeroes(source) { db in try #expect(db.primaryKey("hero").columns == ["name"]) }
  }

  @Test func `a source is replaced for the time of a closure`() throws {
    try withHeroes(Key()) { db in
      try #expect(db.primaryKey("hero").columns == ["id"])
      try db.withSchemaSource(Key(columns: ["name"])) {
        try #expect(db.primaryKey("hero").columns == ["name"])
        db.withSchemaSource(nil) {
          _ = #expect(throws: DatabaseError.self) { try db.primaryKey("hero") }
        }
        try #expect(db.primaryKey("hero").columns == ["name"])
      }
      try #expect(db.primaryKey("hero").columns == ["id"])
    }
  }

  @Test func `migrations run without the source of the configuration`() throws {
    var configuration = Configuration()
    configuration.schemaSource = Key()
    let queue = try DatabaseQueue(configuration: configuration)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("heroes") { db in
      try db.execute(sql: Self.schema)
      #expect(throws: DatabaseError.self) { try db.primaryKey("hero") }
      try db.withSchemaSource(Key()) { try #expect(db.primaryKey("hero").columns == ["id"]) }
    }
    try migrator.migrate(queue)
    try queue.read { db in try #expect(db.primaryKey("hero").columns == ["id"]) }
  }
}
