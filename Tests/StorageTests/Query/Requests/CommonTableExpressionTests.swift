import Storage
import Testing

@testable import StorageTestSupport

@Suite struct CommonTableExpressionTests {
  @Test func `A-090: a common table expression is read like a table`() throws {
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

  @Test func `A-090: a common table expression is joined, with and without column names`() throws {
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

  @Test func `a common table expression is refined like a table`() throws {
    let leaders = CommonTableExpression<Player>(
      named: "leader",
      request: Player.filter { $0.score >= 1000 }
    )
    try expectSQL(
      request: leaders.filter { $0.name != "Arthur" }.order(\.name.desc).with(leaders),
      """
      WITH "leader" AS (SELECT * FROM "player" WHERE "score" >= 1000) \
      SELECT * FROM "leader" WHERE "name" <> 'Arthur' ORDER BY "name" DESC
      """
    )
    try withPlayers { db in
      let players = try leaders.limit(1).with(leaders).fetchAll(db)
      #expect(players == [.barbara])
    }
  }

  @Test func `without a type, the rows of a common table expression are fetched as Row`() throws {
    let name = "O'Brien"
    let expressions = [
      CommonTableExpression(named: "x", request: Player.select(\.name).filter(key: 1)),
      CommonTableExpression(named: "x", sql: "SELECT ? AS name", arguments: ["Arthur"]),
      CommonTableExpression(named: "x", columns: ["name"], literal: "SELECT \("Arthur")"),
      CommonTableExpression<Row>(named: "x", columns: ["name"], literal: "SELECT \("Arthur")"),
    ]
    try withPlayers { db in
      for expression in expressions {
        let rows = try expression.all().with(expression).fetchAll(db)
        #expect(rows == [["name": "Arthur"]])
        #expect(expression.tableName == "x")
      }
      let void = CommonTableExpression<Void>(named: "playerName", literal: "SELECT \(name)")
      let request = Player.with(void).filter(Column("name") == void.all())
      let players = try request.fetchAll(db)
      #expect(players.isEmpty)
    }
  }
}
