internal import CWellspringSQLite
internal import WellspringPlatform

/// The rows of other tables with which each row of a result is joined, in the order of the result.
struct JoinedRows {
  /// The row ids of each of the other tables. Where no row is joined, it is that of a row which
  /// hardly exists. If it does, more rows than needed are looked up.
  private var ids: [[Int64]]
  /// The number of columns behind the row ids.
  private let keyCount: Int32

  /// The bytes that the ids take.
  var memory: Int { ids.reduce(0) { $0 + $1.capacity * MemoryLayout<Int64>.stride } }

  init(_ plan: PatchPlan) {
    ids = Array(repeating: [], count: plan.partners.count)
    keyCount = Int32(plan.source.key.columns.count)
  }

  /// Adds the rows that the row at which a statement is has.
  mutating func append(_ statement: Statement) {
    guard !ids.isEmpty else { return }
    let statement = statement.sqliteStatement
    let first = sqlite3_column_count(statement) - keyCount - Int32(ids.count)
    for partner in ids.indices {
      let column = first + Int32(partner)
      let isMissing = sqlite3_column_type(statement, column) == SQLITE_NULL
      ids[partner].append(isMissing ? .min : sqlite3_column_int64(statement, column))
    }
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
