internal import Storage

/// A result as the source of further statements: `WITH` its rows.
struct PaneSource {
  private let plan: QueryPlan
  private let view: PaneView
  private let with: String
  /// The names of the columns, with the columns that are only read as the key of a row.
  let columns: [String]

  /// Creates a source; `nil` if the statement cannot be a part of another one, such as a pragma.
  init?(_ plan: QueryPlan, view: PaneView, _ db: Database) throws {
    // A cached statement may still have the columns of another schema: it does not run.
    let statement = try db.makeStatement(sql: plan.sql)
    try WatchedQuery.check(statement)
    columns = statement.columnNames
    let names = (0..<(columns.count + (plan.ranges?.count ?? 0))).map { "c\($0)" }
    with = """
      WITH wellspring_pane (\(names.joined(separator: ", "))) AS (
      \(plan.trimmedSQL)
      ) 
      """
    self.plan = plan
    var view = view
    view.sort = view.sort?.order(of: Array(columns.dropLast(plan.keyCount)))
    self.view = view
    do {
      _ = try db.makeStatement(sql: with + "SELECT 1 FROM wellspring_pane")
    } catch  where !ScreenPresenter.isInterruption(error) {
      return nil
    }
  }

  /// Fetches a part of the rows by their number.
  func fetch(_ db: Database, limit: Int, offset: Int) throws -> Part {
    var rows: [[DatabaseValue]] = []
    try forEachRow(db, limit: limit, offset: offset) { rows.append($0) }
    return try part(rows: rows)
  }

  /// Fetches the last rows of at most `limit` rows.
  ///
  /// - Parameters:
  ///   - db: The database.
  ///   - number: How many rows are fetched at most.
  ///   - limit: How many rows are read at most.
  ///   - offset: The number of the first row that is read.
  /// - Returns: The rows, and how many were read.
  /// - Throws: `DatabaseError`.
  func fetchLast(
    _ db: Database,
    _ number: Int,
    limit: Int,
    offset: Int
  ) throws -> (Part, count: Int) {
    var rows: [[DatabaseValue]] = []
    var count = 0
    try forEachRow(db, limit: limit, offset: offset) { row in
      if rows.count >= 2 * number { rows.removeFirst(rows.count - number) }
      rows.append(row)
      count += 1
    }
    return (try part(rows: rows.suffix(number)), count)
  }

  /// Reads a part of the rows, one after the other, with the columns of the natural order.
  func forEachRow(
    _ db: Database,
    limit: Int,
    offset: Int,
    _ body: ([DatabaseValue]) -> Void
  ) throws {
    let (condition, order) = view.clauses(columnCount: shownCount)
    let sql = "SELECT * FROM wellspring_pane\(condition)\(order) LIMIT \(limit) OFFSET \(offset)"
    let cursor = try Row.fetchCursor(
      db.makeStatement(sql: with + sql),
      arguments: plan.arguments
    )
    while let row = try cursor.next() { body(row.databaseValues) }
  }

  /// Counts the rows.
  func count(_ db: Database) throws -> Int {
    let (condition, _) = view.clauses(columnCount: shownCount)
    return try Int.fetchOne(
      db.cachedStatement(sql: with + "SELECT count(*) FROM wellspring_pane\(condition)"),
      arguments: plan.arguments
    ) ?? 0
  }

  /// The order of the rows. It differs from the order of the view if the sorted column was dropped
  /// or moved.
  var order: PaneView.Order { view.order }

  /// The text that all rows contain.
  var filter: String { view.filter }

  private var shownCount: Int { columns.count - plan.keyCount }

  /// Returns the part that consists of rows of the statement.
  private func part(rows: [[DatabaseValue]]) throws -> Part {
    Part(
      result: try plan.result(
        columns: columns,
        rows: rows.map { WatchedRow(cells: $0.dropLast(rangeCount)) }
      ),
      sortKeys: rows.compactMap(sortKey)
    )
  }
}

// MARK: - Parts by key

extension PaneSource {
  /// A part of the rows.
  struct Part {
    var result: WatchedResult
    /// The sort key of each row: the columns of the natural order. If the view sorts by a column,
    /// the value of that column comes first.
    var sortKeys: [[DatabaseValue]]

    /// The row ids, if the sort keys end with them.
    var rowIDs: [Int64] { sortKeys.compactMap { $0.last.flatMap { Int64.fromDatabaseValue($0) } } }

    /// Removes the last row.
    mutating func removeLast() {
      result.removeLast()
      sortKeys.removeLast()
    }
  }

  /// Where a part begins.
  struct Start {
    /// The sort key of the row before it, or of its first row; `nil` for an end of the result.
    var sortKey: [DatabaseValue]?
    var includesSortKey = false
    /// Whether the rows before the sort key are read, from the last one on.
    var isBackward = false
  }

  /// Whether parts are found by the sort keys of their rows.
  var hasSortKeys: Bool { plan.ranges != nil }

  /// The number of values of a sort key.
  var sortKeyWidth: Int { rangeCount + (hasSortKeys && view.sort != nil ? 1 : 0) }

  /// Whether the sort key of a row is its row id.
  var hasRowIDs: Bool { endWithRowIDs && view.sort == nil }

  /// Whether the sort keys of rows end with their row ids.
  var endWithRowIDs: Bool { plan.hasRowIDs }

  /// Whether the view has all rows of a table.
  var hasAllRows: Bool { plan.ranges?.hasAllRows == true && view.filter.isEmpty }

  /// Returns a cursor over all rows with the columns of their sort keys. Where rows have sort keys,
  /// it can begin after one, and end after a number of rows.
  func cursor(_ db: Database, after sortKey: [DatabaseValue]?, limit: Int?) throws -> RowCursor {
    let (condition, arguments) = clauses(from: Start(sortKey: sortKey))
    let order = hasSortKeys ? order(isBackward: false) : view.clauses(columnCount: shownCount).order
    let end = hasSortKeys ? limit.map { " LIMIT \($0)" } ?? "" : ""
    let statement = try db.makeStatement(
      sql: with + "SELECT * FROM wellspring_pane\(condition)\(order)\(end)"
    )
    return try Row.fetchCursor(
      statement,
      arguments: hasSortKeys ? StatementArguments(arguments) : plan.arguments
    )
  }

  /// The number of columns at the end of a row that are only read as its sort key.
  var rangeCount: Int { plan.ranges?.count ?? 0 }

  /// Returns the sort key of a row that was read with it; `nil` if rows have no sort keys.
  func sortKey(ofRow row: [DatabaseValue]) -> [DatabaseValue]? {
    guard hasSortKeys else { return nil }
    return (view.sort.map { [row[$0.column]] } ?? []) + row.suffix(rangeCount)
  }

  /// Fetches at most `limit` rows from a sort key on. They are in the order of the view, also if
  /// they are read backward.
  func fetch(_ db: Database, from start: Start, limit: Int) throws -> Part {
    let (condition, arguments) = clauses(from: start)
    let sql =
      with + "SELECT * FROM wellspring_pane\(condition)\(order(isBackward: start.isBackward)) "
      + "LIMIT \(limit)"
    var rows = try Row.fetchAll(
      db.cachedStatement(sql: sql),
      arguments: StatementArguments(arguments)
    ).map(\.databaseValues)
    if start.isBackward { rows.reverse() }
    return try part(rows: rows)
  }

  /// Counts the rows from a sort key on.
  func count(_ db: Database, from start: Start) throws -> Int {
    let (condition, arguments) = clauses(from: start)
    return try Int.fetchOne(
      db.cachedStatement(sql: with + "SELECT count(*) FROM wellspring_pane\(condition)"),
      arguments: StatementArguments(arguments)
    ) ?? 0
  }

  /// Counts the rows among several that are behind a sort key, or before it.
  func count(_ db: Database, among ids: Set<Int64>, from start: Start) throws -> Int {
    guard endWithRowIDs, !ids.isEmpty else { return 0 }
    let (condition, arguments) = clauses(from: start)
    let sql = "SELECT count(*) FROM wellspring_pane\(amongRows(and: condition))"
    return try Int.fetchOne(
      db.cachedStatement(sql: with + sql),
      arguments: StatementArguments(arguments + [Self.list(ids)])
    ) ?? 0
  }

  /// Returns the row ids among several that rows have.
  func rowIDs(_ db: Database, among ids: Set<Int64>) throws -> [Int64] {
    guard endWithRowIDs, !ids.isEmpty else { return [] }
    let (filter, _) = view.clauses(columnCount: shownCount)
    let condition = amongRows(and: filter)
    let sql = with + "SELECT \(rangeColumns[0]) FROM wellspring_pane\(condition)"
    return try Int64.fetchAll(db.cachedStatement(sql: sql), arguments: [Self.list(ids)])
  }

  /// Returns the rows among several that exist, as a ``PaneMemory`` remembers them.
  func namedRows(_ db: Database, among ids: Set<Int64>) throws -> NamedRows {
    guard endWithRowIDs, !ids.isEmpty else { return NamedRows() }
    let (filter, _) = view.clauses(columnCount: shownCount)
    let sql = with + "SELECT * FROM wellspring_pane\(amongRows(and: filter))"
    let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [Self.list(ids)])
    var named = NamedRows(absent: ids)
    while let row = try cursor.next() {
      let values = row.databaseValues
      guard let id = values.last.flatMap({ Int64.fromDatabaseValue($0) }) else { continue }
      named.absent.remove(id)
      named.present[id] = hash(ofRow: values)
    }
    return named
  }

  /// Returns the hash of a row with the columns of its sort key.
  func hash(ofRow values: [DatabaseValue]) -> Int { values.dropLast(rangeCount).hashValue }

  /// Adds to a `WHERE` clause, which can be empty, that rows have one of the row ids of a list, the
  /// last argument. In the text, a list would take longer to compile than the rows to be found.
  private func amongRows(and condition: String) -> String {
    (condition.isEmpty ? " WHERE " : "\(condition) AND ")
      + "\(rangeColumns[0]) IN (SELECT value FROM json_each(?))"
  }

  private static func list(_ ids: Set<Int64>) -> DatabaseValue {
    "[\(ids.map(String.init).joined(separator: ","))]".databaseValue
  }

  private func order(isBackward: Bool) -> String {
    var terms = rangeColumns.map { $0 + (isBackward ? " DESC" : "") }
    if let sort = view.sort {
      terms.insert("c\(sort.column)" + (sort.isDescending != isBackward ? " DESC" : ""), at: 0)
    }
    return " ORDER BY \(terms.joined(separator: ", "))"
  }

  private var rangeColumns: [String] {
    (columns.count..<(columns.count + rangeCount)).map { "c\($0)" }
  }

  private func clauses(from start: Start) -> (condition: String, arguments: [DatabaseValue]) {
    let (filter, _) = view.clauses(columnCount: shownCount)
    guard let sortKey = start.sortKey else { return (filter, []) }
    let comparison = (start.isBackward ? "<" : ">") + (start.includesSortKey ? "=" : "")
    var keys = rangeColumns.joined(separator: ", ")
    var parameters = rangeColumns.map { _ in "?" }.joined(separator: ", ")
    if rangeColumns.count > 1 { (keys, parameters) = ("(\(keys))", "(\(parameters))") }
    var range = "\(keys) \(comparison) \(parameters)"
    var arguments = sortKey
    if let sort = view.sort {
      let column = "c\(sort.column)"
      let (value, key) = (sortKey[0], Array(sortKey.dropFirst()))
      // NULL is the smallest value.
      let isDownward = sort.isDescending != start.isBackward
      switch (value.isNull, isDownward) {
      case (true, false): range = "(\(column) IS NOT NULL OR \(column) IS ? AND \(range))"
      case (true, true): range = "(\(column) IS ? AND \(range))"
      case (false, false):
        range = "(\(column) > ? OR \(column) IS ? AND \(range))"
        arguments = [value, value] + key
      case (false, true):
        range = "(\(column) < ? OR \(column) IS NULL OR \(column) IS ? AND \(range))"
        arguments = [value, value] + key
      }
    }
    return (filter.isEmpty ? " WHERE \(range)" : filter + " AND \(range)", arguments)
  }
}
