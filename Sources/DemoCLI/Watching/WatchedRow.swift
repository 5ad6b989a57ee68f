internal import Storage

/// A row of a watched query: the shown values, and after them the columns that are only read as its
/// key.
struct WatchedRow: FetchableRecord, Equatable, Sendable {
  var cells: [DatabaseValue]

  init(cells: [DatabaseValue]) {
    self.cells = cells
  }

  init(row: Row) {
    cells = row.databaseValues
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
    rows.width == others.width && rows.elementsEqual(others)
  }
}
