internal import WellspringSystem

/// Reads the terms of a statement.
struct AggregateReader {
  let content: NumberedText
  /// The terms of the `GROUP BY`.
  var keys: [Range<Int>] = []
  /// The arguments of functions, each once.
  private(set) var arguments: [Range<Int>] = []
  /// The meaning of each column, and its alias.
  private var columns: [(meaning: AggregateQuery.Column, alias: String?)] = []

  init(content: NumberedText) {
    self.content = content
  }

  /// Reads a result column; `nil` if it is neither a key nor an aggregate.
  mutating func column(_ item: Range<Int>) -> AggregateQuery.Column? {
    for (expression, alias) in withoutAlias(item) {
      guard let column = meaning(of: expression) else { continue }
      columns.append((column, alias))
      return column
    }
    return nil
  }

  /// Reads a column of a query with distinct rows as a key; `nil` if it may have an alias that is
  /// not found.
  mutating func distinctColumn(_ item: Range<Int>) -> AggregateQuery.Column? {
    let (expression, alias) = withoutAlias(item).last ?? (item, nil)
    // Without `AS`, a name after several tokens may belong to the expression.
    let isAlias =
      alias != nil
      && (content.tokens[item.upperBound - 2].keyword == "AS" || expression.count == 1)
    let isQualified = item.count > 1 && content.tokens[item.upperBound - 2].isSymbol(".")
    guard isAlias || alias == nil || isQualified else { return nil }
    keys.append(isAlias ? expression : item)
    columns.append((.key(keys.count - 1), isAlias ? alias : nil))
    return .key(keys.count - 1)
  }

  /// Returns the possible splits of an item into an expression and an alias.
  private func withoutAlias(_ item: Range<Int>) -> [(Range<Int>, String?)] {
    var result: [(Range<Int>, String?)] = [(item, nil)]
    guard item.count > 1, let name = content.name(item.upperBound - 1) else { return result }
    let hasAS = content.tokens[item.upperBound - 2].keyword == "AS"
    result.append((item.dropLast(hasAS ? 2 : 1), name.asciiLowercased))
    return result
  }

  private mutating func meaning(of expression: Range<Int>) -> AggregateQuery.Column? {
    if let key = keys.firstIndex(where: { isSame($0, expression) }) { return .key(key) }
    guard expression.count > 3, content.tokens[expression.lowerBound].kind == .word,
      var function = AggregateQuery.Function(
        rawValue: content.tokens[expression.lowerBound].keyword
      ),
      content.isParenthesized(expression.dropFirst(1))
    else { return nil }
    var inner = expression.dropFirst(2).dropLast(1)
    if content.tokens[inner.lowerBound].keyword == "DISTINCT" {
      inner = inner.dropFirst(1)
      switch function {
      case .count: function = .distinctCount
      // Equal values do not change the extremes.
      case .minimum, .maximum: break
      default: return nil
      }
      guard !inner.isEmpty else { return nil }
    }
    if function == .count, inner.count == 1, content.tokens[inner.lowerBound].isSymbol("*") {
      return .aggregate(.count, argument: nil)
    }
    let isPlain = inner.allSatisfy { index in
      let token = content.tokens[index]
      return !["DISTINCT", "ORDER", "SELECT"].contains(token.keyword)
    }
    guard isPlain, content.terms(of: inner, separatedBy: { $0.isSymbol(",") }).count == 1 else {
      return nil
    }
    if let known = arguments.firstIndex(where: { isSame($0, inner) }) {
      return .aggregate(function, argument: known)
    }
    arguments.append(inner)
    return .aggregate(function, argument: arguments.count - 1)
  }

  /// Whether a term of the `GROUP BY` may be something else than an expression: a number is the
  /// number of a column.
  func isConstant(_ term: Range<Int>) -> Bool {
    term.isEmpty || !term.contains { content.tokens[$0].isName }
  }

  /// Whether a term means all columns.
  func isStar(_ term: Range<Int>) -> Bool {
    term.last.map { content.tokens[$0].isSymbol("*") } ?? false
  }

  /// Reads a term of the `ORDER BY`; `nil` unless it is a column of the result, a term of the
  /// `GROUP BY` or an aggregate.
  mutating func orderTerm(_ term: Range<Int>) -> AggregateQuery.Term? {
    var rest = term
    func last(_ offset: Int = 1) -> String {
      rest.count > offset ? content.tokens[rest.upperBound - offset].keyword : ""
    }
    var isNullFirst: Bool?
    if last(2) == "NULLS" {
      isNullFirst = last() == "FIRST"
      rest = rest.dropLast(2)
    }
    let isDescending = last() == "DESC"
    if isDescending || last() == "ASC" { rest = rest.dropLast(1) }
    guard let column = orderColumn(rest) else { return nil }
    return AggregateQuery.Term(
      column: column,
      isDescending: isDescending,
      isNullFirst: isNullFirst ?? !isDescending
    )
  }

  private mutating func orderColumn(_ expression: Range<Int>) -> AggregateQuery.Column? {
    guard let first = expression.first else { return nil }
    if expression.count == 1, content.tokens[first].kind == .number {
      return Int(content.written(first)).flatMap {
        columns.indices.contains($0 - 1) ? columns[$0 - 1].meaning : nil
      }
    }
    return named(expression) ?? meaning(of: expression)
  }

  /// Returns the column with an alias.
  private func named(_ expression: Range<Int>) -> AggregateQuery.Column? {
    guard expression.count == 1, let name = content.name(expression.lowerBound) else { return nil }
    return columns.first { $0.alias == name.asciiLowercased }?.meaning
  }

  /// Reads the `HAVING`: an expression of aggregates, which have neither an affinity nor a
  /// collation.
  ///
  /// - Parameters:
  ///   - clause: The clause.
  ///   - parameterCount: How many parameters the statement has.
  /// - Returns: The condition; `nil` if it names anything but aggregates, or has none.
  mutating func having(
    _ clause: Range<Int>,
    parameterCount: Int
  ) -> AggregateQuery.Having? {
    var having: [AggregateQuery.Column] = []
    var names: Set<String> = []
    var replacements: [NumberedText.Replacement] = []
    var index = clause.lowerBound
    while index < clause.upperBound {
      let start = index
      let token = content.tokens[start]
      index += 1
      guard token.isName, !Self.operators.contains(token.keyword) else { continue }
      let column: AggregateQuery.Column?
      if index < clause.upperBound, content.tokens[index].isSymbol("(") {
        guard
          let end = content.tokens[index..<clause.upperBound].firstIndex(where: {
            $0.isSymbol(")") && $0.depth == token.depth
          })
        else { return nil }
        index = end + 1
        column = meaning(of: start..<index)
      } else {
        column = named(start..<index)
        names.insert(content.name(start)?.asciiLowercased ?? "")
      }
      guard let column, !column.isKey else { return nil }
      having.append(column)
      replacements.append((start..<index, "?\(parameterCount + having.count)"))
    }
    guard !having.isEmpty else { return nil }
    let condition = content.text(clause, replacing: replacements)
    return AggregateQuery.Having(
      sql: "SELECT CASE WHEN (\(condition)) THEN 1 ELSE 0 END",
      columns: having,
      names: names
    )
  }

  /// Words that are operators in a condition.
  private static let operators: Set<String> = [
    "AND", "BETWEEN", "IN", "IS", "NOT", "NULL", "OR",
  ]

  /// Whether two terms have the same tokens.
  private func isSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    func token(_ index: Int) -> String {
      let token = content.tokens[index]
      // Each `?` is a parameter of its own.
      if token.kind == .parameter { return content.text(index..<index + 1) }
      return token.kind == .word ? token.keyword : content.written(index)
    }
    return left.count == right.count && zip(left, right).allSatisfy { token($0) == token($1) }
  }
}
