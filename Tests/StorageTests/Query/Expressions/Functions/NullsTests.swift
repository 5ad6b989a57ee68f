import Storage
import Testing

@testable import StorageTestSupport

private let name = Column("name")
private let email = Column("email")
private let bonus = Column("bonus")

@Suite struct NullsTests {
  private static let calls: [(SQLExpression, String)] = [
    (name ?? "Anonymous", #"IFNULL("name", 'Anonymous')"#),
    (name ?? email, #"IFNULL("name", "email")"#),
    (coalesce(email, name, "x"), #"COALESCE("email", "name", 'x')"#),
    (coalesce([email, name, "x"]), #"COALESCE("email", "name", 'x')"#),
    (coalesce([email]), #""email""#),
    (nullif(name, ""), #"NULLIF("name", '')"#),
  ]

  @Test(arguments: calls)
  func `FUN-10, EXP-41, A-077: NULL functions are written as calls`(
    _ expression: SQLExpression,
    _ sql: String
  ) throws {
    try expectSQL(expression, sql)
  }

  private static let results: [(SQLExpression, String)] = [
    (bonus ?? "none", "'none'"),
    (coalesce(bonus, email, "x"), "'a@x.com'"),
    (nullif(name, "x"), "'Arthur'"),
  ]

  @Test(arguments: results)
  func `FUN-10, EXP-41: NULL functions replace NULL and values`(
    _ expression: SQLExpression,
    _ value: String
  )
    throws
  {
    try expectValue(expression, value)
  }
}
