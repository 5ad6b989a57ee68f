import Testing

@testable import Recording
@testable import Storage

@Suite struct SQLKeywordTests {
  @Test(arguments: [
    ("VACUUM", "vacuum"), (" \t\nVacuum INTO 'x'", "vacuum"),
    ("-- c\n/* d * / */ rollback;", "rollback"),
    ("/**/--\r\n--x\nSELECT", "select"), ("", ""), ("-- only", ""), ("/* open", ""), ("/*", ""),
    ("\"a\"", ""), ("ROLLBACK/**/TO x", "rollback"),
  ])
  func `the first word is found behind comments and spaces`(sql: String, word: String) {
    #expect(SQLKeyword.first(in: sql) == word)
  }
}
