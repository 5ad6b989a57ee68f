import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// The code of Docs/Storage.docc/SchemaAndMigrations.md.
@Suite struct SchemaAndMigrationsGuideTests {
  struct Place: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var title: String
    var visitedAt: Date?
  }

  @Test func `tables are defined, altered and inspected`() throws {
    try DatabaseQueue().write { db in
      try db.create(table: "team") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().unique()
      }
      try db.create(table: "player") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().check { length($0) > 0 }
        t.column("score", .integer).notNull().defaults(to: 0).indexed()
        t.belongsTo("team", onDelete: .cascade).notNull()
      }
      let columns =
        #""id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL DEFAULT 'Somewhere', "visitedAt" DATETIME"#
      try expectDefinitions(db, [#"CREATE TABLE "place" ("# + columns + ")"]) {
        try db.create(table: "place") { t in
          t.column(Place.Columns.id).primaryKey()
          t.column(Place.Columns.title, default: "Somewhere")
          t.column(Place.Columns.visitedAt)
        }
      }
      try db.create(indexOn: "player", columns: ["name"])
      try db.create(
        index: "leaders",
        on: "player",
        expressions: [Column("score").desc],
        condition: Column("score") > 1000
      )
      try db.create(view: "leader", as: Table("player").filter(Column("score") > 1000))
      try db.execute(
        sql: "INSERT INTO team VALUES (1, 'Reds'); INSERT INTO player VALUES (1, 'Arthur', -1, 1)"
      )
      try db.drop(view: "leader")
      try db.drop(indexOn: "player", columns: ["name"])
      try db.alter(table: "player") { t in
        t.add(column: "email", .text)
        t.rename(column: "name", to: "fullName")
      }
      try db.rebuild(table: "player", options: .strict) { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().collate(.nocase)
        t.column("score", .integer).notNull().check { $0 >= 0 }
        t.belongsTo("team", onDelete: .restrict, indexed: false)
        t.copy("name", from: "fullName")
        t.copy("score", sql: "max(score, 0)")
      }
      let row = try Row.fetchOne(db, sql: "SELECT * FROM player")
      #expect(row?.description == "[id:1 name:'Arthur' score:0 teamId:1]")
      let names = try db.schemaObjects(.table).map(\.name)
      let parents = try db.foreignKeys(on: "player").map(\.destinationTable)
      let isThere = try db.tableExists("team")
      for violation in try db.foreignKeyViolations() { print(violation) }
      try db.checkIntegrity()
      #expect(names == ["team", "place", "player"])
      #expect(parents == ["team"])
      #expect(isThere)
    }
  }

  @Test func `a database is migrated`() async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create teams") { db in
      try db.create(table: "team") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull()
      }
    }
    migrator.registerMigration("Add colors") { db in
      try db.alter(table: "team") { t in t.add(column: "color", .text) }
    }
    try await migrator.migrate(pool)
    var merged = DatabaseMigrator()
    merged.registerMigration("Teams", merging: ["Create teams", "Add colors"]) { db, applied in
      if applied.isEmpty {
        try db.create(table: "team") { t in
          t.autoIncrementedPrimaryKey("id")
          t.column("name", .text).notNull()
          t.column("color", .text)
        }
      }
    }
    try await merged.migrate(pool)
    let applied = try await pool.read { [merged] db in try merged.appliedIdentifiers(db) }
    #expect(applied == ["Teams"])
  }
}
