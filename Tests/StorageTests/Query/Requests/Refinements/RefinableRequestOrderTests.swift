import Storage
import Testing

@testable import StorageTestSupport

@Suite struct RefinableRequestOrderTests {
  private static let orders: [(QueryInterfaceRequest<Player>, String)] = [
    (Player.order(\.name), #"SELECT * FROM "player" ORDER BY "name""#),
    (
      Player.order { [$0.score.desc, $0.name] },
      #"SELECT * FROM "player" ORDER BY "score" DESC, "name""#
    ),
    (Player.order(\.score.desc), #"SELECT * FROM "player" ORDER BY "score" DESC"#),
    (Player.order { $0.name.asc }, #"SELECT * FROM "player" ORDER BY "name" ASC"#),
    (Player.order(\.score).order(\.name), #"SELECT * FROM "player" ORDER BY "name""#),
    (
      Player.order { [$0.score.desc, $0.name] }.reversed(),
      #"SELECT * FROM "player" ORDER BY "score" ASC, "name" DESC"#
    ),
    (
      Player.order { [$0.score.ascNullsLast, $0.name.descNullsFirst] }.reversed(),
      #"SELECT * FROM "player" ORDER BY "score" DESC NULLS FIRST, "name" ASC NULLS LAST"#
    ),
    (Player.all().reversed(), #"SELECT * FROM "player""#),
    (Player.order(\.name).unordered(), #"SELECT * FROM "player""#),
    (
      Player.order(Column("email"), Column("name")),
      #"SELECT * FROM "player" ORDER BY "email", "name""#
    ),
    (Player.order(sql: "score DESC"), #"SELECT * FROM "player" ORDER BY score DESC"#),
    (
      Player.order(literal: "ABS(score - \(10))"),
      #"SELECT * FROM "player" ORDER BY ABS(score - 10)"#
    ),
    (Player.orderByPrimaryKey(), #"SELECT * FROM "player" ORDER BY "id""#),
    (Player.limit(5), #"SELECT * FROM "player" LIMIT 5"#),
    (Player.limit(5, offset: 10), #"SELECT * FROM "player" LIMIT 5 OFFSET 10"#),
    (Player.limit(20, offset: 40).limit(10), #"SELECT * FROM "player" LIMIT 10"#),
  ]

  @Test(arguments: orders)
  func `REQ-26…35, REQ-48: orders and limits are written as ORDER BY and LIMIT`(
    _ request: QueryInterfaceRequest<Player>,
    _ sql: String
  ) throws {
    try expectSQL(request: request, sql)
  }
}

extension RefinableRequestOrderTests {
  @Test func `the columns of a primary key are each sorted in the opposite direction`() throws {
    try expectSQL(
      request: Citizenship.orderByPrimaryKey().reversed(),
      #"SELECT * FROM "citizenship" ORDER BY "playerID" DESC, "countryCode" DESC"#
    )
  }

  @Test func `a stable order ends with the primary key`() throws {
    try expectSQL(
      request: Player.all().withStableOrder(),
      #"SELECT * FROM "player" ORDER BY "id""#
    )
    try expectSQL(
      request: Player.order(\.score.desc).withStableOrder().reversed(),
      #"SELECT * FROM "player" ORDER BY "score" ASC, "id" DESC"#
    )
    try expectSQL(
      request: Player.order(\.id.desc).withStableOrder(),
      #"SELECT * FROM "player" ORDER BY "id" DESC"#
    )
    try expectSQL(
      request: Country.all().withStableOrder(),
      #"SELECT * FROM "country" ORDER BY "isoCode""#
    )
    // The columns of this key may be NULL.
    try expectSQL(
      request: Citizenship.all().withStableOrder(),
      #"SELECT * FROM "citizenship" ORDER BY "playerID", "countryCode", "rowid""#
    )
    try expectSQL(
      request: Table("note").withStableOrder(),
      #"SELECT * FROM "note" ORDER BY "rowid""#
    )
    #expect(Player.all().withStableOrder() == Player.all().withStableOrder())
  }

  @Test func `a stable order of a view and of a common table expression has all columns`() throws {
    try withLeague { db in
      try db.execute(sql: "CREATE VIEW best AS SELECT name, score FROM player")
      let statement = try Table("best").withStableOrder().makePreparedRequest(db).statement
      expectSQL(statement, #"SELECT * FROM "best" ORDER BY "name", "score""#)
    }
    let pair = CommonTableExpression(named: "pair", columns: ["a", "b"], sql: "SELECT 1, 2")
    try expectSQL(
      request: pair.all().with(pair).withStableOrder(),
      #"WITH "pair"("a", "b") AS (SELECT 1, 2) SELECT * FROM "pair" ORDER BY "a", "b""#
    )
  }

  @Test func `a stable order contains the primary keys of associated tables`() throws {
    let team = Player.belongsTo(Team.self)
    try expectSQL(
      request: Player.including(required: team.order(\.name)).withStableOrder(),
      """
      SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID" \
      ORDER BY "player"."id", "team"."name", "team"."id"
      """
    )
  }
}
