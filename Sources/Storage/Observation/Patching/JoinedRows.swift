internal import CWellspringSQLite

/// The rows of other tables with which each row of a result is joined, in the order of the result.
struct JoinedRows {
  private let columns: PartnerColumns
  /// The numbers of the rows of each of the other tables.
  private var ids: [[Int64]]

  /// The bytes that the ids take.
  var memory: Int { ids.reduce(0) { $0 + $1.capacity * MemoryLayout<Int64>.stride } }

  init(_ source: PatchPlan.Source) {
    columns = PartnerColumns(source)
    ids = Array(repeating: [], count: source.partners.count)
  }

  /// Adds the rows that the row at which a statement is has.
  ///
  /// - Throws: ``LostRow`` if a key cannot be distinguished from other keys.
  mutating func append(_ statement: Statement) throws {
    for partner in ids.indices {
      ids[partner].append(try columns.number(of: partner, in: statement))
    }
  }

  /// Returns the indexes of the rows that are joined with some rows of another table.
  ///
  /// - Parameters:
  ///   - rows: The numbers of the other rows.
  ///   - partner: The index of the other table.
  /// - Returns: The indexes, in ascending order.
  func indexes(of rows: Set<Int64>, _ partner: Int) -> [Int] {
    let ids = ids[partner]
    if rows.count == 1, let row = rows.first { return ids.indices.filter { ids[$0] == row } }
    return ids.indices.filter { rows.contains(ids[$0]) }
  }

  /// Patches the known rows, by the rows that were fetched.
  mutating func apply(_ patch: RowPatch, _ fetched: JoinedRows) {
    for partner in ids.indices { patch.apply(to: &ids[partner], fetched.ids[partner]) }
  }
}

/// The rows of other tables with which each counted row is joined, by the number of the row.
struct JoinedPartners: Sendable {
  private let columns: PartnerColumns
  /// The numbers of the rows of each of the other tables.
  private var ids: [[Int64: Int64]]

  /// The bytes that the ids take: three quarters of the slots of a dictionary are used at most.
  var memory: Int {
    ids.reduce(0) { $0 + $1.capacity * 4 / 3 * MemoryLayout<(Int64, Int64)>.stride }
  }

  init(_ source: PatchPlan.Source) {
    columns = PartnerColumns(source)
    ids = Array(repeating: [:], count: source.partners.count)
  }

  /// Sets the rows of the row at which a statement is.
  ///
  /// - Throws: ``LostRow`` if a key cannot be distinguished from other keys.
  mutating func set(_ row: Int64, _ statement: Statement) throws {
    for partner in ids.indices {
      ids[partner][row] = try columns.number(of: partner, in: statement)
    }
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
  ///   - rows: The numbers of the other rows.
  ///   - partner: The index of the other table.
  /// - Returns: The numbers of the counted rows.
  func rows(with rows: Set<Int64>, _ partner: Int) -> [Int64] {
    ids[partner].filter { rows.contains($0.value) }.map(\.key)
  }
}

/// The hidden columns of a statement that tell the rows of the other tables apart.
private struct PartnerColumns: Sendable {
  /// For each of the other tables, how many columns from the end its own begin, and its key; `nil`
  /// for a row id.
  private let columns: [(fromEnd: Int32, key: PatchKey?)]

  init(_ source: PatchPlan.Source) {
    var fromEnd = source.hiddenCount
    columns = source.partners.map { partner in
      defer { fromEnd -= partner.columns.count }
      return (Int32(fromEnd), partner.isRowID ? nil : partner)
    }
  }

  /// Returns the number of the row of another table, at the row at which a statement is: its row
  /// id, or a number of its key.
  ///
  /// Where no row is joined, it is the number of a row that is unlikely to exist. If that row
  /// exists, more rows than needed are looked up.
  func number(of partner: Int, in statement: Statement) throws -> Int64 {
    let (fromEnd, key) = columns[partner]
    let handle = statement.sqliteStatement
    let column = sqlite3_column_count(handle) - fromEnd
    // No column of a key is NULL.
    guard sqlite3_column_type(handle, column) != SQLITE_NULL else { return .min }
    guard let key else { return sqlite3_column_int64(handle, column) }
    var bytes: [UInt8] = []
    guard key.append(statement, column, to: &bytes) else { throw LostRow() }
    return PatchKey.number(of: RowKey(bytes: bytes))
  }
}
