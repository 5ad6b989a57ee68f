import Storage
import Testing

@testable import StorageTestSupport

@Suite struct RefinableRequestFilterTests {
  private static let filters: [(QueryInterfaceRequest<Player>, String)] = [
    (Player.filter { $0.score >= 1000 }, #"SELECT * FROM "player" WHERE "score" >= 1000"#),
    (Player.all().filter(!Column("isActive")), #"SELECT * FROM "player" WHERE NOT "isActive""#),
    (Player.all().filter(Column("isActive")), #"SELECT * FROM "player" WHERE "isActive""#),
    (Player.filter(\.isActive), #"SELECT * FROM "player" WHERE "isActive""#),
    (Player.filter { _ in true.sqlExpression }, #"SELECT * FROM "player" WHERE 1"#),
    (
      Player.filter { $0.name != nil && $0.height > 1.75 },
      #"SELECT * FROM "player" WHERE ("name" IS NOT NULL) AND ("height" > 1.75)"#
    ),
    (
      Player.filter { $0.name != nil }.filter { $0.email != nil },
      #"SELECT * FROM "player" WHERE ("name" IS NOT NULL) AND ("email" IS NOT NULL)"#
    ),
    (
      Player.filter(sql: "score >= ?", arguments: [1000]),
      #"SELECT * FROM "player" WHERE score >= 1000"#
    ),
    (
      Player.filter(sql: "score >= :s", arguments: ["s": 1]).filter { $0.id == 2 },
      #"SELECT * FROM "player" WHERE (score >= 1) AND ("id" = 2)"#
    ),
    (
      Player.filter(literal: "score >= \(1000)"),
      #"SELECT * FROM "player" WHERE score >= 1000"#
    ),
  ]

  @Test(arguments: filters)
  func `REQ-12…17: filters are written as WHERE`(
    _ request: QueryInterfaceRequest<Player>,
    _ sql: String
  ) throws {
    try expectSQL(request: request, sql)
  }
}
