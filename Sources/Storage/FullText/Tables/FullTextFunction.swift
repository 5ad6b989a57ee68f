/// The call of a function of a full-text table: `SNIPPET("document", -1, '<b>', '</b>', '…', 10)`.
struct FullTextFunction: ExpressionPart {
  let name: String
  let arguments: [ExpressionNode]

  var isOperand: Bool { true }
  var operands: [ExpressionNode] { arguments }

  func write(to context: inout SQLContext) throws {
    guard let table = context.mainTable else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "\(name) belongs to no table")
    }
    context.append("\(name)(")
    // The table has a hidden column of its own name, whatever an alias calls the table.
    if context.tables.count > 1 || table.alias != nil { context.append(table.qualifier) }
    context.append(identifier: table.tableName)
    for argument in arguments {
      context.append(", ")
      try argument.write(to: &context)
    }
    context.append(")")
  }
}

extension SQLExpression {
  fileprivate static func fullText(
    _ name: String,
    _ arguments: [any SQLExpressible] = []
  ) -> SQLExpression {
    SQLExpression(FullTextFunction(name: name, arguments: arguments.map(\.node)))
  }
}

extension FTS5 {
  /// A part of a text around what was found.
  ///
  ///     Document.matching(pattern).select(FTS5.snippet(before: "<b>", after: "</b>"))
  ///     // SELECT SNIPPET("document", -1, '<b>', '</b>', '…', 16) FROM "document" WHERE …
  ///
  /// - Parameters:
  ///   - column: The number of the column, from 0; -1 for the one that fits best.
  ///   - before: What stands before each word that was found.
  ///   - after: What stands after each word that was found.
  ///   - ellipsis: What stands where text was left out.
  ///   - tokenCount: How many words the part has at most: 1 to 64.
  /// - Returns: The part of the text.
  public static func snippet(
    column: Int = -1,
    before: String,
    after: String,
    ellipsis: String = "…",
    tokenCount: Int = 16
  ) -> SQLExpression {
    .fullText("SNIPPET", [column, before, after, ellipsis, tokenCount])
  }

  /// A text with marks around what was found.
  ///
  ///     Document.matching(pattern).select(FTS5.highlight(column: 0, before: "<b>", after: "</b>"))
  ///     // SELECT HIGHLIGHT("document", 0, '<b>', '</b>') FROM "document" WHERE …
  ///
  /// - Parameters:
  ///   - column: The number of the column, from 0.
  ///   - before: What stands before each word that was found.
  ///   - after: What stands after each word that was found.
  /// - Returns: The text with marks.
  public static func highlight(column: Int, before: String, after: String) -> SQLExpression {
    .fullText("HIGHLIGHT", [column, before, after])
  }

  /// How well a row matches: the best rows have the lowest numbers.
  ///
  ///     Document.matching(pattern).order(FTS5.bm25(weights: [10, 1]))
  ///     // SELECT * FROM "document" WHERE … ORDER BY BM25("document", 10.0, 1.0)
  ///
  /// `Column.rank` is the same with equal weights, and faster.
  ///
  /// - Parameter weights: How much each column counts; 1 unless given.
  /// - Returns: A number.
  public static func bm25(weights: [Double] = []) -> SQLExpression { .fullText("BM25", weights) }
}

extension FTS4 {
  /// A part of a text around what was found.
  ///
  ///     Document.matching(pattern).select(FTS4.snippet(before: "<b>", after: "</b>"))
  ///     // SELECT SNIPPET("document", '<b>', '</b>', '…', -1, 16) FROM "document" WHERE …
  ///
  /// - Parameters:
  ///   - column: The number of the column, from 0; -1 for any of them.
  ///   - before: What stands before each word that was found.
  ///   - after: What stands after each word that was found.
  ///   - ellipsis: What stands where text was left out.
  ///   - tokenCount: How many words the part has, about.
  /// - Returns: The part of the text.
  public static func snippet(
    column: Int = -1,
    before: String,
    after: String,
    ellipsis: String = "…",
    tokenCount: Int = 16
  ) -> SQLExpression {
    .fullText("SNIPPET", [before, after, ellipsis, column, tokenCount])
  }

  /// Where in the row the words were found: four numbers for each, as text.
  ///
  ///     Document.matching(pattern).select(FTS4.offsets())
  ///     // SELECT OFFSETS("document") FROM "document" WHERE …
  public static func offsets() -> SQLExpression { .fullText("OFFSETS") }

  /// What is known of the matches: numbers of 32 bits, as a BLOB.
  /// https://www.sqlite.org/fts3.html#matchinfo
  ///
  ///     Document.matching(pattern).select(FTS4.matchInfo("pcx"))
  ///     // SELECT MATCHINFO("document", 'pcx') FROM "document" WHERE …
  ///
  /// - Parameter format: What is asked for.
  /// - Returns: A BLOB.
  public static func matchInfo(_ format: String = "pcx") -> SQLExpression {
    .fullText("MATCHINFO", [format])
  }
}
