import Testing
import TestSupport

@testable import Storage
@testable import StorageTestSupport

@Suite struct FullTextTokensTests {
  @Test(arguments: [
    ("SQLite's  Databases", ["sqlite", "s", "databases"]),
    ("one One ONE two", ["one", "two"]),
    ("a NOT b", ["a", "not", "b"]),
    ("Été 漢", ["Été", "漢"]),
    ("- \u{301} \u{FEFF} …", []),
    ("", []),
  ])
  func `words are runs of letters and digits, with ASCII letters in lowercase`(
    _ text: String,
    _ words: [String]
  ) {
    #expect(fullTextTokens(in: text) == words)
  }

  @Test func `words in different Unicode forms are different words`() {
    #expect(fullTextTokens(in: "\u{E9} e\u{301} \u{E9}").count == 2)
  }

  @Test func `a phrase keeps repeated words`() {
    #expect(fullTextTokens(in: "one two one", keepsRepetitions: true) == ["one", "two", "one"])
    #expect(fullTextPhrase(in: "one two one") == #""one two one""#)
    #expect(fullTextPhrase(in: "?") == nil)
  }

  @Test func `a pattern has at most 2048 terms`() {
    let terms = (0..<2048).map(String.init)
    #expect(fullTextPattern(of: terms, separator: " ") != nil)
    #expect(fullTextPattern(of: terms + ["x"], separator: " ") == nil)
    #expect(fullTextPattern(of: [], separator: " ") == nil)
  }

  // MARK: Any text

  /// Parts of patterns, and text that could be mistaken for syntax.
  private static let pieces = [
    "a", "Z", "9", "é", "🦉", "漢", " ", "  ", "\n", "\t", "\0", "\"", "'", "*", "^", "-", "+", "(",
    ")",
    "{", "}", ":", ",", ".", "/", "\\", "_", "AND", "OR", "NOT", "NEAR", "NEAR/3", "NEAR(", "and",
    "title", "title:", "- title:", "\u{301}", "\u{1A}", "\u{FEFF}", "\u{202E}", "%", ";", "--",
    "rowid",
    "rank", "$", "@", "=", "<", ">", "[", "]", "|", "&", "!", "~", "`", "?", "\u{0}\u{0}",
  ]

  private static func texts(_ count: Int, seed: UInt64) -> [String] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        if Int.random(in: 0..<8, using: &generator) == 0 {
          let scalar = Unicode.Scalar(UInt32.random(in: 1...0x10FFFF, using: &generator))
          return String(scalar ?? " ")
        }
        return pieces.randomElement(using: &generator)!
      }.joined()
    }
  }

  private static let tables: [(name: String, module: String)] = [
    ("simple", "fts3(title, body)"),
    ("english", "fts4(title, body, tokenize=porter)"),
    ("unicode", "fts4(title, body, tokenize=unicode61)"),
    ("five", "fts5(title, body)"),
    ("ascii", "fts5(title, body, tokenize='ascii')"),
    ("stems", "fts5(title, body, tokenize='porter unicode61 remove_diacritics 2')"),
    ("trigrams", "fts5(title, body, tokenize='trigram')"),
    ("small", "fts5(title, body, detail='none', columnsize=0)"),
  ]

  /// Runs every pattern of every text against tables with all tokenizers.
  private func check(texts: [String]) throws {
    try withDatabase { db throws in
      for (name, module) in Self.tables {
        try db.create(virtualTable: name, using: module)
        try db.execute(sql: "INSERT INTO \(name) VALUES ('a title', 'a body é 漢')")
      }
      let statements = try Self.tables.map { name, _ in
        try db.makeStatement(sql: "SELECT count(*) FROM \(name) WHERE \(name) MATCH ?")
      }
      for text in texts {
        let fts3Patterns = [
          FTS3Pattern(matchingAnyTokenIn: text), FTS3Pattern(matchingAllTokensIn: text),
          FTS3Pattern(matchingAllPrefixesIn: text), FTS3Pattern(matchingPhrase: text),
        ].compactMap(\.self)
        let fts5Patterns = [
          FTS5Pattern(matchingAnyTokenIn: text), FTS5Pattern(matchingAllTokensIn: text),
          FTS5Pattern(matchingAllPrefixesIn: text),
        ].compactMap(\.self)
        let phrases = [
          FTS5Pattern(matchingPhrase: text), FTS5Pattern(matchingPrefixPhrase: text),
        ].compactMap(\.self)
        do {
          for (table, statement) in zip(Self.tables, statements) {
            if table.module.hasPrefix("fts5") {
              // A table without positions supports no phrases, and no words that its tokenizer
              // splits.
              let isSmall = table.name == "small"
              if isSmall, text.utf8.contains(where: { $0 >= 0x80 }) { continue }
              for pattern in isSmall ? fts5Patterns : fts5Patterns + phrases {
                _ = try Int.fetchOne(statement, arguments: [pattern])
              }
            } else {
              for pattern in fts3Patterns { _ = try Int.fetchOne(statement, arguments: [pattern]) }
            }
          }
        } catch {
          Issue.record("\(text.debugDescription): \(error)")
        }
      }
    }
  }

  @Test func `soak: any text yields a valid pattern or none`() throws {
    for seed in 1...UInt64(Soak.size(100, inSuite: 1)) {
      try check(texts: Self.texts(1000, seed: seed))
    }
  }

  @Test func `a text of very many words yields a valid pattern or none`() throws {
    for count in [100, 2048, 2049, 5000] {
      try check(texts: [(0..<count).map { "word\($0)" }.joined(separator: " ")])
    }
  }
}
