internal import WellspringPlatform

/// A query for groups of rows, or for one row about all rows: each of its columns is a term of the
/// `GROUP BY`, or an aggregate function.
///
/// ```sql
/// SELECT customerId, count(*), sum(amount) FROM sale WHERE amount > ? GROUP BY customerId
/// ```
///
/// The text says what each column is. Whether that is right is found out from values: see
/// ``AggregateResult``.
struct AggregateQuery: Hashable, Sendable {
  enum Function: String, Hashable, Sendable {
    case count = "COUNT"
    case sum = "SUM"
    case total = "TOTAL"
    case average = "AVG"
    case minimum = "MIN"
    case maximum = "MAX"

  }

  /// What a result column shows.
  enum Column: Hashable, Sendable {
    /// A term of the `GROUP BY`, by its index.
    case key(Int)
    /// A function of an argument, by its index; of rows without one.
    case aggregate(Function, argument: Int?)

    var isKey: Bool { if case .key = self { true } else { false } }
  }

  /// A term of the `ORDER BY`.
  struct Term: Hashable, Sendable {
    /// The index of a result column.
    let column: Int
    let isDescending: Bool
    /// Whether NULL comes first.
    let isNullFirst: Bool
  }

  let columns: [Column]
  let keyCount: Int
  let argumentCount: Int
  let order: [Term]
  /// The query for the rows that are grouped: its columns are the keys, then the arguments.
  let rowsSQL: String
  /// Whether there are groups. Without a `GROUP BY`, there is one row, also about no rows.
  let isGrouped: Bool
  /// The arguments of `min` and `max`.
  let extremeArguments: Set<Int>
  /// The arguments of `total` and `avg`.
  let realArguments: Set<Int>

  /// The functions that it calls.
  var functions: Set<Function> {
    Set(columns.compactMap { if case .aggregate(let function, _) = $0 { function } else { nil } })
  }

  /// Whether it asks for nothing but the least or the greatest value, which an index may tell.
  var isSingleExtreme: Bool { !isGrouped && columns.count == 1 && !extremeArguments.isEmpty }

  /// Whether a change of aggregates can change the order of the groups.
  var ordersByAggregates: Bool { order.contains { !columns[$0.column].isKey } }

  /// Reads a statement as such a query; `nil` if it has no groups and no aggregates.
  ///
  /// - Throws: ``PatchObstacle`` when it is one of another form.
  init?(_ sql: String) throws(PatchObstacle) {
    let text = try SelectText(sql)
    var reader = Reader(content: text.content)
    reader.keys = text.cuts.group.map { text.content.terms(of: $0) { $0.isSymbol(",") } } ?? []
    let items = text.content.terms(of: text.cuts.list) { $0.isSymbol(",") }
    var columns: [Column] = []
    for item in items {
      guard let column = reader.column(item) else {
        // Only aggregates make one row of all rows.
        guard text.cuts.isGrouped || !columns.isEmpty else { return nil }
        throw .groupsRows
      }
      columns.append(column)
    }
    let shown = Set(columns.compactMap { if case .key(let key) = $0 { key } else { nil } })
    guard shown.count == reader.keys.count, !reader.keys.contains(where: reader.isConstant),
      text.cuts.having == nil, text.limit == nil, text.offset == nil
    else { throw .groupsRows }
    self.columns = columns
    keyCount = reader.keys.count
    argumentCount = reader.arguments.count
    isGrouped = text.cuts.isGrouped
    extremeArguments = Self.arguments(of: columns) { $0 == .minimum || $0 == .maximum }
    realArguments = Self.arguments(of: columns) { $0 == .total || $0 == .average }
    var order: [Term] = []
    for term in text.cuts.order.map({ text.content.terms(of: $0) { $0.isSymbol(",") } }) ?? [] {
      guard let term = reader.orderTerm(term) else { throw .groupsRows }
      order.append(term)
    }
    self.order = order
    let list = (reader.keys + reader.arguments).map { text.content.text($0) }
    var rows = "SELECT \(list.isEmpty ? "1" : list.joined(separator: ", ")) FROM \(text.source)"
    if let condition = text.condition { rows += " WHERE \(condition)" }
    rowsSQL = rows
  }

  private static func arguments(
    of columns: [Column],
    _ isWanted: (Function) -> Bool
  ) -> Set<Int> {
    Set(
      columns.compactMap { column in
        guard case .aggregate(let function, let argument?) = column, isWanted(function) else {
          return nil
        }
        return argument
      }
    )
  }
}

/// Reads the terms of a statement.
private struct Reader {
  let content: NumberedText
  /// The terms of the `GROUP BY`.
  var keys: [Range<Int>] = []
  /// The arguments of functions, each once.
  private(set) var arguments: [Range<Int>] = []
  /// The expression of each column, and its alias.
  private var columns: [(expression: Range<Int>, alias: String?)] = []

  init(content: NumberedText) {
    self.content = content
  }

  /// Reads a result column; `nil` if it is neither a key nor an aggregate.
  mutating func column(_ item: Range<Int>) -> AggregateQuery.Column? {
    for (expression, alias) in withoutAlias(item) {
      guard let column = meaning(of: expression) else { continue }
      columns.append((expression, alias))
      return column
    }
    return nil
  }

  /// Returns what the expression and the alias of an item may be.
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
      let function = AggregateQuery.Function(
        rawValue: content.tokens[expression.lowerBound].keyword
      ),
      content.isParenthesized(expression.dropFirst(1))
    else { return nil }
    let inner = expression.dropFirst(2).dropLast(1)
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

  /// Whether a term of the `GROUP BY` may be something else than an expression: a number is that of
  /// a column.
  func isConstant(_ term: Range<Int>) -> Bool {
    term.isEmpty || !term.contains { content.tokens[$0].isName }
  }

  /// Reads a term of the `ORDER BY`; `nil` unless it is a column of the result.
  func orderTerm(_ term: Range<Int>) -> AggregateQuery.Term? {
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

  private func orderColumn(_ expression: Range<Int>) -> Int? {
    guard let first = expression.first else { return nil }
    if expression.count == 1, content.tokens[first].kind == .number {
      return Int(content.written(first)).flatMap {
        columns.indices.contains($0 - 1) ? $0 - 1 : nil
      }
    }
    if expression.count == 1, let name = content.name(first)?.asciiLowercased,
      let column = columns.firstIndex(where: { $0.alias == name })
    {
      return column
    }
    return columns.firstIndex { isSame($0.expression, expression) }
  }

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
