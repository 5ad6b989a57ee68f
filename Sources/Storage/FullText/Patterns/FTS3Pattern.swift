/// A search pattern for a table of ``FTS3`` or ``FTS4``.
///
///     let pattern = FTS3Pattern(matchingAllTokensIn: "SQLite database")
///     try Document.matching(pattern).fetchAll(db)
///     // SELECT * FROM "document" WHERE "document" MATCH 'sqlite database'
///
/// A pattern is never malformed. The initializers that take a text return `nil` when it contains no
/// words. https://www.sqlite.org/fts3.html#full_text_index_queries
public struct FTS3Pattern: Hashable, Sendable {
  /// The pattern in SQLite's syntax.
  public let rawPattern: String

  /// Creates a pattern from SQLite's syntax.
  ///
  ///     try FTS3Pattern(rawPattern: "wonder* AND NOT lamp")
  ///     // 'wonder* AND NOT lamp'
  ///
  /// - Throws: ``DatabaseError`` when it is malformed.
  public init(rawPattern: String) throws {
    // FTS3 and FTS4 have the same patterns.
    try DatabaseQueue().writeWithoutTransaction { db in
      try db.execute(sql: "CREATE VIRTUAL TABLE document USING fts4(content)")
      let sql = "SELECT 1 FROM document WHERE document MATCH ?"
      try db.makeStatement(sql: sql).execute(arguments: [rawPattern])
    }
    self.rawPattern = rawPattern
  }

  private init(_ rawPattern: String) {
    self.rawPattern = rawPattern
  }

  /// Matches rows that contain at least one word of a text.
  ///
  ///     FTS3Pattern(matchingAnyTokenIn: "SQLite database")
  ///     // 'sqlite OR database'
  public init?(matchingAnyTokenIn text: String) {
    self.init(Self.terms(of: text), separator: " OR ")
  }

  /// Matches rows that contain all words of a text.
  ///
  ///     FTS3Pattern(matchingAllTokensIn: "SQLite database")
  ///     // 'sqlite database'
  public init?(matchingAllTokensIn text: String) {
    self.init(Self.terms(of: text), separator: " ")
  }

  /// Matches rows that contain, for each word of a text, a word that begins with it.
  ///
  ///     FTS3Pattern(matchingAllPrefixesIn: "SQLite data")
  ///     // 'sqlite* data*'
  public init?(matchingAllPrefixesIn text: String) {
    self.init(Self.terms(of: text, suffix: "*"), separator: " ")
  }

  /// Matches rows that contain the words of a text as a phrase.
  ///
  ///     FTS3Pattern(matchingPhrase: "SQLite database")
  ///     // '"sqlite database"'
  public init?(matchingPhrase text: String) {
    guard let phrase = fullTextPhrase(in: text) else { return nil }
    self.init(phrase)
  }

  /// The words of a text. Words with characters outside ASCII are quoted: a tokenizer may find no
  /// token in such a word, and only a phrase may be empty.
  private static func terms(of text: String, suffix: String = "") -> [String] {
    fullTextTokens(in: text).map { token in
      token.utf8.allSatisfy { $0 < 0x80 } ? token + suffix : "\"\(token)\(suffix)\""
    }
  }

  private init?(_ terms: [String], separator: String) {
    guard let pattern = fullTextPattern(of: terms, separator: separator) else { return nil }
    self.init(pattern)
  }
}

extension FTS3Pattern: DatabaseValueConvertible {
  /// The pattern as TEXT.
  public var databaseValue: DatabaseValue { rawPattern.databaseValue }

  /// Reads a TEXT that is a valid pattern.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> FTS3Pattern? {
    String.fromDatabaseValue(value).flatMap { try? FTS3Pattern(rawPattern: $0) }
  }
}
