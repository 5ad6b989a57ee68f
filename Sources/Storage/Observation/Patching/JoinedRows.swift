internal import CWellspringSQLite

/// The rows of other tables with which each row of a result is joined, in the order of the result.
struct JoinedRows {
  private let source: PatchPlan.Source
  /// The row ids of each of the other tables.
  private var ids: [[Int64]]

  /// The bytes that the ids take.
  var memory: Int { ids.reduce(0) { $0 + $1.capacity * MemoryLayout<Int64>.stride } }

  init(_ source: PatchPlan.Source) {
    self.source = source
    ids = Array(repeating: [], count: source.partners.count)
  }

  /// Adds the rows that the row at which a statement is has.
  mutating func append(_ statement: Statement) {
    for partner in ids.indices { ids[partner].append(source.rowID(of: partner, in: statement)) }
  }

  /// Returns the places of the rows that are joined with some rows of another table.
  ///
  /// - Parameters:
  ///   - rows: The ids of the other rows.
  ///   - partner: The index of the other table.
  /// - Returns: The places, in ascending order.
  func places(of rows: Set<Int64>, _ partner: Int) -> [Int] {
    let ids = ids[partner]
    if rows.count == 1, let row = rows.first { return ids.indices.filter { ids[$0] == row } }
    return ids.indices.filter { rows.contains(ids[$0]) }
  }

  /// Patches what is known, by the rows that were fetched.
  mutating func apply(_ patch: RowPatch, _ fetched: JoinedRows) {
    for partner in ids.indices { patch.apply(to: &ids[partner], fetched.ids[partner]) }
  }
}

/// The rows of other tables with which each counted row is joined, by the number of the row.
struct JoinedPartners: Sendable {
  /// The row ids of each of the other tables.
  private var ids: [[Int64: Int64]]

  /// The bytes that the ids take: three quarters of the places of a dictionary are used at most.
  var memory: Int {
    ids.reduce(0) { $0 + $1.capacity * 4 / 3 * MemoryLayout<(Int64, Int64)>.stride }
  }

  init(_ source: PatchPlan.Source) {
    ids = Array(repeating: [:], count: source.partners.count)
  }

  /// Sets the rows of the row at which a statement is.
  mutating func set(_ row: Int64, _ source: PatchPlan.Source, _ statement: Statement) {
    for partner in ids.indices { ids[partner][row] = source.rowID(of: partner, in: statement) }
  }

  /// Takes over the rows of some counted rows.
  mutating func merge(_ other: JoinedPartners) {
    for partner in ids.indices { ids[partner].merge(other.ids[partner]) { $1 } }
  }

  mutating func remove(_ rows: Set<Int64>) {
    for partner in ids.indices { for row in rows { ids[partner][row] = nil } }
  }

  /// Returns the rows that are joined with some rows of another table.
  ///
  /// - Parameters:
  ///   - rows: The ids of the other rows.
  ///   - partner: The index of the other table.
  /// - Returns: The numbers of the counted rows.
  func rows(with rows: Set<Int64>, _ partner: Int) -> [Int64] {
    ids[partner].filter { rows.contains($0.value) }.map(\.key)
  }
}

extension PatchPlan.Source {
  /// Returns the row id of a further table, at the row at which a statement with hidden columns is.
  ///
  /// Where no row is joined, it is that of a row which hardly exists. If it does, more rows than
  /// needed are looked up.
  fileprivate func rowID(of partner: Int, in statement: Statement) -> Int64 {
    let statement = statement.sqliteStatement
    let column = sqlite3_column_count(statement) - Int32(hiddenCount - partner)
    let isMissing = sqlite3_column_type(statement, column) == SQLITE_NULL
    return isMissing ? .min : sqlite3_column_int64(statement, column)
  }
}
