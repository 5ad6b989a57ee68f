import Storage
import Testing

@testable import StorageTestSupport

/// A row of a view that triggers write.
private struct Hero: Codable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "hero"
  var id: Int64
  var name: String
}

/// An insertion that notes its callback.
private struct NotedHero: Codable, MutablePersistableRecord {
  static let databaseTableName = "hero"
  var id: Int64
  var name: String
  var wasInserted = false

  enum CodingKeys: CodingKey { case id, name }
  mutating func didInsert(_ inserted: InsertionSuccess) { wasInserted = true }
}

private struct Key: DatabaseSchemaSource {
  func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
    view.name == "hero" ? ["id"] : nil
  }
}

/// Changes of a view, which SQLite does not count.
@Suite struct DatabaseChangedRowsTests {
  private func withHeroes(_ body: (Database) throws -> Void) throws {
    var configuration = Configuration()
    configuration.schemaSource = Key()
    try withDatabase(configuration) { db in
      try db.execute(
        sql: """
          CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT);
          INSERT INTO user VALUES (1, 'Batman'), (2, 'Catwoman'), (3, 'Joker');
          CREATE VIEW hero AS SELECT * FROM user WHERE name LIKE '%man';
          CREATE TRIGGER onInsert INSTEAD OF INSERT ON hero
          BEGIN INSERT INTO user VALUES (new.id, new.name); END;
          CREATE TRIGGER onUpdate INSTEAD OF UPDATE ON hero
          BEGIN UPDATE user SET name = new.name WHERE id = old.id; END;
          CREATE TRIGGER onDelete INSTEAD OF DELETE ON hero
          BEGIN DELETE FROM user WHERE id = old.id; END;
          """
      )
      try body(db)
    }
  }

  struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let count: Int
    let run: @Sendable (Database) throws -> Int

    init(_ name: String, _ count: Int, _ run: @escaping @Sendable (Database) throws -> Int) {
      (testDescription, self.count, self.run) = (name, count, run)
    }
  }

  private static let batman = Hero(id: 1, name: "Spiderman")
  private static let joker = Hero(id: 3, name: "Hangman")
  private static let name = Column("name")

  private static func error(_ body: () throws -> Void) -> Int {
    do {
      try body()
      return 1
    } catch is RecordError {
      return 0
    } catch {
      return -1
    }
  }

  static let changes = [
    Change("deleteOne by key", 1) { try Hero.deleteOne($0, key: 1) ? 1 : 0 },
    Change("deleteOne without a row", 0) { try Hero.deleteOne($0, key: 3) ? 1 : 0 },
    Change("deleteOne by id", 1) { try Hero.deleteOne($0, id: 2) ? 1 : 0 },
    Change("deleteOne of a table", 1) { try Table("hero").deleteOne($0, key: 1) ? 1 : 0 },
    Change("deleteAll", 2) { try Hero.deleteAll($0) },
    Change("deleteAll by keys", 1) { try Hero.deleteAll($0, keys: [1, 3]) },
    Change("deleteAll of a filter", 1) { try Hero.filter(name == "Batman").deleteAll($0) },
    Change("delete of a record", 1) { try batman.delete($0) ? 1 : 0 },
    Change("delete of no record", 0) { try joker.delete($0) ? 1 : 0 },
    Change("updateAll", 2) { try Hero.updateAll($0, name.set(to: "Superman")) },
    Change("updateAll of a filter", 1) {
      try Hero.filter(name == "Batman").updateAll($0, name.set(to: "Superman"))
    },
    Change("update", 1) { db in error { try batman.update(db) } },
    Change("update without a row", 0) { db in error { try joker.update(db) } },
    Change("update of columns", 1) { db in error { try batman.update(db, columns: ["name"]) } },
    Change("updateChanges", 1) { db in
      try batman.updateChanges(db, from: Hero(id: 1, name: "Batman")) ? 1 : 0
    },
    Change("save of a row", 1) { db in
      try batman.save(db)
      return try Hero.fetchCount(db) - 1
    },
    Change("insert of a query", 2) { db in
      let rows = SQL("SELECT 7, 'Aquaman' UNION SELECT 8, 'Ironman'")
      return try Table("hero").insert(db, from: SQLRequest<Row>(literal: rows))
    },
    Change("changesCount of a table", 1) { db in
      try db.execute(sql: "DELETE FROM user WHERE id = 1")
      return db.changesCount
    },
  ]

  @Test(arguments: changes) func `changes of a view are found`(change: Change) throws {
    try withHeroes { db in
      let count = try change.run(db)
      #expect(count == change.count)
    }
  }

  // SQLite returns NULL for the columns that are not set, also where an optional would hide that.
  @Test func `an updated row of a view is not returned`() throws {
    try withHeroes { db in
      let message =
        "SQLite does not return the columns of the view hero that an update leaves as they are: update the row, and fetch it"
      expectDatabaseError(.SQLITE_MISUSE, message) { _ = try Self.batman.updateAndFetch(db) }
      expectDatabaseError(.SQLITE_MISUSE, message) {
        _ = try Self.batman.updateAndFetch(db, selection: [Self.name]) { try Row.fetchAll($0) }
      }
      expectDatabaseError(.SQLITE_MISUSE, message) {
        _ = try Hero.all().updateAndFetchAll(db, [Self.name.set(to: "Superman")])
      }
      try #expect(Hero.all().deleteAndFetchAll(db).map(\.id) == [1, 2])
    }
  }

  @Test func `didInsert is called after an insertion into a view`() throws {
    try withHeroes { db in
      var hero = NotedHero(id: 9, name: "Antman")
      try hero.insert(db)
      #expect(hero.wasInserted)
    }
  }

  @Test func `triggers of a table do not count when its row is ignored`() throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE log (id);
          CREATE TRIGGER ignoring BEFORE UPDATE ON item
          BEGIN INSERT INTO log VALUES (old.id); SELECT raise(IGNORE); END;
          """
      )
      try Item.cup.insert(db)
      #expect(throws: RecordError.self) { try Item.cup.update(db) }
      #expect(try Item.updateAll(db, Column("price").set(to: 1)) == 0)
      #expect(try Table("log").fetchCount(db) == 2)
    }
  }
}
