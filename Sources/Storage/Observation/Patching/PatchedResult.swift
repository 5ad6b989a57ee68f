internal import CWellspringSQLite

/// A row of a result is not in its table.
private struct LostRow: Error {}

/// A result of a query, with what is needed to patch it.
struct PatchedResult<Element: Sendable>: Sendable {
  /// Makes an element of a row.
  typealias Decode = (Row) throws -> Element

  let plan: PatchPlan
  /// The values of the query's parameters.
  let arguments: [DatabaseValue]
  /// The rows that are known: those of the result, those before its offset, and some that follow.
  private(set) var order: RowOrder
  /// The result.
  private(set) var elements: [Element]

  // MARK: The whole query

  /// Runs the whole query.
  init(
    _ plan: PatchPlan,
    _ arguments: [DatabaseValue],
    _ db: Database,
    adapter: (any RowAdapter)?,
    _ decode: Decode
  ) throws {
    self.plan = plan
    self.arguments = arguments
    let window = plan.window
    let capacity = window?.capacity
    var ids: [Int64] = []
    var elements: [Element] = []
    let limit = capacity.map { [DatabaseValue(storage: .int64(Int64($0)))] } ?? []
    try Self.run(plan.wholeSQL, arguments + limit, db, adapter) { row, id in
      if window.map({ $0.contains(ids.count) }) ?? true { elements.append(try decode(row)) }
      ids.append(id)
    }
    order = RowOrder(ids, capacity: capacity)
    self.elements = elements
  }

  /// Replaces the elements by equal ones.
  mutating func share(_ equal: [Element]) {
    if equal.count == elements.count { elements = equal }
  }

  // MARK: Patches

  /// Patches the result.
  ///
  /// - Parameters:
  ///   - changed: The ids of all rows of the table that have changed since the result was current.
  ///   - db: A snapshot in which no other row has changed.
  ///   - adapter: The adapter of the query's rows.
  ///   - decode: Makes an element of a row.
  /// - Returns: Which elements have changed; `nil` when the whole query must run.
  /// - Throws: Any error, after which the whole query must run.
  mutating func patch(
    changed: Set<Int64>,
    _ db: Database,
    adapter: (any RowAdapter)?,
    _ decode: Decode
  ) throws -> RowPatch? {
    guard let fetched = try fetch(changed, db, adapter, decode) else { return nil }
    let found = try order.patch(changed: changed, present: fetched.ids) { try sort($0, db) }
    guard let patch = found else { return nil }
    guard let window = plan.window else {
      order.apply(patch, fetched.ids)
      patch.apply(to: &elements, fetched.elements)
      return patch
    }
    let before = order
    order.apply(patch, fetched.ids)
    return try move(window, before, fetched, db, adapter, decode)
  }

  /// Fetches rows that have changed; `nil` when there are too many.
  private func fetch(
    _ changed: Set<Int64>,
    _ db: Database,
    _ adapter: (any RowAdapter)?,
    _ decode: Decode
  ) throws -> (ids: [Int64], elements: [Element])? {
    guard let last = changed.first else { return ([], []) }
    guard let size = PatchPlan.lookupSizes.first(where: { $0 >= changed.count }) else { return nil }
    var keys = changed.map { DatabaseValue(storage: .int64($0)) }
    keys += Array(repeating: DatabaseValue(storage: .int64(last)), count: size - keys.count)
    var ids: [Int64] = []
    var elements: [Element] = []
    try Self.run(plan.changedSQL(count: size), arguments + keys, db, adapter) { row, id in
      elements.append(try decode(row))
      ids.append(id)
    }
    return (ids, elements)
  }

  /// Returns rows in their order.
  private func sort(_ ids: [Int64], _ db: Database) throws -> [Int64] {
    guard let first = ids.first else { return [] }
    let size = PatchPlan.sortSizes.first { $0 >= ids.count } ?? ids.count
    var keys = arguments
    for id in ids { keys.append(DatabaseValue(storage: .int64(id))) }
    for _ in ids.count..<size { keys.append(DatabaseValue(storage: .int64(first))) }
    let sorted = try db.rowIDs(plan.sortSQL(count: size), keys)
    guard sorted.count == ids.count else { throw LostRow() }
    return sorted
  }

  /// Makes the elements of a window that has other rows now.
  private mutating func move(
    _ window: PatchPlan.Window,
    _ before: RowOrder,
    _ fetched: (ids: [Int64], elements: [Element]),
    _ db: Database,
    _ adapter: (any RowAdapter)?,
    _ decode: Decode
  ) throws -> RowPatch? {
    let old = Array(before.ids[window.places(in: before.ids.count)])
    let new = Array(order.ids[window.places(in: order.ids.count)])
    let oldPlaces = Dictionary(uniqueKeysWithValues: zip(old, old.indices))
    var rows = Dictionary(uniqueKeysWithValues: zip(fetched.ids, fetched.elements))
    let missing = Set(new.filter { oldPlaces[$0] == nil && rows[$0] == nil })
    if !missing.isEmpty {
      // Rows that have not changed, and have come into the window.
      guard let more = try fetch(missing, db, adapter, decode), more.ids.count == missing.count
      else { return nil }
      for (id, element) in zip(more.ids, more.elements) { rows[id] = element }
    }
    let changed = Set(fetched.ids)
    let patch = RowPatch(from: old, to: new, changed: changed.union(missing))
    let arrivals = patch.arrived.compactMap { rows[new[$0.place]] }
    guard arrivals.count == patch.arrived.count else { return nil }
    patch.apply(to: &elements, arrivals)
    return patch
  }

  // MARK: Statements

  /// Runs a statement whose last column is the row id, which the rows do not show.
  private static func run(
    _ sql: String,
    _ arguments: [DatabaseValue],
    _ db: Database,
    _ adapter: (any RowAdapter)?,
    _ body: (Row, Int64) throws -> Void
  ) throws {
    let statement = try db.cachedStatement(sql: sql)
    statement.hidesLastColumn = true
    defer { statement.hidesLastColumn = false }
    try statement.setArguments(StatementArguments(values: arguments, namedValues: [:]))
    defer { statement.reset() }
    guard try statement.firstStep() else { return }
    let column = sqlite3_column_count(statement.sqliteStatement) - 1
    let row = try Row.live(in: statement, adapter)
    repeat {
      try body(row, sqlite3_column_int64(statement.sqliteStatement, column))
      row.rewind()
    } while try statement.step()
  }
}

extension Database {
  /// Returns the row ids that are the last column of a statement.
  func rowIDs(_ sql: String, _ arguments: [DatabaseValue]) throws -> [Int64] {
    let statement = try cachedStatement(sql: sql)
    try statement.setArguments(StatementArguments(values: arguments, namedValues: [:]))
    defer { statement.reset() }
    let column = sqlite3_column_count(statement.sqliteStatement) - 1
    var ids: [Int64] = []
    var hasRow = try statement.firstStep()
    while hasRow {
      ids.append(sqlite3_column_int64(statement.sqliteStatement, column))
      hasRow = try statement.step()
    }
    return ids
  }
}
