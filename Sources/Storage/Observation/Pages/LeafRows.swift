/// Rows in some leaves of a table, in the order of their ids.
struct LeafRows {
  private let leaves: [DatabasePage]
  private var rows: [(cell: DatabasePage.Cell, page: Int)] = []

  /// Reads leaves.
  ///
  /// - Parameters:
  ///   - leaves: The leaves.
  ///   - equal: The cells of leaves that are not read.
  /// - Throws: ``PageObstacle/damaged``.
  init(
    _ leaves: [DatabasePage],
    without equal: [DatabasePage.Number: EqualCells] = [:]
  ) throws(PageObstacle) {
    for (index, leaf) in leaves.enumerated() {
      var size = 0
      let equalCells = equal[leaf.number]
      for offset in try leaf.cells() where equalCells?.contains(offset) != true {
        guard let cell = try leaf.cell(at: offset) else { continue }
        // Cells do not overlap.
        size += cell.bytes.count
        guard size <= leaf.usableSize else { throw .damaged }
        rows.append((cell, index))
      }
    }
    self.leaves = leaves
    // The rows of a page are in order.
    rows.sort { $0.cell.rowID < $1.cell.rowID }
  }

  var count: Int { rows.count }

  func id(_ index: Int) -> Int64 { rows[index].cell.rowID }

  func cell(_ index: Int) -> DatabasePage.Cell { rows[index].cell }

  /// Reads the record of a row.
  func record(_ index: Int) -> RecordFields {
    RecordFields(of: rows[index].cell, in: leaves[rows[index].page])
  }

  /// Whether the bytes of a row are those of a row of other leaves.
  func isEqual(_ index: Int, to other: LeafRows, _ otherIndex: Int) -> Bool {
    let (row, otherRow) = (rows[index], other.rows[otherIndex])
    return leaves[row.page].isEqual(row.cell, to: other.leaves[otherRow.page], otherRow.cell.bytes)
  }
}
