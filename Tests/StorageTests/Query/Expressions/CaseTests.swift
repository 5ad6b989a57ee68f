import Storage
import Testing

@testable import StorageTestSupport

private let name = Column("name")
private let score = Column("score")

@Suite struct CaseTests {
  @Test func `a CASE expression chooses by conditions or by a value`() throws {
    try expectSQL(
      Case().when(score > 10, then: "high").when(score > 1, then: "low"),
      #"CASE WHEN "score" > 10 THEN 'high' WHEN "score" > 1 THEN 'low' END"#
    )
    try expectSQL(
      Case(name).when("r", then: "red").otherwise("unknown"),
      #"CASE "name" WHEN 'r' THEN 'red' ELSE 'unknown' END"#
    )
    try expectSQL(Case().otherwise(1), "CASE WHEN 0 THEN NULL ELSE 1 END")
    try expectValue(Case(score).when(100, then: "full").otherwise("x"), "'full'")
  }
}
