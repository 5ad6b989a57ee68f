import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// Typical record types: implemented manually, with Codable, or with custom columns.
@Suite struct RecordShapesTests {
  fileprivate struct Coordinate: Equatable {
    var latitude: Double
    var longitude: Double
  }

  fileprivate struct Place: Equatable {
    var id: Int64?
    var title: String
    var isFavorite: Bool
    var coordinate: Coordinate

    enum Columns {
      static let id = Column("id")
      static let title = Column("title")
      static let isFavorite = Column("isFavorite")
      static let latitude = Column("latitude")
      static let longitude = Column("longitude")
    }
  }

  static let schema = """
    CREATE TABLE place (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, isFavorite BOOLEAN NOT NULL,
      latitude DOUBLE NOT NULL, longitude DOUBLE NOT NULL
    )
    """

  fileprivate struct Cup: DatabaseRecord {
    var id: Int64
    var name: String
  }

  @Test func `DatabaseRecord is all that a record with an id needs`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE cup (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
      let cup = Cup(id: 1, name: "blue")
      try expectSQL(db, #"INSERT INTO "cup" ("id", "name") VALUES (1, 'blue')"#) {
        try cup.insert(db)
      }
      try expectSQL(db, #"SELECT * FROM "cup" WHERE "name" = 'blue'"#) {
        _ = try Cup.filter { $0.name == "blue" }.fetchAll(db)
      }
      #expect(try Cup.find(db, id: 1) == cup)
      #expect(try cup.delete(db))
    }
  }

  fileprivate struct Jug: MutableDatabaseRecord {
    var id: Int64?
    var name: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  @Test func `MutableDatabaseRecord receives its id`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE jug (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
      var jug = Jug(name: "white")
      try jug.insert(db)
      #expect(jug.id == 1)
      #expect(try Jug.find(db, id: 1) == jug)
    }
  }

  @Test
  func
    `REC-01, REC-03, REC-04, REC-06, REC-10, REC-15: a manual record stores one property in several columns`()
    throws
  {
    try withDatabase { db in
      try db.execute(sql: Self.schema)
      let coordinate = Coordinate(latitude: 48.9, longitude: 2.35)
      var paris = Place(id: nil, title: "Paris", isFavorite: true, coordinate: coordinate)
      try expectSQL(
        db,
        """
        INSERT INTO "place" ("id", "title", "isFavorite", "latitude", "longitude") \
        VALUES (NULL, 'Paris', 1, 48.9, 2.35)
        """
      ) { try paris.insert(db) }
      #expect(paris.id == 1)
      #expect(try Place.fetchAll(db) == [paris])
      #expect(try Place.filter(\.isFavorite).order(\.title).fetchOne(db) == paris)
    }
  }

  @Test func `REC-02, REC-08: a record reads columns by index, in the order of its selection`()
    throws
  {
    struct Pair: FetchableRecord, TableRecord, Equatable {
      static let databaseTableName = "place"
      static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("title")] }
      var id: Int64
      var title: String

      init(row: Row) {
        id = row[0]
        title = row[1]
      }
    }
    try withDatabase { db in
      try db.execute(sql: Self.schema)
      try db.execute(sql: "INSERT INTO place VALUES (7, 'Rome', 0, 1, 2)")
      try expectSQL(db, #"SELECT "id", "title" FROM "place""#) {
        let pair = try #require(try Pair.fetchAll(db).first)
        #expect((pair.id, pair.title) == (7, "Rome"))
      }
    }
  }

  @Test
  func
    `REC-05, REC-07, REC-13, REC-14, COD-01: a Codable record can have private columns and coding keys`()
    throws
  {
    struct Spot: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
      static let databaseTableName = "place"
      var id: Int64?
      var title: String
      var isFavorite: Bool
      private var latitude: Double
      private var longitude: Double

      var coordinate: [Double] {
        get { [latitude, longitude] }
        set { (latitude, longitude) = (newValue[0], newValue[1]) }
      }

      init(title: String, coordinate: [Double]) {
        self.title = title
        isFavorite = false
        latitude = coordinate[0]
        longitude = coordinate[1]
      }

      enum Columns {
        static let title = Column(CodingKeys.title)
        static let isFavorite = Column(CodingKeys.isFavorite)
      }
      enum CodingKeys: String, CodingKey { case id, title, isFavorite, latitude, longitude }
      mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }
    try withDatabase { db in
      try db.execute(sql: Self.schema)
      var spot = Spot(title: "Oslo", coordinate: [59.9, 10.75])
      try expectSQL(
        db,
        """
        INSERT INTO "place" ("id", "title", "isFavorite", "latitude", "longitude") \
        VALUES (NULL, 'Oslo', 0, 59.9, 10.75)
        """
      ) { try spot.insert(db) }
      spot.coordinate = [60, 11]
      try spot.update(db)
      let found = try Spot.filter { !$0.isFavorite && $0.title == "Oslo" }.fetchOne(db)
      #expect(found == spot)
      #expect(found?.coordinate == [60, 11])
    }
  }

  @Test func `REC-13: an Encodable type can be inserted without being read`() throws {
    struct Log: Encodable, MutablePersistableRecord {
      static let databaseTableName = "item"
      var id: Int
      var name: String
      var shout: String { name.uppercased() }
    }
    try withDatabase { db in
      var log = Log(id: 1, name: "x")
      try expectSQL(db, #"INSERT INTO "item" ("id", "name") VALUES (1, 'x')"#) {
        try log.insert(db)
      }
    }
  }

  @Test func `REC-16: a class can be a record`() throws {
    final class Thing: FetchableRecord, PersistableRecord {
      static let databaseTableName = "item"
      let id: Int64
      let name: String

      init(id: Int64, name: String) {
        self.id = id
        self.name = name
      }

      init(row: Row) {
        id = row["id"]
        name = row["name"]
      }

      func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
      }
    }
    try withDatabase { db in
      try Thing(id: 3, name: "chair").insert(db)
      let thing = try #require(try Thing.fetchOne(db, key: 3))
      #expect(thing.name == "chair")
    }
  }

  @Test func `REC-09, REC-19, REC-24, REQ-01: a selection can include the hidden row id`() throws {
    struct Numbered: Codable, Equatable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "note"
      static var databaseSelection: [any SQLSelectable] { [.allColumns, .rowID] }
      var text: String
      var rowid: Int64?

      func encode(to container: inout PersistenceContainer) { container["text"] = text }
    }
    try withLeague { db in
      try Numbered(text: "a").insert(db)
      try Numbered(text: "b").insert(db)
      try expectSQL(db, #"SELECT *, "rowid" FROM "note""#) {
        let notes = try Numbered.fetchAll(db)
        #expect(notes == [Numbered(text: "a", rowid: 1), Numbered(text: "b", rowid: 2)])
      }
      let second = try Numbered.fetchOne(db, key: 2)
      #expect(second?.text == "b")
    }
  }

  @Test
  func `COD-14: a reference to another record is a key, and another request fetches that record`()
    throws
  {
    try withPlayers { db in
      let player = try Player.find(db, id: 1)
      let team = try Team.find(db, id: try #require(player.teamID))
      #expect(team.name == "Reds")
    }
  }

  @Test func `REQ-46, REQ-47, AGG-14: records are fetched with raw SQL, and requests are counted`()
    throws
  {
    try withPlayers { db in
      let best = try Player.fetchAll(db, sql: "SELECT * FROM player ORDER BY score DESC LIMIT 1")
      #expect(best == [.barbara])
      #expect(try Player.filter { $0.email != nil }.fetchCount(db) == 2)
    }
  }

  @Test func `EXP-49: a missing SQL function is added in one line`() throws {
    func soundex(_ value: some SQLSpecificExpressible) -> SQLExpression {
      SQL("HEX(\(value))").sqlExpression
    }
    try expectSQL(soundex(Column("name")) == "41", #"(HEX("name")) = '41'"#)
  }

  @Test func `CUR-10: rows can be deleted while iterating a fetched array`() throws {
    try withPlayers { db in
      for player in try Player.fetchAll(db) { try player.delete(db) }
      #expect(try Player.fetchCount(db) == 0)
    }
  }
}

extension RecordShapesTests.Place: TableRecord {}

extension RecordShapesTests.Place: FetchableRecord {
  fileprivate init(row: Row) {
    id = row[Columns.id]
    title = row[Columns.title]
    isFavorite = row[Columns.isFavorite]
    coordinate = RecordShapesTests.Coordinate(
      latitude: row[Columns.latitude],
      longitude: row[Columns.longitude]
    )
  }
}

extension RecordShapesTests.Place: MutablePersistableRecord {
  fileprivate func encode(to container: inout PersistenceContainer) {
    container[Columns.id] = id
    container[Columns.title] = title
    container[Columns.isFavorite] = isFavorite
    container[Columns.latitude] = coordinate.latitude
    container[Columns.longitude] = coordinate.longitude
  }

  fileprivate mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
