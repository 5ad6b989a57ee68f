/// The cells of a leaf that commits have left at their offsets, with their bytes.
///
/// A commit changes few cells of most pages that it writes. The others need not be read as rows.
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
