import Storage
import Testing

@testable import StorageTestSupport

private let name = Column("name")
private let score = Column("score")

@Suite struct SQLOrderingTests {
  @Test func `A-075: ordering terms are written with their direction`() throws {
    try expectSQL(ordering: score, #""score""#)
    try expectSQL(ordering: score.asc, #""score" ASC"#)
    try expectSQL(ordering: score.desc, #""score" DESC"#)
    try expectSQL(ordering: score.ascNullsLast, #""score" ASC NULLS LAST"#)
    try expectSQL(ordering: score.descNullsFirst, #""score" DESC NULLS FIRST"#)
    try expectSQL(ordering: name.collating(.nocase).desc, #""name" COLLATE NOCASE DESC"#)
    try expectSQL(ordering: SQL("random()"), "random()")
  }

  private static let failing: [(QueryInterfaceRequest<Player>, String)] = [
    (
      Player.order(sql: "score DESC").reversed(),
      """
      an order that is written in SQL cannot be reversed: give its expressions as \
      SQL("…").sqlExpression.desc, or write the opposite order
      """
    ),
    (
      Player.order(literal: "ABS(score - \(3))").reversed(),
      """
      an order that is written in SQL cannot be reversed: give its expressions as \
      SQL("…").sqlExpression.desc, or write the opposite order
      """
    ),
    (
      Player.all().orderWhenConnected { _ in [SQL("score")] }.reversed(),
      """
      an order that is written in SQL cannot be reversed: give its expressions as \
      SQL("…").sqlExpression.desc, or write the opposite order
      """
    ),
    (
      Player.select { $0.score.sqlExpression.over() },
      """
      only a function call can be computed over a window: call over() on a function, such as \
      sum(…) or rowNumber()
      """
    ),
    (
      Player.order { (max($0.score) + 1).over() },
      """
      only a function call can be computed over a window: call over() on a function, such as \
      sum(…) or rowNumber()
      """
    ),
    (
      Player.filter(coalesce([] as [any SQLExpressible]) == 1),
      "coalesce() needs a value: pass at least one"
    ),
  ]

  @Test(arguments: failing)
  private func `a request that cannot be written fails when it is fetched`(
    _ request: QueryInterfaceRequest<Player>,
    _ message: String
  ) throws {
    try withPlayers { db in
      expectDatabaseError(.SQLITE_MISUSE, message) { _ = try request.fetchAll(db) }
    }
  }

  private static let byResult: [(QueryInterfaceRequest<Player>, [Int64])] = [
    (annotated.order(Column("n")), [3, 1, 2]),
    (annotated.order(Column("N").desc), [2, 1, 3]),
    (annotated.order(Column("n") + 1), [3, 1, 2]),
    (annotated.order { [Column("n").ascNullsLast, $0.id] }, [1, 2, 3]),
    (annotated.filter(Column("n") > 200).order(Column("n")), [2]),
    (
      Player.all().join(Team.self) { $1.id == $0.teamID }
        .annotated(with: (Column("score") * 2).forKey("n")).order(Column("n")),
      [3, 1, 2]
    ),
  ]

  private static let annotated = Player.annotated { ($0.score * 2).forKey("n") }
    .annotated(withRequired: Player.belongsTo(Team.self).select(\.color))

  @Test(arguments: byResult)
  private func `rows of a join are sorted and filtered by an annotation`(
    _ request: QueryInterfaceRequest<Player>,
    _ ids: [Int64]
  ) throws {
    try withPlayers { db in
      try #expect(request.fetchAll(db).map(\.id) == ids)
      try #expect(request.fetchCount(db) == ids.count)
    }
  }
}
