internal import Storage

/// What a large result contained, as one number for each row, to find the rows that have changed
/// outside the window.
///
/// SQLite does not say which rows another process has written, so all rows are read: once to
/// remember them, and once for each search.
struct PaneMemory {
  let query: WatchedQuery
  /// The hashes of the rows by the hashes of their keys.
  private var rows: [Int: Int] = [:]
  /// The largest number of rows that are remembered.
  private let limit: Int
  /// Whether the result has more rows than that.
  private var isTooLarge = false

  init(query: WatchedQuery, limit: Int = 4_000_000) {
    self.query = query
    self.limit = limit
  }

  /// Remembers all rows.
  ///
  /// - Throws: `DatabaseError` or ``ToolError``.
  mutating func remember(_ db: Database) throws {
    var rows: [Int: Int] = [:]
    try forEachRow(db, view: PaneView()) { _, key, row in
      rows[key] = row
      return rows.count <= limit
    }
    isTooLarge = rows.count > limit
    self.rows = isTooLarge ? [:] : rows
  }

  /// A row that is new or has changed.
  struct Found: Equatable, Sendable {
    let index: Int
    let isNew: Bool
  }

  /// Finds the next row of a view that is new or differs from what is remembered, and remembers it.
  ///
  /// - Parameters:
  ///   - db: The database.
  ///   - view: The order and the filter of the rows.
  ///   - top: The index after which to search, or before which, around the end.
  ///   - forward: Whether to search after `top`.
  /// - Returns: The row; `nil` if no row has changed.
  /// - Throws: `DatabaseError`, or ``ToolError`` when there are too many rows.
  mutating func next(
    _ db: Database,
    view: PaneView,
    from top: Int,
    forward: Bool
  ) throws -> Found? {
    if isTooLarge {
      throw ToolError("changes are searched for among \(limit) rows at most")
    }
    typealias Change = (index: Int, key: Int, row: Int)
    /// The nearest change in the direction of the search, and the one to go on with at the end.
    var near: Change?
    var around: Change?
    let hasKeys = try forEachRow(db, view: view) { index, key, row in
      guard rows[key] != row else { return true }
      let change = (index, key, row)
      if forward {
        if around == nil { around = change }
        guard index > top else { return true }
        near = change
        return false
      }
      if index < top { near = change }
      around = change
      return true
    }
    guard let found = near ?? around else { return nil }
    let isNew = hasKeys && rows[found.key] == nil
    rows[found.key] = found.row
    return Found(index: found.index, isNew: isNew)
  }

  /// Calls a closure with each row, until it returns `false`.
  ///
  /// - Returns: Whether rows have keys, so that a row that changes is the same one.
  @discardableResult
  private func forEachRow(
    _ db: Database,
    view: PaneView,
    _ body: (_ index: Int, _ key: Int, _ row: Int) -> Bool
  ) throws -> Bool {
    let plan = try query.plan(db)
    guard let source = try PaneSource(plan, view: view, db) else { return false }
    let names = try db.cachedStatement(sql: plan.sql).columnNames
    let keys = try plan.keyIndexes(columns: names)
    let cursor = try source.cursor(db)
    var index = 0
    while let row = try cursor.next() {
      let values = row.databaseValues
      var hasher = Hasher()
      hasher.combine(values)
      let rowHash = hasher.finalize()
      var keyHash = rowHash
      if !keys.isEmpty {
        hasher = Hasher()
        for key in keys { hasher.combine(values[key]) }
        keyHash = hasher.finalize()
      }
      guard body(index, keyHash, rowHash) else { break }
      index += 1
    }
    return !keys.isEmpty
  }
}
