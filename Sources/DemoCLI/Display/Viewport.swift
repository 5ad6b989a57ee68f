/// Which rows of a long table are in the window.
struct Viewport: Equatable {
  /// The rows that are shown.
  let rows: Range<Int>
  /// Whether a line says how many rows there are above.
  var hasRowsAbove: Bool { rows.lowerBound > 0 }
  /// Whether a line says how many rows there are below.
  let hasRowsBelow: Bool

  /// How many rows before the first marked one are shown with it.
  private static let context = 2

  /// Chooses rows for some lines, of which the notes about hidden rows take one each.
  ///
  /// The table is shown from its top, unless all that has changed is further down: then from just
  /// above the first change.
  ///
  /// - Parameters:
  ///   - rowCount: How many rows there are.
  ///   - firstMark: The first row that is marked.
  ///   - height: How many lines there are.
  init(rowCount: Int, firstMark: Int?, height: Int) {
    guard rowCount > height else {
      rows = 0..<rowCount
      hasRowsBelow = false
      return
    }
    let fromTop = max(0, height - 1)
    guard let firstMark, firstMark >= fromTop, height >= 3 else {
      rows = 0..<fromTop
      hasRowsBelow = true
      return
    }
    let start = firstMark - min(Self.context, height - 3)
    if rowCount - start <= height - 1 {
      rows = (rowCount - (height - 1))..<rowCount
      hasRowsBelow = false
    } else {
      rows = start..<(start + height - 2)
      hasRowsBelow = true
    }
  }
}
