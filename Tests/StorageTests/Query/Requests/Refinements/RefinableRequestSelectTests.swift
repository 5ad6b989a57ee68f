import Storage
import Testing

@testable import StorageTestSupport

@Suite struct RefinableRequestSelectTests {
  private static let selections: [(QueryInterfaceRequest<Player>, String)] = [
    (Player.all(), #"SELECT * FROM "player""#),
    (Player.none(), #"SELECT * FROM "player" WHERE 0"#),
    (Player.select { [$0.id, $0.name] }, #"SELECT "id", "name" FROM "player""#),
    (Player.select { $0.id }, #"SELECT "id" FROM "player""#),
    (Player.select(\.id), #"SELECT "id" FROM "player""#),
    (Player.select(Column("id"), Column("name")), #"SELECT "id", "name" FROM "player""#),
    (
      Player.select { max($0.score).forKey("maxScore") },
      #"SELECT MAX("score") AS "maxScore" FROM "player""#
    ),
    (Player.select(.allColumns, .rowID), #"SELECT *, "rowid" FROM "player""#),
    (
      Player.select(.allColumns(excluding: ["createdAt", "ORDER", "mask", "isActive"])),
      #"SELECT "id", "teamID", "name", "email", "score", "bonus", "height" FROM "player""#
    ),
    (
      Player.select(sql: "DATE(createdAt), COUNT(*)"),
      #"SELECT DATE(createdAt), COUNT(*) FROM "player""#
    ),
    (Player.select(literal: "\(1) + 1"), #"SELECT 1 + 1 FROM "player""#),
    (Player.select(\.id).select(\.name), #"SELECT "name" FROM "player""#),
    (Player.select(\.name).distinct(), #"SELECT DISTINCT "name" FROM "player""#),
    (
      Player.annotated { ($0.score + $0.bonus).forKey("total") },
      #"SELECT *, "score" + "bonus" AS "total" FROM "player""#
    ),
    (
      Player.annotated(with: Column("score").forKey("points")).order(Column("points").detached),
      #"SELECT *, "score" AS "points" FROM "player" ORDER BY "points""#
    ),
    (Player.all().annotated(with: []), #"SELECT * FROM "player""#),
    (Table<Player>("player").annotated(with: []), #"SELECT * FROM "player""#),
  ]

  @Test(arguments: selections)
  func `REQ-01…11, A-071, A-081, A-083: selections are written as SELECT`(
    _ request: QueryInterfaceRequest<Player>,
    _ sql: String
  ) throws {
    try expectSQL(request: request, sql)
  }
}
