/// An item in the `FROM` of a `SELECT`, as it is written: a table, or a subquery.
struct SelectSource {
  /// The indexes of the tokens of `JOIN`, for example; nothing for the first item.
  let operation: Range<Int>
  /// The indexes of the tokens of the table or the subquery, with its alias.
  let body: Range<Int>
  /// The indexes of the tokens of its `ON` or `USING`.
  let constraint: Range<Int>?
  /// Whether it is joined by the columns of a `USING`.
  let hasCommonColumns: Bool
  /// Whether it is the right side of a `LEFT JOIN`.
  let isOptional: Bool
  /// Whether it is joined by the columns that have the same names.
  let isNatural: Bool
  /// The index of the name of the table; `nil` for a subquery.
  let table: Int?
  /// The index of the alias; `nil` without one.
  let alias: Int?
  /// The indexes of the tokens of the subquery, without the parentheses.
  let subquery: Range<Int>?

  /// The index of the name that qualifies its columns; `nil` for a subquery without an alias.
  var qualifier: Int? { alias ?? table }
}

extension SelectSource {
  /// Reads `source [[CROSS | INNER | LEFT] JOIN source [ON … | USING …]]…`.
  ///
  /// - Parameters:
  ///   - content: The statement.
  ///   - range: The indexes of the tokens of the `FROM`.
  /// - Returns: The items, in the order of the text.
  /// - Throws: ``PatchObstacle`` for other sources.
  static func sources(
    in content: NumberedText,
    _ range: Range<Int>
  ) throws(PatchObstacle) -> [SelectSource] {
    let tokens = content.tokens
    var sources: [SelectSource] = []
    var start = range.lowerBound
    while start < range.upperBound {
      let join = try join(at: start, isFirst: sources.isEmpty, tokens, range.upperBound)
      let end = tokens[join.end..<range.upperBound].firstIndex(where: isJoin) ?? range.upperBound
      let constraint = tokens[join.end..<end].firstIndex {
        $0.depth == 0 && ($0.keyword == "ON" || $0.keyword == "USING")
      }
      let body = join.end..<(constraint ?? end)
      let names = try names(in: body, content)
      sources.append(
        SelectSource(
          operation: start..<join.end,
          body: body,
          constraint: constraint.map { $0 + 1..<end },
          hasCommonColumns: constraint.map { tokens[$0].keyword == "USING" } ?? false,
          isOptional: join.isOptional,
          isNatural: join.isNatural,
          table: names.table,
          alias: names.alias,
          subquery: names.subquery
        )
      )
      start = end
    }
    return sources
  }

  /// Whether a token begins the join of a further table.
  private static func isJoin(_ token: SQLToken) -> Bool {
    token.depth == 0 && (token.isSymbol(",") || joinWords.contains(token.keyword))
  }

  private static let joinWords: Set<String> = [
    "CROSS", "FULL", "INNER", "JOIN", "LEFT", "NATURAL", "OUTER", "RIGHT",
  ]

  /// Reads the operator before a table.
  ///
  /// - Returns: The index of the token after it.
  private static func join(
    at start: Int,
    isFirst: Bool,
    _ tokens: [SQLToken],
    _ end: Int
  ) throws(PatchObstacle) -> (end: Int, isOptional: Bool, isNatural: Bool) {
    if isFirst { return (start, false, false) }
    if tokens[start].isSymbol(",") { return (start + 1, false, false) }
    var words: [String] = []
    var index = start
    while index < end, isJoin(tokens[index]), words.last != "JOIN" {
      words.append(tokens[index].keyword)
      index += 1
    }
    guard words.last == "JOIN", !words.contains("RIGHT"), !words.contains("FULL") else {
      throw .readsOtherSource
    }
    return (index, words.contains("LEFT"), words.contains("NATURAL"))
  }

  /// Finds the names in `[schema.]table [[AS] alias] [NOT INDEXED]` and in
  /// `(SELECT …) [[AS] alias]`.
  private static func names(
    in range: Range<Int>,
    _ content: NumberedText
  ) throws(PatchObstacle) -> (table: Int?, alias: Int?, subquery: Range<Int>?) {
    var rest = content.tokens[range]
    var table: Int?
    var subquery: Range<Int>?
    if rest.first?.isSymbol("(") == true {
      guard let end = rest.firstIndex(where: { $0.isSymbol(")") && $0.depth == 0 }) else {
        throw .readsOtherSource
      }
      subquery = range.lowerBound + 1..<end
      rest = rest[(end + 1)...]
    } else {
      guard rest.popFirst()?.isName == true else { throw .readsOtherSource }
      table = rest.startIndex - 1
      if rest.first?.isSymbol(".") == true {
        rest.removeFirst()
        guard rest.popFirst()?.isName == true else { throw .readsOtherSource }
        table = rest.startIndex - 1
      }
      if rest.count >= 2, rest.suffix(2).map(\.keyword) == ["NOT", "INDEXED"] {
        rest.removeLast(2)
      }
    }
    if rest.first?.keyword == "AS" { rest.removeFirst() }
    let alias = rest.first.map { _ in rest.startIndex }
    guard rest.count <= 1, rest.allSatisfy(\.isName) else { throw .readsOtherSource }
    return (table, alias, subquery)
  }
}

/// A table in the `FROM` of a `SELECT`, as it is written.
struct SelectedTable {
  /// The name of the table, without quotes.
  let name: String
  /// How columns of the table are qualified: its alias or its name, as it is written.
  let qualifier: String
  /// Whether it is the right table of a `LEFT JOIN`.
  let isOptional: Bool
  /// Whether it is joined by the columns that have the same names.
  let isNatural: Bool
  /// The table with its alias, and how it is joined with the ones before it.
  let text: String
  /// The indexes of the tokens of its `ON` or `USING`.
  let constraint: Range<Int>?

  /// The qualifier, in the form for comparisons.
  var comparedQualifier: String { qualifier.withoutQuotes.asciiLowercased }
}

extension SelectedTable {
  /// Reads `table [[CROSS | INNER | LEFT] JOIN table [ON … | USING …]]…`.
  ///
  /// - Parameters:
  ///   - content: The statement.
  ///   - range: The indexes of the tokens of the `FROM`.
  /// - Returns: The tables, in the order of the text.
  /// - Throws: ``PatchObstacle`` for other sources.
  static func tables(
    in content: NumberedText,
    _ range: Range<Int>
  ) throws(PatchObstacle) -> [SelectedTable] {
    let words = content.tokens[range].map(\.keyword)
    guard !words.contains("SELECT"), !words.contains("VALUES") else { throw .hasSubquery }
    var tables: [SelectedTable] = []
    for source in try SelectSource.sources(in: content, range) {
      guard let table = source.table else { throw .readsOtherSource }
      let end = source.constraint?.upperBound ?? source.body.upperBound
      tables.append(
        SelectedTable(
          name: content.written(table).withoutQuotes,
          qualifier: content.written(source.alias ?? table),
          isOptional: source.isOptional,
          isNatural: source.isNatural,
          text: content.text(source.operation.lowerBound..<end),
          constraint: source.constraint
        )
      )
    }
    guard Set(tables.map(\.comparedQualifier)).count == tables.count else {
      throw .readsOtherSource
    }
    return tables
  }
}

extension SQLToken {
  /// Whether the token may be a name.
  var isName: Bool { kind == .word || kind == .quotedName }
}

extension String {
  /// The name that SQL text denotes.
  var withoutQuotes: String {
    guard let quote = first, "\"`[".contains(quote) else { return self }
    let inner = utf8.dropFirst().dropLast()
    if quote == "[" { return String(decoding: inner, as: UTF8.self) }
    var result: [UInt8] = []
    var isDoubled = false
    for byte in inner {
      if byte == utf8.first, !isDoubled {
        isDoubled = true
      } else {
        isDoubled = false
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
