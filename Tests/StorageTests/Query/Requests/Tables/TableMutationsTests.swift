import Storage
import Testing

@testable import StorageTestSupport

@Suite struct TableMutationsTests {
  @Test func `DML-01, DML-03…07, A-053: rows are inserted from assignments and from queries`()
    throws
  {
    try withPlayers { db in
      let players = Table("player")
      try expectSQL(db, #"INSERT INTO "player" ("name", "score") VALUES ('Zoe', 7)"#) {
        let id = try Player.insert(db) { [$0.name.set(to: "Zoe"), $0.score.set(to: 7)] }
        #expect(id == 4)
      }
      try expectSQL(
        db,
        #"INSERT OR REPLACE INTO "player" ("id", "name") VALUES (4, 'Zed')"#
      ) {
        _ = try players.insert(
          db,
          onConflict: .replace,
          [Column("id").set(to: 4), Column("name").set(to: "Zed")]
        )
      }
      try expectSQL(db, #"INSERT INTO "note" DEFAULT VALUES"#) {
        _ = try Table("note").insert(db)
      }
      try expectSQL(
        db,
        #"INSERT INTO "note" ("text") SELECT "name" FROM "player" WHERE "id" < 3"#
      ) {
        let count = try Table("note").insert(
          db,
          columns: [Column("text")],
          from: Player.filter { $0.id < 3 }.select(\.name)
        )
        #expect(count == 2)
      }
    }
  }

  @Test func `DML-32: a violated constraint is an error with its SQL`() throws {
    try withPlayers { db in
      let error = #expect(throws: DatabaseError.self) {
        try Player.insert(db) { [$0.name.set(to: "x"), $0.email.set(to: "a@x.com")] }
      }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      #expect(error?.sql == #"INSERT INTO "player" ("name", "email") VALUES (?, ?)"#)
    }
  }
}

extension TableMutationsTests {
  private struct Careful: Codable, Identifiable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "player"
    static let persistenceConflictPolicy = PersistenceConflictPolicy(
      insert: .replace,
      update: .ignore
    )
    var id: Int64
    var name: String

    enum Columns {
      static let id = Column("id")
      static let name = Column("name")
    }
  }

  @Test func `mutations of a table and of a record type follow the conflict policy`() throws {
    let table = Table<Careful>("player")
    let name = Column("name").set(to: "x")
    try withPlayers { db in
      let update = #"UPDATE OR IGNORE "player" SET "name" = 'x'"#
      try expectSQL(db, update) { _ = try Careful.updateAll(db, name) }
      try expectSQL(db, update) { _ = try Careful.updateAll(db, [name]) }
      try expectSQL(db, update) { _ = try Careful.updateAll(db) { $0.name.set(to: "x") } }
      try expectSQL(db, update) { _ = try Careful.updateAll(db) { [$0.name.set(to: "x")] } }
      try expectSQL(db, update) { _ = try Careful.all().updateAll(db, name) }
      try expectSQL(db, update) { _ = try table.updateAll(db, name) }
      try expectSQL(db, update) { _ = try table.updateAll(db) { $0.name.set(to: "x") } }
      try expectSQL(db, update) {
        _ = try table.updateAll(db, from: Careful(id: 1, name: "x"))
      }
      try expectSQL(db, update + " RETURNING *") { _ = try table.updateAndFetchAll(db, [name]) }
      try expectSQL(db, #"UPDATE "player" SET "name" = 'x'"#) {
        _ = try Careful.updateAll(db, onConflict: .abort, name)
      }
      try expectSQL(db, #"UPDATE "player" SET "name" = 'x'"#) {
        _ = try Table("player").updateAll(db, name)
      }
      let insert = #"INSERT OR REPLACE INTO "player" ("name") VALUES ('x')"#
      try expectSQL(db, insert) { _ = try table.insert(db, [name]) }
      try expectSQL(db, insert) { _ = try Careful.insert(db) { [$0.name.set(to: "x")] } }
    }
  }

  @Test func `rows of a table are deleted by key`() throws {
    try withPlayers { db in
      let table = Table<Player>("player")
      let one = try table.deleteOne(db, key: 1)
      let none = try table.deleteOne(db, id: 1)
      #expect(one && !none)
      let two = try table.deleteAll(db, ids: [1, 2])
      #expect(two == 1)
      let deleted = try table.deleteAndFetchAll(db)
      #expect(deleted.map(\.id) == [3])
      let rest = try table.deleteAll(db)
      #expect(rest == 0)
    }
  }
}
