/// The part of a long table that is shown in the window.
struct Viewport: Equatable {
  /// The rows that are shown.
  let rows: Range<Int>
  /// Whether a note counts the hidden rows above.
  var hasRowsAbove: Bool { rows.lowerBound > 0 }
  /// Whether a note counts the hidden rows below.
  let hasRowsBelow: Bool

  /// The number of rows that are shown before the first marked row.
  private static let context = 2

  /// Chooses the rows for a number of lines. Each note about hidden rows takes one line.
  ///
  /// The table is shown from its top, unless all changes are further down. Then it is shown from
  /// just above the first change.
  ///
  /// - Parameters:
  ///   - rowCount: The number of rows.
  ///   - firstMark: The index of the first marked row, if any.
  ///   - height: The number of lines.
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
