import Storage
import Testing

@testable import StorageTestSupport

@Suite struct RefinableRequestWhenConnectedTests {
  private static let requests: [(QueryInterfaceRequest<Player>, String)] = [
    (
      Player.all().selectWhenConnected { db in
        try db.columns(in: "player").prefix(2).map { Column($0.name) }
      },
      #"SELECT "id", "teamID" FROM "player""#
    ),
    (
      Player.all().annotatedWhenConnected { db in
        [Column(try db.primaryKey("player").columns[0]).forKey("key")]
      },
      #"SELECT *, "id" AS "key" FROM "player""#
    ),
    (Player.all().annotatedWhenConnected { _ in [] }, #"SELECT * FROM "player""#),
    (
      Player.all().filterWhenConnected { db in
        Column(try db.primaryKey("player").columns[0]) > 10
      },
      #"SELECT * FROM "player" WHERE "id" > 10"#
    ),
    (
      Player.filter { $0.score > 1 }.filterWhenConnected { _ in Column("id") > 10 },
      #"SELECT * FROM "player" WHERE ("score" > 1) AND ("id" > 10)"#
    ),
    (
      Player.all().groupWhenConnected { db in
        try db.primaryKey("player").columns.map { Column($0) }
      }
      .havingWhenConnected { _ in max(Column("score")) > 10 },
      #"SELECT * FROM "player" GROUP BY "id" HAVING MAX("score") > 10"#
    ),
    (Player.all().groupWhenConnected { _ in [] }, #"SELECT * FROM "player""#),
    (
      Player.all().orderWhenConnected { _ in [Column("score").desc, Column("name")] },
      #"SELECT * FROM "player" ORDER BY "score" DESC, "name""#
    ),
    (
      Player.all().orderWhenConnected { _ in [Column("score").desc, Column("name")] }.reversed(),
      #"SELECT * FROM "player" ORDER BY "score" ASC, "name" DESC"#
    ),
    (Player.all().orderWhenConnected { _ in [] }, #"SELECT * FROM "player""#),
    (
      Player.all().orderWhenConnected { _ in [Column("score")] }.order(\.name),
      #"SELECT * FROM "player" ORDER BY "name""#
    ),
    (
      Player.all().selectWhenConnected { _ in [Column("id")] }.select(\.name),
      #"SELECT "name" FROM "player""#
    ),
  ]

  @Test(arguments: requests)
  func `a closure refines a request when it is written`(
    _ request: QueryInterfaceRequest<Player>,
    _ sql: String
  ) throws {
    try expectSQL(request: request, sql)
  }

  @Test func `without a connection, the description shows where a closure runs`() {
    let request = Player.all().filterWhenConnected { _ in Column("id") > 1 }
    #expect(request.description == #"SELECT * FROM "player" WHERE <when connected>"#)
  }

  @Test func `a request with a closure equals its own copies only`() {
    func request() -> QueryInterfaceRequest<Player> {
      Player.all().orderWhenConnected { _ in [Column("id")] }
    }
    let one = request()
    let copy = one
    #expect(one == copy && one.hashValue == copy.hashValue)
    #expect(one != request())
  }

  @Test func `rows are counted, updated and deleted by a condition that a closure makes`() throws {
    try withPlayers { db in
      let request = Player.all()
        .annotatedWhenConnected { _ in [(Column("score") * 2).forKey("double")] }
        .filterWhenConnected { _ in Column("double") > 200 }
      let count = try request.fetchCount(db)
      #expect(count == 1)
      let first = Player.all().filterWhenConnected { _ in Column("id") == 1 }
      let updated = try first.updateAll(db, Column("score").set(to: 5))
      #expect(updated == 1)
      let deleted = try first.deleteAndFetchAll(db)
      #expect(deleted.map(\.score) == [5])
    }
  }

  @Test func `an error of a closure is thrown by the fetch`() throws {
    struct Failure: Error {}
    let request = Player.all().filterWhenConnected { _ in throw Failure() }
    try withPlayers { db in
      #expect(throws: Failure.self) { try request.fetchAll(db) }
    }
  }

  @Test func `the rows of an association are selected, filtered and sorted by closures`() throws {
    let team = Player.belongsTo(Team.self)
      .selectWhenConnected { _ in [Column("name"), Column("color")] }
      .filterWhenConnected { _ in Column("color") == "red" }
      .orderWhenConnected { _ in [Column("name").desc] }
    try withPlayers { db in
      let request = Player.including(required: team).order(\.id)
      try expectSQL(
        db,
        """
        SELECT "player".*, "team"."name", "team"."color" FROM "player" JOIN "team" \
        ON ("team"."id" = "player"."teamID") AND ("team"."color" = 'red') \
        ORDER BY "player"."id", "team"."name" DESC
        """
      ) {
        let rows = try Row.fetchAll(db, request)
        #expect(rows.map { $0["id"] } == [1, 2])
        #expect(rows[0].scopes["team"] == ["name": "Reds", "color": "red"])
      }
    }
  }
}
