internal import WellspringSystem

/// A query for groups of rows, for distinct rows, or for one row about all rows: each of its
/// columns is a term of the `GROUP BY`, or an aggregate function.
///
/// ```sql
/// SELECT customerId, count(*), sum(amount) FROM sale WHERE amount > ? GROUP BY customerId
/// ```
///
/// The text says which function or term each column is. Values show whether that is right: see
/// ``AggregateResult``.
struct AggregateQuery: Hashable, Sendable {
  enum Function: String, Hashable, Sendable {
    case count = "COUNT"
    /// `count(DISTINCT …)`
    case distinctCount = "COUNT DISTINCT"
    case sum = "SUM"
    case total = "TOTAL"
    case average = "AVG"
    case minimum = "MIN"
    case maximum = "MAX"

    /// The name of the function in lower case.
    var name: String { self == .distinctCount ? "count" : rawValue.asciiLowercased }
  }

  /// The meaning of a result column.
  enum Column: Hashable, Sendable {
    /// A term of the `GROUP BY`, by its index.
    case key(Int)
    /// A function of an argument, by its index; of rows without one.
    case aggregate(Function, argument: Int?)

    var isKey: Bool { if case .key = self { true } else { false } }
  }

  /// A term of the `ORDER BY`.
  struct Term: Hashable, Sendable {
    let column: Column
    let isDescending: Bool
    /// Whether NULL comes first.
    let isNullFirst: Bool
  }

  /// The `HAVING`.
  struct Having: Hashable, Sendable {
    /// The query for its value. The values of the columns follow the parameters of the statement.
    let sql: String
    let columns: [Column]
    /// The names of result columns in it, in lower case. SQLite prefers columns of the tables.
    let names: Set<String>
  }

  let columns: [Column]
  let keyCount: Int
  let argumentCount: Int
  let order: [Term]
  let having: Having?
  /// The `LIMIT` and the `OFFSET`.
  let limit: String?
  let offset: String?
  /// Whether each different row is shown once.
  let isDistinct: Bool
  /// Whether the condition has subqueries.
  let hasSubqueries: Bool
  /// How many parameters the statement has.
  let parameterCount: Int
  /// The query for the rows that are grouped: its columns are the keys, then the arguments.
  let rowsSQL: String
  /// Whether there are groups; distinct rows are groups, too. Otherwise, there is one row, even if
  /// no rows match.
  let isGrouped: Bool
  /// The arguments of `min` and `max`.
  let extremeArguments: Set<Int>
  /// The arguments of `total` and `avg`.
  let realArguments: Set<Int>
  /// The arguments of `count(DISTINCT …)`.
  let distinctArguments: Set<Int>

  /// The functions that it calls.
  var functions: Set<Function> {
    let columns = columns + order.map(\.column) + (having?.columns ?? [])
    return Set(
      columns.compactMap { if case .aggregate(let function, _) = $0 { function } else { nil } }
    )
  }

  /// Whether it asks for nothing but the least or the greatest value, which an index may tell.
  var isSingleExtreme: Bool { !isGrouped && columns.count == 1 && !extremeArguments.isEmpty }

  /// Whether it may have groups that are not in its result.
  var selectsGroups: Bool { having != nil || limit != nil || isDistinct }

  /// Reads a statement as such a query; `nil` if it has no groups, no aggregates, and no distinct
  /// rows.
  ///
  /// - Throws: ``PatchObstacle`` when it is such a query of another form.
  init?(_ sql: String) throws(PatchObstacle) {
    let (text, isDistinct) = try Self.withoutDistinct(sql)
    var reader = AggregateReader(content: text.content)
    func terms(_ clause: Range<Int>?) -> [Range<Int>] {
      clause.map { text.content.terms(of: $0) { $0.isSymbol(",") } } ?? []
    }
    reader.keys = terms(text.cuts.group)
    var columns: [Column] = []
    for item in terms(text.cuts.list) {
      guard let column = isDistinct ? reader.distinctColumn(item) : reader.column(item) else {
        // Only aggregates make one row of all rows.
        guard text.cuts.isGrouped || !columns.isEmpty else { return nil }
        throw .groupsRows
      }
      columns.append(column)
    }
    let shown = Set(columns.compactMap { if case .key(let key) = $0 { key } else { nil } })
    guard shown.count == reader.keys.count, !reader.keys.contains(where: reader.isConstant),
      !isDistinct || !text.cuts.isGrouped, !reader.keys.contains(where: reader.isStar)
    else { throw .groupsRows }
    var order: [Term] = []
    for term in terms(text.cuts.order) {
      guard let term = reader.orderTerm(term) else { throw .groupsRows }
      order.append(term)
    }
    having = try text.cuts.having.map { clause throws(PatchObstacle) in
      let having = reader.having(clause, parameterCount: text.parameterCount)
      guard let having else { throw PatchObstacle.groupsRows }
      return having
    }
    // The first of equal rows decides their position.
    guard !isDistinct || Set(order.map(\.column)) == Set(columns) else { throw .groupsRows }
    self.columns = columns
    self.order = order
    self.isDistinct = isDistinct
    limit = text.limit
    offset = text.offset
    parameterCount = text.parameterCount
    hasSubqueries = !text.subqueries.isEmpty
    keyCount = reader.keys.count
    argumentCount = reader.arguments.count
    isGrouped = text.cuts.group != nil || isDistinct
    let all = columns + order.map(\.column) + (having?.columns ?? [])
    extremeArguments = Self.arguments(of: all) { $0 == .minimum || $0 == .maximum }
    realArguments = Self.arguments(of: all) { $0 == .total || $0 == .average }
    distinctArguments = Self.arguments(of: all) { $0 == .distinctCount }
    let list = (reader.keys + reader.arguments).map { text.content.text($0) }
    var rows = "SELECT \(list.isEmpty ? "1" : list.joined(separator: ", ")) FROM \(text.source)"
    if let condition = text.condition { rows += " WHERE \(condition)" }
    rowsSQL = rows
  }

  /// Reads a statement without its `DISTINCT`.
  private static func withoutDistinct(
    _ sql: String
  ) throws(PatchObstacle) -> (text: SelectText, isDistinct: Bool) {
    guard let content = NumberedText(sql), content.tokens.count > 2,
      content.tokens[1].keyword == "DISTINCT"
    else { return (try SelectText(sql), false) }
    let rest = content.text(2..<content.tokens.count)
    return (try SelectText("SELECT \(rest)"), true)
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
