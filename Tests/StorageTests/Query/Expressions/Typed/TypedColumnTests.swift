import Foundation
import Storage
import Testing

@testable import StorageTestSupport

private let id = TypedColumn<Int64>("id")
private let name = TypedColumn<String>("name")
private let score = TypedColumn<Int>("score")
private let bonus = TypedColumn<Int?>("bonus")
private let isActive = TypedColumn<Bool>("isActive")

@Suite struct TypedColumnTests {
  @Test
  func `C-25: an untyped expression mixes with any type, and a typed one with untyped columns`()
    throws
  {
    try expectSQL(id.untyped == "twelve", #""id" = 'twelve'"#)
    try expectSQL(isActive && Column("score") > 1, #""isActive" AND ("score" > 1)"#)
    try expectSQL(!isActive || score > 1, #"(NOT "isActive") OR ("score" > 1)"#)
  }

  @Test func `TYP-01, TYP-06, TYP-09, ROW-07: typed columns are used in requests and in rows`()
    throws
  {
    struct Scored: TableRecord {
      static let databaseTableName = "player"
      enum Columns {
        static let name = TypedColumn<String>("name")
        static let score = TypedColumn<Int?>("score")
        static let isActive = TypedColumn<Bool>("isActive")
      }
    }
    try expectSQL(
      request: Scored.filter { $0.score > 5 && $0.isActive }.order(\.name.desc)
        .select { [$0.name, $0.score] },
      """
      SELECT "name", "score" FROM "player" WHERE ("score" > 5) AND "isActive" \
      ORDER BY "name" DESC
      """
    )
    try expectSQL(
      request: Scored.filter(\.isActive).group(\.name),
      #"SELECT * FROM "player" WHERE "isActive" GROUP BY "name""#
    )
    try withPlayers { db in
      let row = try #require(try Table("player").order(Column("id")).fetchOne(db))
      #expect(row[name] == "Arthur")
      #expect(row[bonus] == nil)
      let decoded = try row.decode(score)
      #expect(decoded == 100)
      #expect(row[Player.Columns.name] == "Arthur")
    }
  }

  @Test func `typed columns have what columns without a type have`() throws {
    enum Key: String, CodingKey { case points }
    try expectSQL(
      request: Table("player").order(bonus.ascNullsLast, bonus.descNullsFirst, score.detached),
      """
      SELECT * FROM "player" ORDER BY "bonus" ASC NULLS LAST, "bonus" DESC NULLS FIRST, "score"
      """
    )
    try expectSQL(
      request: Table("player").select(score.forKey(Key.points), cast(score, as: .text)),
      #"SELECT "score" AS "points", CAST("score" AS TEXT) FROM "player""#
    )
    try expectSQL(name.jsonValue(at: "$.a"), #""name" ->> '$.a'"#)
    try expectSQL(name.jsonRepresentation(at: "$.a"), #""name" -> '$.a'"#)
    try expectSQL(SQL(score + 1).sqlExpression, #""score" + 1"#)
    try withPlayers { db in
      var player = try Player.find(db, key: 1)
      player.name = "Zoe"
      player.score = 7
      try expectSQL(db, #"UPDATE "player" SET "name" = 'Zoe' WHERE "id" = 1"#) {
        try player.update(db, columns: [name])
      }
      let stored = try player.updateAndFetch(db, columns: [score], selection: [name]) {
        try String.fetchOne($0)
      }
      #expect(stored == "Zoe")
      try Player.insert(
        db,
        columns: [id, name, score, isActive],
        from: Player.select(id + 100, name, score, isActive)
      )
      let row = try #require(try Row.fetchOne(db, sql: "SELECT name FROM player WHERE id = 101"))
      let bytes = try row.withUnsafeData(at: name) { $0 }
      #expect(bytes == Data("Zoe".utf8))
      try db.create(table: "copy") { t in
        t.column(score)
        t.column("total", .integer).generatedAs(score + 10)
      }
      try db.execute(sql: "INSERT INTO copy (score) VALUES (5)")
      #expect(try Int.fetchOne(db, sql: "SELECT total FROM copy") == 15)
    }
    let key = ForeignKey([id], to: [score])
    #expect(key == ForeignKey(["id"], to: ["score"]))
  }

  @Test func `typed columns of tables, aliases and common tables keep their types`() throws {
    struct Person: TableRecord {
      static let databaseTableName = "player"
      enum Columns {
        static let id = TypedColumn<Int64>("id")
        static let teamID = TypedColumn<Int64?>("teamID")
        static let name = TypedColumn<String>("name")
      }
    }
    struct Club: TableRecord {
      static let databaseTableName = "team"
      enum Columns {
        static let id = TypedColumn<Int64>("id")
        static let name = TypedColumn<String>("name")
      }
    }
    try expectSQL(
      request: Person.all().join(Club.self) { person, club in
        club.id == person.teamID && club.name != "Reds"
      }.select(Person.Columns.name),
      """
      SELECT "player"."name" FROM "player" JOIN "team" \
      ON ("team"."id" = "player"."teamID") AND ("team"."name" <> 'Reds')
      """
    )
    let players = Table<Person>("player")
    let id: TypedExpression<Int64> = players[Person.Columns.id]
    try expectSQL(
      request: players.filter(id == 1),
      #"SELECT * FROM "player" WHERE "player"."id" = 1"#
    )
    let leaders = CommonTableExpression<Person>(
      named: "leader",
      request: Person.filter { $0.id < 3 }
    )
    let leaderName: TypedExpression<String> = leaders[Person.Columns.name]
    try expectSQL(
      request: leaders.all().with(leaders).filter(leaderName + "!" == "A!"),
      """
      WITH "leader" AS (SELECT * FROM "player" WHERE "id" < 3) \
      SELECT * FROM "leader" WHERE ("leader"."name" || '!') = 'A!'
      """
    )
  }
}
