import Storage
import Testing

@testable import StorageTestSupport

@Suite struct TableRecordRequestsTests {
  @Test func `REC-08, REC-09: a request selects the default selection of the record type`() throws {
    struct Named: TableRecord {
      static let databaseTableName = "player"
      static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("name")] }
    }
    struct Extended: TableRecord {
      static let databaseTableName = "player"
      static var databaseSelection: [any SQLSelectable] { [.allColumns, .rowID] }
    }
    try expectSQL(request: Named.all(), #"SELECT "id", "name" FROM "player""#)
    try expectSQL(
      request: Named.filter(key: 1),
      #"SELECT "id", "name" FROM "player" WHERE "id" = 1"#
    )
    try expectSQL(request: Extended.all(), #"SELECT *, "rowid" FROM "player""#)
  }

  @Test func `the columns of the default selection are counted`() throws {
    struct Named: TableRecord {
      static let databaseTableName = "player"
      static var databaseSelection: [any SQLSelectable] { [Column("id"), .rowID] }
    }
    struct Anonymous: TableRecord {
      static let databaseTableName = "team"
      static var databaseSelection: [any SQLSelectable] { [.allColumns(excluding: ["name"])] }
    }
    try withLeague { db throws in
      #expect(try Team.numberOfSelectedColumns(db) == 3)
      #expect(try Named.numberOfSelectedColumns(db) == 2)
      #expect(try Anonymous.numberOfSelectedColumns(db) == 2)
    }
  }

  @Test func `A-072: a request reports whether rows exist`() throws {
    try withPlayers { db throws in
      #expect(try Player.none().isEmpty(db))
      #expect(try !Player.filter { $0.score > 1 }.isEmpty(db))
      #expect(try Player.exists(db, key: 1))
      #expect(try !Player.exists(db, id: 9))
      #expect(try Player.exists(db, key: ["email": "a@x.com"]))
    }
  }
}
