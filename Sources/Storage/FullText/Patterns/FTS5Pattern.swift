/// What to look for in a table of ``FTS5``.
///
///     let pattern = FTS5Pattern(matchingAllPrefixesIn: "SQLite data")
///     try Document.matching(pattern).order(.rank).fetchAll(db)
///     // SELECT * FROM "document" WHERE "document" MATCH 'sqlite* data*' ORDER BY "rank"
///
/// A pattern is never malformed: those that are made of the words of a text are `nil` when there are none. A table
/// whose ``FTS5TableDefinition/detail`` is not full takes no phrases, nor words that its tokenizer splits.
/// https://www.sqlite.org/fts5.html#full_text_query_syntax
public struct FTS5Pattern: Hashable, Sendable {
  /// The pattern as SQLite reads it.
  public let rawPattern: String

  fileprivate init(_ rawPattern: String) {
    self.rawPattern = rawPattern
  }

  /// Matches what holds at least one word of a text.
  ///
  ///     FTS5Pattern(matchingAnyTokenIn: "SQLite database")
  ///     // 'sqlite OR database'
  public init?(matchingAnyTokenIn text: String) {
    self.init(fullTextTokens(in: text), separator: " OR ")
  }

  /// Matches what holds all words of a text.
  ///
  ///     FTS5Pattern(matchingAllTokensIn: "SQLite database")
  ///     // 'sqlite database'
  public init?(matchingAllTokensIn text: String) {
    self.init(fullTextTokens(in: text), separator: " ")
  }

  /// Matches what holds, for each word of a text, a word that begins with it.
  ///
  ///     FTS5Pattern(matchingAllPrefixesIn: "SQLite data")
  ///     // 'sqlite* data*'
  public init?(matchingAllPrefixesIn text: String) {
    self.init(fullTextTokens(in: text).map { $0 + "*" }, separator: " ")
  }

  /// Matches what holds the words of a text one after the other.
  ///
  ///     FTS5Pattern(matchingPhrase: "SQLite database")
  ///     // '"sqlite database"'
  public init?(matchingPhrase text: String) {
    guard let phrase = fullTextPhrase(in: text) else { return nil }
    self.init(phrase)
  }

  /// Matches columns that begin with the words of a text.
  ///
  ///     FTS5Pattern(matchingPrefixPhrase: "SQLite database")
  ///     // '^"sqlite database"'
  public init?(matchingPrefixPhrase text: String) {
    guard let phrase = fullTextPhrase(in: text) else { return nil }
    self.init("^\(phrase)")
  }

  private init?(_ terms: [String], separator: String) {
    guard let pattern = fullTextPattern(of: terms, separator: separator) else { return nil }
    self.init(pattern)
  }
}

extension Database {
  /// Takes a pattern in SQLite's language, for a table whose columns it may name.
  ///
  ///     let pattern = try db.makeFTS5Pattern(rawPattern: "title: wonder*", forTable: "document")
  ///     // 'title: wonder*'
  ///
  /// - Throws: ``DatabaseError`` when it is malformed, or names a column that the table does not have.
  public func makeFTS5Pattern(
    rawPattern: String,
    forTable table: String
  ) throws -> FTS5Pattern {
    // What this reads is not what an observation reads.
    let recorder = regionRecorder
    regionRecorder = nil
    defer { regionRecorder = recorder }
    let name = table.quotedDatabaseIdentifier
    _ = try Int.fetchOne(
      self,
      sql: "SELECT 1 FROM \(name) WHERE \(name) MATCH ?",
      arguments: [rawPattern]
    )
    return FTS5Pattern(rawPattern)
  }
}

extension FTS5Pattern: DatabaseValueConvertible {
  /// The pattern as TEXT.
  public var databaseValue: DatabaseValue { rawPattern.databaseValue }

  /// Reads nothing: without a table, nobody can tell whether a TEXT is a pattern.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> FTS5Pattern? { nil }
}
