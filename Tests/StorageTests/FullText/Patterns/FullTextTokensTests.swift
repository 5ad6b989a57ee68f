import Storage
import Testing

@Suite struct FullTextPatternTests {
  private static let fts3: [(FTS3Pattern?, String?)] = [
    (FTS3Pattern(matchingAnyTokenIn: "SQLite  database"), "sqlite OR database"),
    (FTS3Pattern(matchingAllTokensIn: "SQLite database"), "sqlite database"),
    (FTS3Pattern(matchingAllPrefixesIn: "SQLite data"), "sqlite* data*"),
    (FTS3Pattern(matchingPhrase: "SQLite, the SQLite"), #""sqlite the sqlite""#),
    (
      FTS3Pattern(matchingAllTokensIn: "a NOT b AND (c* \"d) NEAR/2 é-é a"),
      #"a not b and c d near 2 "é""#
    ),
    (FTS3Pattern(matchingAllPrefixesIn: "Été — \u{301} x"), #""Été*" x*"#),
    (FTS3Pattern(matchingAnyTokenIn: ""), nil),
    (FTS3Pattern(matchingAllTokensIn: " \n-*\"'():^\0"), nil),
    (FTS3Pattern(matchingAllPrefixesIn: "?"), nil),
    (FTS3Pattern(matchingPhrase: "..."), nil),
  ]

  @Test("FTS-10, A-107: patterns of FTS3 and FTS4 are made of the words of a text")
  func fts3Patterns() throws {
    for (pattern, raw) in Self.fts3 { #expect(pattern?.rawPattern == raw) }
  }

  private static let fts5: [(FTS5Pattern?, String?)] = [
    (FTS5Pattern(matchingAnyTokenIn: "SQLite  database"), "sqlite OR database"),
    (FTS5Pattern(matchingAllTokensIn: "SQLite database"), "sqlite database"),
    (FTS5Pattern(matchingAllPrefixesIn: "SQLite data"), "sqlite* data*"),
    (FTS5Pattern(matchingPhrase: "SQLite database"), #""sqlite database""#),
    (FTS5Pattern(matchingPrefixPhrase: "SQLite database"), #"^"sqlite database""#),
    (FTS5Pattern(matchingAllTokensIn: "a NOT b: {c} + ^d_e"), "a not b c d e"),
    (FTS5Pattern(matchingAnyTokenIn: ""), nil),
    (FTS5Pattern(matchingPrefixPhrase: "^"), nil),
  ]

  @Test("FTS-15, A-107: patterns of FTS5 are made of the words of a text")
  func fts5Patterns() throws {
    for (pattern, raw) in Self.fts5 { #expect(pattern?.rawPattern == raw) }
  }

  @Test func `a raw pattern that is malformed is an error`() throws {
    #expect(try FTS3Pattern(rawPattern: "wonder* NOT lamp").rawPattern == "wonder* NOT lamp")
    expectDatabaseError(.SQLITE_ERROR, #"malformed MATCH expression: ["lamp]"#) {
      _ = try FTS3Pattern(rawPattern: "\"lamp")
    }
    try withDatabase { db throws in
      try db.create(virtualTable: "mail", using: FTS5()) { $0.column("subject") }
      let pattern = try db.makeFTS5Pattern(rawPattern: "subject:\"Re:\"*", forTable: "mail")
      #expect(pattern.rawPattern == "subject:\"Re:\"*")
      expectDatabaseError(.SQLITE_ERROR, "no such column: body") {
        _ = try db.makeFTS5Pattern(rawPattern: "body: x", forTable: "mail")
      }
      expectDatabaseError(.SQLITE_ERROR, #"fts5: syntax error near """#) {
        _ = try db.makeFTS5Pattern(rawPattern: "a AND", forTable: "mail")
      }
    }
  }

  @Test func `patterns can be bound and read`() throws {
    try withDatabase { db throws in
      let pattern = try #require(FTS3Pattern(matchingAllTokensIn: "one two"))
      #expect(try FTS3Pattern.fetchOne(db, sql: "SELECT ?", arguments: [pattern]) == pattern)
      #expect(FTS3Pattern.fromDatabaseValue("\"".databaseValue) == nil)
      let five = try #require(FTS5Pattern(matchingAllTokensIn: "one two"))
      #expect(try String.fetchOne(db, sql: "SELECT ?", arguments: [five]) == "one two")
    }
  }

  // MARK: Any text

  /// Pieces that patterns are made of, and what may confuse them.
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

  /// Runs every pattern that can be made of a text against tables with all tokenizers.
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
        let three = [
          FTS3Pattern(matchingAnyTokenIn: text), FTS3Pattern(matchingAllTokensIn: text),
          FTS3Pattern(matchingAllPrefixesIn: text), FTS3Pattern(matchingPhrase: text),
        ].compactMap(\.self)
        let five = [
          FTS5Pattern(matchingAnyTokenIn: text), FTS5Pattern(matchingAllTokensIn: text),
          FTS5Pattern(matchingAllPrefixesIn: text),
        ].compactMap(\.self)
        let phrases = [
          FTS5Pattern(matchingPhrase: text), FTS5Pattern(matchingPrefixPhrase: text),
        ].compactMap(\.self)
        do {
          for (table, statement) in zip(Self.tables, statements) {
            if table.module.hasPrefix("fts5") {
              // A table that does not know where words are has no phrases, and no words that its
              // tokenizer splits.
              let isSmall = table.name == "small"
              if isSmall, text.utf8.contains(where: { $0 >= 0x80 }) { continue }
              for pattern in isSmall ? five : five + phrases {
                _ = try Int.fetchOne(statement, arguments: [pattern])
              }
            } else {
              for pattern in three { _ = try Int.fetchOne(statement, arguments: [pattern]) }
            }
          }
        } catch {
          Issue.record("\(text.debugDescription): \(error)")
        }
      }
    }
  }

  @Test func `soak: any text makes a pattern that SQLite takes, or none`() throws {
    for seed in 1...UInt64(Soak.size(100, inSuite: 1)) {
      try check(texts: Self.texts(1000, seed: seed))
    }
  }

  @Test func `a text of very many words makes a pattern that SQLite takes, or none`() throws {
    for count in [100, 2048, 2049, 5000] {
      try check(texts: [(0..<count).map { "word\($0)" }.joined(separator: " ")])
    }
  }
}
