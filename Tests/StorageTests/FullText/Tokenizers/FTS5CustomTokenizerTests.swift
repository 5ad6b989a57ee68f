import Storage
import Testing

@testable import StorageTestSupport

/// Splits texts at commas.
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

@Suite struct FTS5CustomTokenizerTests {
  @Test func `A-111: a table uses a tokenizer in Swift`() throws {
    try withDatabase { db throws in
      db.add(tokenizer: CommaTokenizer.self)
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

  @Test func `token positions outside the text are clamped`() throws {
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
      db.add(tokenizer: WildTokenizer.self)
      try db.create(virtualTable: "t", using: "fts5(a, tokenize='wild')")
      // Invalid UTF-8, which is longer as a String.
      try db.execute(sql: "INSERT INTO t VALUES (CAST(x'ff41ff' AS TEXT))")
      let sql = "SELECT hex(highlight(t, 0, '<', '>')) FROM t WHERE t MATCH 'word'"
      #expect(try String.fetchOne(db, sql: sql) == "3CFF41FF3E")
    }
  }

  @Test func `tokenizers outlive statements, and are released with the connection`() throws {
    for _ in 1...3 {
      let queue = try DatabaseQueue()
      try queue.write { db in
        db.add(tokenizer: CommaTokenizer.self)
        try db.create(virtualTable: "tag", using: "fts5(names, tokenize='comma')")
        try db.execute(sql: "INSERT INTO tag VALUES ('a,b')")
      }
      try queue.close()
    }
  }
}
