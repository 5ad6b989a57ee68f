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

  /// Whether the bytes of a row equal the bytes of a row of other leaves.
  func isEqual(_ index: Int, to other: LeafRows, _ otherIndex: Int) -> Bool {
    let (row, otherRow) = (rows[index], other.rows[otherIndex])
    return leaves[row.page].isEqual(row.cell, to: other.leaves[otherRow.page], otherRow.cell.bytes)
  }
}

/// The cells of a leaf that commits have left at their offsets, with their bytes.
///
/// A commit changes few cells of most pages that it writes. The unchanged cells need not be read as
/// rows.
struct EqualCells {
  private var cells: OffsetSet

  /// Compares the cells of a leaf before and after commits.
  ///
  /// - Throws: ``PageObstacle/damaged``.
  init(_ before: DatabasePage, _ after: DatabasePage) throws(PageObstacle) {
    cells = OffsetSet(upTo: after.usableSize)
    guard before.usableSize == after.usableSize else { return }
    var former = cells
    for offset in try before.cells() { former.insert(offset) }
    for offset in try after.cells() where former.contains(offset) {
      guard let cell = try after.cell(at: offset) else { continue }
      if after.isEqual(cell, to: before, cell.bytes) { cells.insert(offset) }
    }
  }

  func contains(_ offset: Int) -> Bool { cells.contains(offset) }
}

/// A set of offsets in a page. Those behind its end are ignored.
private struct OffsetSet {
  private var words: [UInt64]

  init(upTo size: Int) { words = [UInt64](repeating: 0, count: size / 64 + 1) }

  mutating func insert(_ offset: Int) {
    if offset / 64 < words.count { words[offset / 64] |= 1 << UInt64(offset % 64) }
  }

  func contains(_ offset: Int) -> Bool {
    offset / 64 < words.count && words[offset / 64] & 1 << UInt64(offset % 64) != 0
  }
}
