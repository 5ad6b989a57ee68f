extension FTS5 {
  /// Returns a fragment of a text around the matches.
  ///
  ///     Document.matching(pattern).select(FTS5.snippet(before: "<b>", after: "</b>"))
  ///     // SELECT SNIPPET("document", -1, '<b>', '</b>', '…', 16) FROM "document" WHERE …
  ///
  /// - Parameters:
  ///   - column: The number of the column, from 0; -1 for the column that matches best.
  ///   - before: The text before each matching word.
  ///   - after: The text after each matching word.
  ///   - ellipsis: The text that replaces omitted text.
  ///   - tokenCount: The maximum number of words in the fragment: 1 to 64.
  /// - Returns: The fragment.
  public static func snippet(
    column: Int = -1,
    before: String,
    after: String,
    ellipsis: String = "…",
    tokenCount: Int = 16
  ) -> SQLExpression {
    .fullText("SNIPPET", [column, before, after, ellipsis, tokenCount])
  }

  /// Returns a text with marks around the matches.
  ///
  ///     Document.matching(pattern).select(FTS5.highlight(column: 0, before: "<b>", after: "</b>"))
  ///     // SELECT HIGHLIGHT("document", 0, '<b>', '</b>') FROM "document" WHERE …
  ///
  /// - Parameters:
  ///   - column: The number of the column, from 0.
  ///   - before: The text before each matching word.
  ///   - after: The text after each matching word.
  /// - Returns: The text with marks.
  public static func highlight(column: Int, before: String, after: String) -> SQLExpression {
    .fullText("HIGHLIGHT", [column, before, after])
  }

  /// Returns how well a row matches: the best rows have the lowest numbers.
  ///
  ///     Document.matching(pattern).order(FTS5.bm25(weights: [10, 1]))
  ///     // SELECT * FROM "document" WHERE … ORDER BY BM25("document", 10.0, 1.0)
  ///
  /// `Column.rank` gives the same order with equal weights, and is faster.
  ///
  /// - Parameter weights: The weight of each column; 1 by default.
  /// - Returns: A number.
  public static func bm25(weights: [Double] = []) -> SQLExpression { .fullText("BM25", weights) }
}
