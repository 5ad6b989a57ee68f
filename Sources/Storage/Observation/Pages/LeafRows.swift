/// The rows in some leaves of a table, in the order of their ids.
struct LeafRows {
  private let pages: [DatabasePage]
  private var rows: [(cell: DatabasePage.Cell, page: Int)] = []

  /// Reads leaves.
  ///
  /// - Parameters:
  ///   - numbers: The leaves.
  ///   - read: Reads a page.
  /// - Throws: The error of `read`, or ``PageObstacle/damaged``.
  init(
    _ numbers: Set<DatabasePage.Number>,
    read: (DatabasePage.Number) throws(PageObstacle) -> DatabasePage
  ) throws(PageObstacle) {
    var pages: [DatabasePage] = []
    for number in numbers {
      let page = try read(number)
      guard page.kind == .leafTable else { throw .damaged }
      var size = 0
      for offset in try page.cells() {
        guard let cell = try page.cell(at: offset) else { continue }
        // Cells do not overlap.
        size += cell.bytes.count
        guard size <= page.usableSize else { throw .damaged }
        rows.append((cell, pages.count))
      }
      pages.append(page)
    }
    self.pages = pages
    // The rows of a page are in order.
    rows.sort { $0.cell.rowID < $1.cell.rowID }
  }

  var count: Int { rows.count }

  func id(_ index: Int) -> Int64 { rows[index].cell.rowID }

  func cell(_ index: Int) -> DatabasePage.Cell { rows[index].cell }

  /// Reads the record of a row.
  func record(_ index: Int) -> RecordFields {
    RecordFields(of: rows[index].cell, in: pages[rows[index].page])
  }

  /// Whether the bytes of a row are those of a row of other leaves.
  func isEqual(_ index: Int, to other: LeafRows, _ otherIndex: Int) -> Bool {
    let (row, otherRow) = (rows[index], other.rows[otherIndex])
    guard row.cell.bytes.count == otherRow.cell.bytes.count else { return false }
    return pages[row.page].bytes.withUnsafeBytes { left in
      other.pages[otherRow.page].bytes.withUnsafeBytes { right in
        left[row.cell.bytes].elementsEqual(right[otherRow.cell.bytes])
      }
    }
  }
}
