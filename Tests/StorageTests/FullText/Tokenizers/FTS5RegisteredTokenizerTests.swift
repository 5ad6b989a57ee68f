import Storage
import Testing

@testable import StorageTestSupport

@Suite struct FTS5RegisteredTokenizerTests {
  private struct Refusal: Error {}

  @Test func `A-110: the tokenizers of FTS5 return the tokens of a text`() throws {
    try withDatabase { db throws in
      let tokenizer = try db.makeTokenizer(.porter())
      #expect(try tokenizer.tokenize(document: "Databases é").map(\.token) == ["databas", "e"])
      #expect(try tokenizer.tokenize(query: "").isEmpty)
      let ascii = try db.makeTokenizer(.ascii(tokenCharacters: ["-"]))
      #expect(try ascii.tokenize(query: "A-b c").map(\.token) == ["a-b", "c"])
      expectDatabaseError(.SQLITE_ERROR, "no such tokenizer: nothing") {
        _ = try db.makeTokenizer(FTS5TokenizerDescriptor(components: ["nothing"]))
      }
      expectDatabaseError(
        .SQLITE_ERROR,
        #"the tokenizer unicode61 does not accept the arguments ["oops", "1"]"#
      ) {
        _ = try db.makeTokenizer(
          FTS5TokenizerDescriptor(components: ["unicode61", "oops", "1"])
        )
      }
    }
  }

  @Test func `an error of the closure ends the tokenization`() throws {
    try withDatabase { db throws in
      let tokenizer = try db.makeTokenizer(.unicode61())
      var words: [String] = []
      #expect(throws: Refusal.self) {
        try tokenizer.tokenize("one two three", for: .query) { token in
          words.append(token.text)
          if words.count == 2 { throw Refusal() }
        }
      }
      #expect(words == ["one", "two"])
    }
  }
}
