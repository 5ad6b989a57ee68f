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
