import Storage
import Testing

@testable import StorageTestSupport

private let score = Column("score")
private let height = Column("height")

@Suite struct SQLSelectionTests {
  @Test func `EXP-42, A-081: selections are written with their aliases`() throws {
    try expectSQL(selection: AllColumns(), "*")
    try expectSQL(
      selection: (height * 1.8 + 32).forKey("farenheit"),
      #"("height" * 1.8) + 32 AS "farenheit""#
    )
    try expectSQL(selection: score.forKey("points"), #""score" AS "points""#)
  }
}
