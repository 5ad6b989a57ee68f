import Storage
import Testing

@testable import StorageTestSupport

@Suite struct RefinableRequestJoinTests {
  private let players = Table("player")
  private let teams = Table("team")

  @Test
  func `JOI-01, JOI-04…06: a join is written with its condition, and columns with their table`()
    throws
  {
    let condition = teams[Column("id")] == players[Column("teamID")]
    try expectSQL(
      request: players.join(teams, on: condition),
      """
      SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID"
      """
    )
    try expectSQL(
      request: players.leftJoin(teams, on: condition && teams[Column("color")] == nil)
        .filter(Column("score") > 10).order(Column("name")),
      """
      SELECT "player".*, "team".* FROM "player" LEFT JOIN "team" \
      ON ("team"."id" = "player"."teamID") AND ("team"."color" IS NULL) \
      WHERE "player"."score" > 10 ORDER BY "player"."name"
      """
    )
    try expectSQL(
      request: players.all().crossJoin(teams),
      #"SELECT "player".*, "team".* FROM "player" CROSS JOIN "team""#
    )
    try expectSQL(
      request: Player.all().join(Team.self) { player, team in team.id == player.teamID }
        .select(TableAlias<Player>().name, TableAlias<Team>()[.allColumns]),
      """
      SELECT "player"."name", "team".* FROM "player" JOIN "team" \
      ON "team"."id" = "player"."teamID"
      """
    )
    try expectSQL(
      request: Player.all().join(Team.filter { $0.color == "red" }, on: condition),
      """
      SELECT "player".*, "team".* FROM "player" JOIN "team" \
      ON ("team"."id" = "player"."teamID") AND ("team"."color" = 'red')
      """
    )
  }

  @Test func `JOI-07: an ambiguous column is an error before SQLite runs`()
    throws
  {
    try expectSQL(
      request: players.join(teams, on: Column("teamID") == teams[Column("id")]),
      """
      SELECT "player".*, "team".* FROM "player" JOIN "team" ON "player"."teamID" = "team"."id"
      """
    )
    try withLeague { db in
      expectDatabaseError(
        .SQLITE_ERROR,
        #"ambiguous column name: id (may be "player"."id" or "team"."id")"#
      ) {
        _ = try players.join(teams, on: Column("teamID") == Column("id")).fetchAll(db)
      }
      expectDatabaseError(.SQLITE_ERROR, "no such column: nothing (in player, team)") {
        _ = try players.join(teams, on: Column("nothing") == 1).fetchAll(db)
      }
      expectDatabaseError(
        .SQLITE_MISUSE,
        "two tables of the request are called player: give one of them an alias"
      ) {
        _ = try players.join(players, on: Column("id") == 1).fetchAll(db)
      }
    }
  }

  @Test
  func `JOI-08, JOI-09, JOI-11: a table is joined with itself under an alias, and read by scopes`()
    throws
  {
    let rival = TableAlias<Player>(name: "rival")
    let request = Player.all().join(rival, on: rival.teamID == players[Column("teamID")])
      .filter { $0.id < rival.id }
    try expectSQL(
      request: request,
      """
      SELECT "player".*, "rival".* FROM "player" JOIN "player" "rival" \
      ON "rival"."teamID" = "player"."teamID" WHERE "player"."id" < "rival"."id"
      """
    )
    try expectSQL(
      request: Player.all().aliased(TableAlias<Player>(name: "p")),
      #"SELECT * FROM "player" "p""#
    )
    try withPlayers { db in
      let row = try #require(try request.asRequest(of: Row.self).fetchOne(db))
      #expect(row["name"] == "Arthur")
      #expect(row.scopes["player"]?["name"] == "Arthur")
      #expect(row.scopes["rival"]?["name"] == "Barbara")
      let player = try request.fetchOne(db)
      #expect(player == .arthur)
      let count = try request.fetchCount(db)
      #expect(count == 1)
    }
  }

  @Test func `different common tables of one name cannot be joined`() throws {
    func top(_ limit: Int) -> CommonTableExpression<Void> {
      CommonTableExpression(named: "top", sql: "SELECT id FROM team LIMIT \(limit)")
    }
    let on = teams[Column("id")] == players[Column("teamID")]
    try withLeague { db in
      _ = try Player.all().with(top(1)).join(Team.all().with(top(1)), on: on).fetchAll(db)
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        the request and the request that it joins define different common tables top: give one of \
        them another name
        """
      ) {
        _ = try Player.all().with(top(1)).join(Team.all().with(top(2)), on: on).fetchAll(db)
      }
    }
  }

  @Test func `a joined table whose columns are selected in SQL is an error`() throws {
    let colors = Team.select(sql: "color AS shade")
    try withLeague { db in
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        the columns of team are selected in SQL, so that their number is unknown: \
        select them one by one
        """
      ) {
        _ = try players.join(colors, on: teams[Column("id")] == 1).fetchAll(db)
      }
    }
  }

  @Test func `joined records are decoded from their scopes`() throws {
    struct Membership: FetchableRecord {
      let player: Player
      let team: Team?
      init(row: Row) throws {
        player = try Player(row: row)
        team = try row.scopes["team"].flatMap {
          $0.containsNonNullValue ? try Team(row: $0) : nil
        }
      }
    }
    try withPlayers { db in
      try db.execute(sql: "UPDATE player SET teamID = NULL WHERE id = 3")
      let memberships = try Player.all().leftJoin(Team.self) { $1.id == $0.teamID }
        .order(\.id).asRequest(of: Membership.self).fetchAll(db)
      #expect(memberships.map(\.player.id) == [1, 2, 3])
      #expect(memberships.map(\.team?.name) == ["Reds", "Reds", nil])
    }
  }

  private static let unjoinable: [(QueryInterfaceRequest<Player>, String)] = [
    (Player.order(\.score.desc).limit(10), "a limit"),
    (Player.select(\.teamID).distinct(), "a distinct"),
    (Player.all().group(\.teamID), "a group"),
    (Player.all().having { count($0.id) > 1 }, "a group"),
    (Player.all().crossJoin(Table("country")), "a join"),
    (Player.joining(required: Player.belongsTo(Team.self)), "an association"),
    (Player.including(all: Player.hasMany(Citizenship.self)), "an association"),
  ]

  @Test(arguments: unjoinable)
  func `a request is not joined without one of its clauses`(
    _ request: QueryInterfaceRequest<Player>,
    _ clause: String
  ) throws {
    let condition = players[Column("teamID")] == teams[Column("id")]
    try withPlayers { db in
      for joined in [
        Team.all().join(request, on: condition), Team.all().leftJoin(request, on: condition),
        Team.all().crossJoin(request),
      ] {
        let message = """
          the joined request of player has \(clause), which a join cannot express: join a \
          CommonTableExpression of the request
          """
        expectDatabaseError(.SQLITE_MISUSE, message) { _ = try joined.fetchAll(db) }
        expectDatabaseError(.SQLITE_MISUSE, message) { _ = try joined.fetchCount(db) }
        expectDatabaseError(.SQLITE_MISUSE, message) { try joined.deleteAll(db) }
      }
    }
  }

  @Test func `the conditions and expressions of a joined request are kept`() throws {
    let condition = players[Column("teamID")] == teams[Column("id")]
    try withPlayers { db in
      func names(_ request: QueryInterfaceRequest<Player>) throws -> [String] {
        let joined = Team.all().join(request, on: condition).order(players[Column("id")])
        return try joined.asRequest(of: Row.self).fetchAll(db)
          .compactMap { $0.scopes["player"]?["name"] }
      }
      let leaders = CommonTableExpression<Row>(
        named: "leaders",
        sql: "SELECT id FROM player ORDER BY score DESC LIMIT 2"
      )
      let leading = Player.filter { leaders.contains($0.id) }.with(leaders).order(\.name)
      try #expect(names(leading) == ["Arthur", "Barbara"])
      let key = ForeignKey(["playerID"], to: ["id"])
      let citizenships = Player.hasMany(Citizenship.self, using: key)
      try Country(isoCode: "FR", name: "France").insert(db)
      try Citizenship(playerID: 2, countryCode: "FR").insert(db)
      try #expect(names(Player.having(citizenships.isEmpty)) == ["Arthur", "Craig"])
    }
  }
}
