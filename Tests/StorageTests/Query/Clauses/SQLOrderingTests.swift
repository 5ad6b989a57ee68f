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
}
