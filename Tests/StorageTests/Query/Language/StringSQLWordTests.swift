import Testing

@testable import Storage

@Suite struct StringSQLWordTests {
  @Test(arguments: ["abs", "_a", "a1", "NOCASE"])
  func `a plain name needs no quotes`(_ name: String) {
    #expect(name.sqlWord == name)
  }

  @Test(arguments: ["", "1a", "a b", "a-b", "é", "select", "ORDER"])
  func `a keyword, or a name with other characters, is quoted`(_ name: String) {
    #expect(name.sqlWord == "\"\(name)\"")
  }
}
