import Storage
import Testing

@testable import StorageTestSupport

@Suite struct RefinableRequestGroupTests {
  private static let groups: [(QueryInterfaceRequest<Player>, String)] = [
    (
      Player.select { [$0.name, max($0.score)] }.group(\.name),
      #"SELECT "name", MAX("score") FROM "player" GROUP BY "name""#
    ),
    (
      Player.select(\.name).group { [$0.name, $0.teamID] },
      #"SELECT "name" FROM "player" GROUP BY "name", "teamID""#
    ),
    (
      Player.select(\.name).group(Column("name"), Column("id")),
      #"SELECT "name" FROM "player" GROUP BY "name", "id""#
    ),
    (
      Player.select(sql: "COUNT(*)").group(sql: "DATE(createdAt)"),
      #"SELECT COUNT(*) FROM "player" GROUP BY DATE(createdAt)"#
    ),
    (
      Player.select(\.name).group(\.name).group(\.teamID),
      #"SELECT "name" FROM "player" GROUP BY "teamID""#
    ),
    (
      Player.select { [$0.teamID, max($0.score)] }.group(\.teamID).having { min($0.score) >= 1000 },
      #"SELECT "teamID", MAX("score") FROM "player" GROUP BY "teamID" HAVING MIN("score") >= 1000"#
    ),
    (
      Player.select(\.teamID).group(\.teamID).having { min($0.score) > 1 }
        .having(sql: "MAX(score) < ?", arguments: [9]),
      """
      SELECT "teamID" FROM "player" GROUP BY "teamID" \
      HAVING (MIN("score") > 1) AND (MAX(score) < 9)
      """
    ),
    (Player.all().groupByPrimaryKey(), #"SELECT * FROM "player" GROUP BY "id""#),
  ]

  @Test(arguments: groups)
  func `REQ-21…25, AGG-13: groups are written as GROUP BY and HAVING`(
    _ request: QueryInterfaceRequest<Player>,
    _ sql: String
  ) throws {
    try expectSQL(request: request, sql)
  }
}
