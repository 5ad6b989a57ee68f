import Storage
import Testing

@testable import StorageTestSupport

/// Drops one word, and adds a synonym of another word when texts are indexed.
private final class SynonymTokenizer: FTS5WrapperTokenizer {
  static let name = "synonyms"
  let wrappedTokenizer: any FTS5Tokenizer

  init(db: Database, arguments: [String]) throws {
    wrappedTokenizer = try db.makeTokenizer(.unicode61())
  }

  func accept(
    _ token: FTS5Token,
    for tokenization: FTS5Tokenization,
    found: (FTS5Token) throws -> Void
  ) throws {
    if token.text == "the" { return }
    try found(token)
    if token.text == "first", !tokenization.contains(.query) {
      try found(FTS5Token("1st", at: token.range, flags: .colocated))
    }
  }
}

@Suite struct FTS5WrapperTokenizerTests {
  @Test func `A-111: a wrapper tokenizer drops words and adds synonyms`() throws {
    try withDatabase { db throws in
      db.add(tokenizer: SynonymTokenizer.self)
      try db.create(virtualTable: "page", using: FTS5()) { t in
        t.tokenizer = SynonymTokenizer.tokenizerDescriptor()
        t.column("text")
      }
      try db.execute(sql: "INSERT INTO page VALUES ('The first page'), ('the second')")
      func count(_ pattern: String) throws -> Int? {
        try Int.fetchOne(
          db,
          sql: "SELECT count(*) FROM page WHERE page MATCH ?",
          arguments: [pattern]
        )
      }
      #expect(try count("1st") == 1)
      #expect(try count("first") == 1)
      #expect(try count("\"1st page\"") == 1)
      #expect(try count("second") == 1)
      let tokenizer = try db.makeTokenizer(SynonymTokenizer.tokenizerDescriptor())
      let tokens = try tokenizer.tokenize(document: "The First")
      #expect(tokens.map(\.token) == ["first", "1st"])
      #expect(tokens.map(\.flags) == [[], .colocated])
      #expect(try tokenizer.tokenize(query: "The First").map(\.token) == ["first"])
    }
  }

  private final class EmptyTokenizer: FTS5WrapperTokenizer {
    static let name = "empty"
    let wrappedTokenizer: any FTS5Tokenizer

    init(db: Database, arguments: [String]) throws {
      wrappedTokenizer = try db.makeTokenizer(.unicode61())
    }
  }

  @Test func `a wrapper tokenizer that implements nothing throws`() throws {
    try withDatabase { db throws in
      let tokenizer = try EmptyTokenizer(db: db, arguments: [])
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        a wrapper tokenizer must implement accept(_:for:found:): EmptyTokenizer has no such method
        """
      ) { _ = try tokenizer.tokenize(document: "a") }
    }
  }
}
