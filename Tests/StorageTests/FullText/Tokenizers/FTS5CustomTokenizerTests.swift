import Storage
import Testing

/// Splits at commas.
private final class CommaTokenizer: FTS5CustomTokenizer {
  static let name = "comma"
  private let isCaseSensitive: Bool

  init(db: Database, arguments: [String]) throws {
    guard arguments.isEmpty || arguments == ["case"] else { throw Refusal() }
    isCaseSensitive = arguments == ["case"]
  }

  func tokenize(
    _ text: String,
    for tokenization: FTS5Tokenization,
    found: (FTS5Token) throws -> Void
  ) throws {
    var start = 0
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      if word == "fail", tokenization == .document { throw Refusal() }
      let end = start + word.utf8.count
      try found(FTS5Token(isCaseSensitive ? String(word) : word.lowercased(), at: start..<end))
      start = end + 1
    }
  }
}

private struct Refusal: Error {}

/// Drops a word, and adds a synonym of another one where texts are indexed.
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

@Suite struct TokenizerTests {
  @Test("A-110: the words that the tokenizers of FTS3 find")
  func fts3() throws {
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

  @Test("A-110: the words that the tokenizers of FTS5 find")
  func fts5() throws {
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
        #"the tokenizer unicode61 does not take ["oops", "1"]"#
      ) {
        _ = try db.makeTokenizer(
          FTS5TokenizerDescriptor(components: ["unicode61", "oops", "1"])
        )
      }
    }
  }

  @Test func `what a closure throws ends the search for words`() throws {
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

  @Test("A-111: a tokenizer in Swift")
  func custom() throws {
    try withDatabase { db throws in
      try db.add(tokenizer: CommaTokenizer.self)
      try db.create(virtualTable: "tag", using: FTS5()) { t in
        t.tokenizer = CommaTokenizer.tokenizerDescriptor()
        t.column("names")
      }
      #expect(
        try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'tag'")
          == "CREATE VIRTUAL TABLE \"tag\" USING fts5(names, tokenize='comma')"
      )
      try db.execute(sql: "INSERT INTO tag VALUES ('San José,Été'), ('San'), ('')")
      let sql = "SELECT HIGHLIGHT(tag, 0, '<', '>') FROM tag WHERE tag MATCH ?"
      #expect(try String.fetchAll(db, sql: sql, arguments: [#""été""#]) == ["San José,<Été>"])
      #expect(try String.fetchAll(db, sql: sql, arguments: [#""san""#]) == ["<San>"])
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT INTO tag VALUES ('a,fail,b')")
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM tag") == 3)
      let tokenizer = try db.makeTokenizer(CommaTokenizer.tokenizerDescriptor(arguments: ["case"]))
      #expect(try tokenizer.tokenize(query: "A,b").map(\.token) == ["A", "b"])
      #expect(throws: DatabaseError.self) {
        try db.makeTokenizer(CommaTokenizer.tokenizerDescriptor(arguments: ["oops"]))
      }
    }
  }

  @Test func `places outside of the text do no harm`() throws {
    final class WildTokenizer: FTS5CustomTokenizer {
      static let name = "wild"
      init(db: Database, arguments: [String]) {}
      func tokenize(
        _ text: String,
        for tokenization: FTS5Tokenization,
        found: (FTS5Token) throws -> Void
      ) throws {
        try found(FTS5Token("word", at: -5..<5000))
      }
    }
    try withDatabase { db throws in
      try db.add(tokenizer: WildTokenizer.self)
      try db.create(virtualTable: "t", using: "fts5(a, tokenize='wild')")
      // No UTF-8, which is longer as a string.
      try db.execute(sql: "INSERT INTO t VALUES (CAST(x'ff41ff' AS TEXT))")
      let sql = "SELECT hex(highlight(t, 0, '<', '>')) FROM t WHERE t MATCH 'word'"
      #expect(try String.fetchOne(db, sql: sql) == "3CFF41FF3E")
    }
  }

  @Test("A-111: a tokenizer that wraps another one drops words and adds synonyms")
  func wrapper() throws {
    try withDatabase { db throws in
      try db.add(tokenizer: SynonymTokenizer.self)
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

  @Test func `tokenizers outlive statements, and go with the connection`() throws {
    for _ in 1...3 {
      let queue = try DatabaseQueue()
      try queue.write { db in
        try db.add(tokenizer: CommaTokenizer.self)
        try db.create(virtualTable: "tag", using: "fts5(names, tokenize='comma')")
        try db.execute(sql: "INSERT INTO tag VALUES ('a,b')")
      }
      try queue.close()
    }
  }
}
