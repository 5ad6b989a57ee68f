import Storage
import Testing

@Suite struct FTS3TokenizeTests {
  @Test func `A-110: the tokenizers of FTS3 return the tokens of a text`() throws {
    let text = "SQLite's Databases, Café"
    #expect(try FTS3.tokenize(text) == ["sqlite", "s", "databases", "café"])
    #expect(try FTS3.tokenize(text, withTokenizer: .porter) == ["sqlite", "s", "databas", "café"])
    #expect(
      try FTS3.tokenize(text, withTokenizer: .unicode61(tokenCharacters: ["'"]))
        == ["sqlite's", "databases", "cafe"]
    )
    #expect(throws: DatabaseError.self) {
      try FTS3.tokenize(text, withTokenizer: FTS3TokenizerDescriptor("nothing"))
    }
  }
}
