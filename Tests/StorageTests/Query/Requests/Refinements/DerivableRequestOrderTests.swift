import Storage
import Testing

@Suite struct DerivableRequestOrderTests {
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
