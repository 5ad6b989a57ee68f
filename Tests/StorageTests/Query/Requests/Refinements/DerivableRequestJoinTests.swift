import Storage
import Testing

@Suite struct JoinTests {
  private let players = Table("player")
  private let teams = Table("team")

  @Test("JOI-01, JOI-04…06: joins on a condition, every column with its table")
  func sql() throws {
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

  @Test("JOI-07: a column that may be of several tables is an error before SQLite runs")
  func ambiguity() throws {
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
        "two tables of one request are called player: give one of them another name"
      ) {
        _ = try players.join(players, on: Column("id") == 1).fetchAll(db)
      }
    }
  }

  @Test("JOI-08, JOI-09, JOI-11: aliases, self-joins, scopes")
  func aliases() throws {
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

  @Test func `Joined records are decoded from their scopes`() throws {
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

  @Test("A-090: common table expressions")
  func commonTables() throws {
    let leaders = CommonTableExpression<Player>(
      named: "leader",
      request: Player.filter { $0.score >= 1000 }
    )
    try expectSQL(
      request: leaders.all().with(leaders),
      """
      WITH "leader" AS (SELECT * FROM "player" WHERE "score" >= 1000) SELECT * FROM "leader"
      """
    )
    let counter = CommonTableExpression<Int>(
      recursive: true,
      named: "counter",
      columns: ["x"],
      literal: "VALUES(1) UNION ALL SELECT x + 1 FROM counter WHERE x < \(5)"
    )
    try withPlayers { db in
      let players = try leaders.all().with(leaders).fetchAll(db)
      #expect(players == [.barbara])
      let ids = try Player.filter { leaders.all().select(Column("id")).contains($0.id) }
        .with(leaders).selectID().fetchAll(db)
      #expect(ids == [2])
      let numbers = try counter.all().with(counter).fetchAll(db)
      #expect(numbers == [1, 2, 3, 4, 5])
      let count = try counter.all().with(counter).fetchCount(db)
      #expect(count == 5)
      let joined = try Player.all()
        .join(counter, on: counter[Column("x")] == Table("player")[Column("id")])
        .with(counter).order(\.id).selectID().fetchAll(db)
      #expect(joined == [1, 2, 3])
      let deleted = try Player.filter { leaders.all().select(Column("id")).contains($0.id) }
        .with(leaders).deleteAll(db)
      #expect(deleted == 1)
    }
  }
}

extension JoinTests {
  @Test("A-090: a common table is joined, whether or not its columns are named")
  func unnamedColumns() throws {
    try withPlayers { db in
      let request = Player.select { [$0.teamID, max($0.score).forKey("best")] }.group(\.teamID)
      for columns in [[], ["teamID", "best"]] {
        let top = CommonTableExpression<Row>(named: "top", columns: columns, request: request)
        let row = try #require(
          try Row.fetchOne(
            db,
            Team.all().with(top).join(top, on: top[Column("teamID")] == TableAlias<Team>().id)
              .filter(top[Column("best")] > 1)
          )
        )
        #expect(row["name"] == "Reds")
        #expect(row.scopes["top"]?["best"] == 1000)
      }
    }
  }
}
