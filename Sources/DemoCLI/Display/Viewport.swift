/// The part of a long table that is shown in the window.
struct Viewport: Equatable {
  /// The rows that are shown.
  let rows: Range<Int>
  /// Whether a note counts the hidden rows above.
  let hasRowsAbove: Bool
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
      hasRowsAbove = false
      hasRowsBelow = false
      return
    }
    let fromTop = max(0, height - 1)
    guard let firstMark, firstMark >= fromTop, height >= 3 else {
      rows = 0..<fromTop
      hasRowsAbove = false
      hasRowsBelow = true
      return
    }
    hasRowsAbove = true
    let start = firstMark - min(Self.context, height - 3)
    if rowCount - start <= height - 1 {
      rows = (rowCount - (height - 1))..<rowCount
      hasRowsBelow = false
    } else {
      rows = start..<(start + height - 2)
      hasRowsBelow = true
    }
  }

  /// Shows the rows from `first` on, as far as there are enough rows.
  ///
  /// - Parameters:
  ///   - first: The index of the row at the top.
  ///   - rowCount: The number of rows.
  ///   - above: The number of further rows before them.
  ///   - below: The number of further rows after them.
  ///   - height: The number of lines.
  init(from first: Int, rowCount: Int, above: Int, below: Int, height: Int) {
    // With a note above, one line less is left for rows.
    let lastStart = below == 0 ? max(0, rowCount - max(1, height - 1)) : rowCount
    let fits = above == 0 && below == 0 && rowCount <= height
    let start = fits ? 0 : max(0, min(first, lastStart))
    hasRowsAbove = start + above > 0
    let room = max(0, height - (hasRowsAbove ? 1 : 0))
    hasRowsBelow = rowCount - start > room || below > 0
    rows = start..<min(rowCount, start + max(0, room - (hasRowsBelow ? 1 : 0)))
  }
}
