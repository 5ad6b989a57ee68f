extension FTS4 {
  /// Returns a fragment of a text around the matches.
  ///
  ///     Document.matching(pattern).select(FTS4.snippet(before: "<b>", after: "</b>"))
  ///     // SELECT SNIPPET("document", '<b>', '</b>', '…', -1, 16) FROM "document" WHERE …
  ///
  /// - Parameters:
  ///   - column: The number of the column, from 0; -1 for any column.
  ///   - before: The text before each matching word.
  ///   - after: The text after each matching word.
  ///   - ellipsis: The text that replaces omitted text.
  ///   - tokenCount: The approximate number of words in the fragment.
  /// - Returns: The fragment.
  public static func snippet(
    column: Int = -1,
    before: String,
    after: String,
    ellipsis: String = "…",
    tokenCount: Int = 16
  ) -> SQLExpression {
    .fullText("SNIPPET", [before, after, ellipsis, column, tokenCount])
  }

  /// Returns the positions of the matches in the row: four numbers for each match, as text.
  ///
  ///     Document.matching(pattern).select(FTS4.offsets())
  ///     // SELECT OFFSETS("document") FROM "document" WHERE …
  public static func offsets() -> SQLExpression { .fullText("OFFSETS") }

  /// Returns information about the matches: 32-bit numbers in a BLOB.
  /// https://www.sqlite.org/fts3.html#matchinfo
  ///
  ///     Document.matching(pattern).select(FTS4.matchInfo("pcx"))
  ///     // SELECT MATCHINFO("document", 'pcx') FROM "document" WHERE …
  ///
  /// - Parameter format: The requested information, with a letter for each kind.
  /// - Returns: A BLOB.
  public static func matchInfo(_ format: String = "pcx") -> SQLExpression {
    .fullText("MATCHINFO", [format])
  }
}
