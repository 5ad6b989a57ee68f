import Storage

@testable import DemoCLI

/// Creates a result from Swift values. `keys` are the indexes of the key columns.
func result(
  _ columns: [String],
  _ rows: [[(any DatabaseValueConvertible)?]],
  keys: [Int]? = nil
) -> WatchedResult {
  let rows = rows.map { row in row.map { $0?.databaseValue ?? .null } }
  return WatchedResult(
    columns: columns,
    rows: rows,
    keys: keys.map { keys in rows.map { row in keys.map { row[$0] } } }
  )
}

extension MarkedRow {
  /// The sign of the mark and the values, with `*` after changed values: `~ 1 'a'*`.
  var summary: String {
    let cells = values.enumerated().map { index, value in
      if case .changed(let columns) = mark, columns.contains(index) { return "\(value)*" }
      return "\(value)"
    }
    return ([RowStyle(mark).sign] + cells).joined(separator: " ")
  }
}
