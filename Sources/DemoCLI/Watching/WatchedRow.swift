internal import Storage

/// A row of a watched query: the shown values, and after them the columns that are only read as its
/// key.
struct WatchedRow: FetchableRecord, Sendable {
  var cells: [DatabaseValue]

  init(cells: [DatabaseValue]) {
    self.cells = cells
  }

  init(row: Row) {
    cells = row.databaseValues
  }

  /// Whether both are the same copy of a row: they have one place in the memory.
  func isShared(with other: WatchedRow) -> Bool {
    cells.withUnsafeBufferPointer { cells in
      other.cells.withUnsafeBufferPointer { cells.baseAddress == $0.baseAddress }
    }
  }
}

extension WatchedRow {
  /// Whether both rows have the same values in the first columns.
  func hasValues(of other: WatchedRow, width: Int) -> Bool {
    isShared(with: other) || cells.prefix(width) == other.cells.prefix(width)
  }
}

extension WatchedRow: Equatable {
  static func == (row: WatchedRow, other: WatchedRow) -> Bool {
    row.isShared(with: other) || row.cells == other.cells
  }
}

/// The shown values of the rows of a result.
struct WatchedRows: RandomAccessCollection, Sendable {
  var rows: [WatchedRow]
  /// The number of shown columns.
  let width: Int

  var startIndex: Int { rows.startIndex }
  var endIndex: Int { rows.endIndex }

  subscript(index: Int) -> [DatabaseValue] {
    let cells = rows[index].cells
    return cells.count == width ? cells : Array(cells.prefix(width))
  }
}

extension WatchedRows: Equatable {
  static func == (rows: WatchedRows, others: WatchedRows) -> Bool {
    rows.width == others.width
      && rows.rows.elementsEqual(others.rows) { $0.hasValues(of: $1, width: rows.width) }
  }
}
