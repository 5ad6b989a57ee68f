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
}
