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

  /// The qualifier, to compare it with others.
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
    let tokens = content.tokens
    guard !tokens[range].contains(where: { $0.keyword == "SELECT" || $0.keyword == "VALUES" })
    else { throw .hasSubquery }
    var tables: [SelectedTable] = []
    var start = range.lowerBound
    while start < range.upperBound {
      let join = try join(at: start, isFirst: tables.isEmpty, tokens, range.upperBound)
      let end = tokens[join.end..<range.upperBound].firstIndex(where: isJoin) ?? range.upperBound
      let constraint = tokens[join.end..<end].firstIndex {
        $0.depth == 0 && ($0.keyword == "ON" || $0.keyword == "USING")
      }
      let names = try names(in: join.end..<(constraint ?? end), content)
      tables.append(
        SelectedTable(
          name: names.table,
          qualifier: names.qualifier,
          isOptional: join.isOptional,
          isNatural: join.isNatural,
          text: content.text(start..<end),
          constraint: constraint.map { $0 + 1..<end }
        )
      )
      start = end
    }
    guard Set(tables.map(\.comparedQualifier)).count == tables.count else {
      throw .readsOtherSource
    }
    return tables
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
    var place = start
    while place < end, isJoin(tokens[place]), words.last != "JOIN" {
      words.append(tokens[place].keyword)
      place += 1
    }
    guard words.last == "JOIN", !words.contains("RIGHT"), !words.contains("FULL") else {
      throw .readsOtherSource
    }
    return (place, words.contains("LEFT"), words.contains("NATURAL"))
  }

  /// Finds the names in `[schema.]table [[AS] alias] [NOT INDEXED]`.
  private static func names(
    in range: Range<Int>,
    _ content: NumberedText
  ) throws(PatchObstacle) -> (table: String, qualifier: String) {
    var rest = content.tokens[range]
    guard rest.popFirst()?.isName == true else { throw .readsOtherSource }
    var table = rest.startIndex - 1
    if rest.first?.isSymbol(".") == true {
      rest.removeFirst()
      guard rest.popFirst()?.isName == true else { throw .readsOtherSource }
      table = rest.startIndex - 1
    }
    if rest.count >= 2, rest.suffix(2).map(\.keyword) == ["NOT", "INDEXED"] { rest.removeLast(2) }
    if rest.first?.keyword == "AS" { rest.removeFirst() }
    let alias = rest.first.map { _ in rest.startIndex }
    guard rest.count <= 1, rest.allSatisfy(\.isName) else { throw .readsOtherSource }
    return (content.written(table).withoutQuotes, content.written(alias ?? table))
  }
}

extension SQLToken {
  /// Whether the token may be a name.
  var isName: Bool { kind == .word || kind == .quotedName }
}

extension String {
  /// The name that SQL text stands for.
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
