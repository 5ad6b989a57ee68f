import Storage
import Testing

@testable import StorageTestSupport

private let name = Column("name")
private let score = Column("score")

@Suite struct CastTests {
  @Test func `EXP-20, A-077: a value is converted to a type`() throws {
    try expectSQL(cast(score, as: .text), #"CAST("score" AS TEXT)"#)
    try expectValue(cast(score, as: .text), "'100'")
  }

  @Test func `EXP-19: a converted value is concatenated with strings`() throws {
    try expectSQL(
      [name, " is ".databaseValue, cast(score, as: .text), "!".databaseValue]
        .joined(operator: .concat),
      #""name" || ' is ' || CAST("score" AS TEXT) || '!'"#
    )
  }
}
