import Storage

@testable import DemoCLI

/// A result with integers and texts, for tests of what is done with results.
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
  /// The sign of the mark, the values, and `*` behind those that have changed: `~ 1 'a'*`.
  var summary: String {
    let cells = values.enumerated().map { index, value in
      if case .changed(let columns) = mark, columns.contains(index) { return "\(value)*" }
      return "\(value)"
    }
    return ([RowLook(mark).sign] + cells).joined(separator: " ")
  }
}
