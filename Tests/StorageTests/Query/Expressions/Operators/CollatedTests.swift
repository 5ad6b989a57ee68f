import Storage
import Testing

@testable import StorageTestSupport

private let name = Column("name")
private let email = Column("email")

@Suite struct CollatedTests {
  private static let comparisons: [(SQLExpression, String)] = [
    (name.collating(.nocase) == "arthur", #""name" = 'arthur' COLLATE NOCASE"#),
    (name.collating(.nocase) != "arthur", #""name" <> 'arthur' COLLATE NOCASE"#),
    (name.collating(.nocase) < email, #""name" < "email" COLLATE NOCASE"#),
    (["a"].contains(name.collating(.nocase)), #"("name" COLLATE NOCASE) IN ('a')"#),
    (["a"].contains(name).collating(.nocase), #"("name" COLLATE NOCASE) IN ('a')"#),
    ((!["a"].contains(name)).collating(.nocase), #"("name" COLLATE NOCASE) NOT IN ('a')"#),
    (
      ("a"..."b").contains(name).collating(.nocase),
      #"("name" COLLATE NOCASE) BETWEEN 'a' AND 'b'"#
    ),
    ((!(name < "a")).collating(.nocase), #"NOT ("name" < 'a' COLLATE NOCASE)"#),
    (
      (name == "a" || email == "b").collating(.nocase),
      #"("name" = 'a' COLLATE NOCASE) OR ("email" = 'b' COLLATE NOCASE)"#
    ),
    (
      TableAlias(name: "player")[name == "a"].collating(.nocase),
      #""player"."name" = 'a' COLLATE NOCASE"#
    ),
    ((name + email).collating(.rtrim), #"("name" + "email") COLLATE RTRIM"#),
  ]

  @Test(arguments: comparisons)
  func `EXP-43: a comparison is written with its collation`(
    _ expression: SQLExpression,
    _ sql: String
  ) throws {
    try expectSQL(expression, sql)
  }

  @Test func `a collation decides which strings are equal`() throws {
    try withLeague { db in
      try db.execute(sql: "INSERT INTO player (name) VALUES ('ARTHUR'), ('Zoe')")
      for condition in [
        name.collating(.nocase) == "arthur",
        ["arthur", "x"].contains(name.collating(.nocase)),
        ("a"..."b").contains(name.collating(.nocase)),
        ["arthur", "x"].contains(name).collating(.nocase),
        ("a"..."b").contains(name).collating(.nocase),
        (name == "arthur" || name == "x").collating(.nocase),
        (!(name != "arthur" && name != "x")).collating(.nocase),
      ] {
        let found = try Int.fetchAll(
          db.makeStatement(literal: "SELECT id FROM player WHERE \(condition)")
        )
        #expect(found == [1])
      }
    }
  }
}
