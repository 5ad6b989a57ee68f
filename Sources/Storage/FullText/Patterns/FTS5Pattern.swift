/// A search pattern for a table of ``FTS5``.
///
///     let pattern = FTS5Pattern(matchingAllPrefixesIn: "SQLite data")
///     try Document.matching(pattern).order(Column.rank).fetchAll(db)
///     // SELECT * FROM "document" WHERE "document" MATCH 'sqlite* data*' ORDER BY "rank"
///
/// A pattern is never malformed. The initializers that take a text return `nil` when it contains no
/// words. A table whose ``FTS5TableDefinition/detail`` is not full accepts no phrases, and no words
/// that its tokenizer splits. https://www.sqlite.org/fts5.html#full_text_query_syntax
public struct FTS5Pattern: Hashable, Sendable {
  /// The pattern in SQLite's syntax.
  public let rawPattern: String

  fileprivate init(_ rawPattern: String) {
    self.rawPattern = rawPattern
  }

  /// Creates a pattern from SQLite's syntax.
  ///
  ///     try FTS5Pattern(rawPattern: "title: wonder*", allowedColumns: ["title"])
  ///     // 'title: wonder*'
  ///
  /// See also ``Database/makeFTS5Pattern(rawPattern:forTable:)``, which knows the columns.
  ///
  /// - Parameters:
  ///   - rawPattern: The pattern.
  ///   - allowedColumns: The columns that the pattern may name.
  /// - Throws: ``DatabaseError`` when the pattern is malformed, or names another column.
  public init(rawPattern: String, allowedColumns: [String] = []) throws {
    // A column that no pattern can name.
    let columns = allowedColumns.isEmpty ? ["\u{1}"] : allowedColumns
    self = try DatabaseQueue().writeWithoutTransaction { db in
      try db.create(virtualTable: "document", using: FTS5()) { t in
        for column in columns { t.column(column) }
      }
      return try db.makeFTS5Pattern(rawPattern: rawPattern, forTable: "document")
    }
  }

  /// Matches rows that contain at least one word of a text.
  ///
  ///     FTS5Pattern(matchingAnyTokenIn: "SQLite database")
  ///     // 'sqlite OR database'
  public init?(matchingAnyTokenIn text: String) {
    self.init(fullTextTokens(in: text), separator: " OR ")
  }

  /// Matches rows that contain all words of a text.
  ///
  ///     FTS5Pattern(matchingAllTokensIn: "SQLite database")
  ///     // 'sqlite database'
  public init?(matchingAllTokensIn text: String) {
    self.init(fullTextTokens(in: text), separator: " ")
  }

  /// Matches rows that contain, for each word of a text, a word that begins with it.
  ///
  ///     FTS5Pattern(matchingAllPrefixesIn: "SQLite data")
  ///     // 'sqlite* data*'
  public init?(matchingAllPrefixesIn text: String) {
    self.init(fullTextTokens(in: text).map { $0 + "*" }, separator: " ")
  }

  /// Matches rows that contain the words of a text as a phrase.
  ///
  ///     FTS5Pattern(matchingPhrase: "SQLite database")
  ///     // '"sqlite database"'
  public init?(matchingPhrase text: String) {
    guard let phrase = fullTextPhrase(in: text) else { return nil }
    self.init(phrase)
  }

  /// Matches rows with a column that begins with the words of a text.
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
  /// Creates a pattern from SQLite's syntax, for a table whose columns it may name.
  ///
  ///     let pattern = try db.makeFTS5Pattern(rawPattern: "title: wonder*", forTable: "document")
  ///     // 'title: wonder*'
  ///
  /// - Throws: ``DatabaseError`` when the pattern is malformed, or names a column that the table
  ///   does not have.
  public func makeFTS5Pattern(
    rawPattern: String,
    forTable table: String
  ) throws -> FTS5Pattern {
    let name = table.quotedDatabaseIdentifier
    // The query only validates the pattern, so it is not part of an observed fetch.
    _ = try unrecorded {
      try Int.fetchOne(
        self,
        sql: "SELECT 1 FROM \(name) WHERE \(name) MATCH ?",
        arguments: [rawPattern]
      )
    }
    return FTS5Pattern(rawPattern)
  }
}

extension FTS5Pattern: DatabaseValueConvertible {
  /// The pattern as TEXT.
  public var databaseValue: DatabaseValue { rawPattern.databaseValue }

  /// Returns `nil`: whether a TEXT is a valid pattern depends on the table.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> FTS5Pattern? { nil }
}
