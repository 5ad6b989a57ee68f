/// The sign and the styles that make the mark of a row visible.
struct RowStyle {
  /// The sign before the row, which shows the mark even without colours.
  let sign: String
  let signStyle: TextStyle
  private let mark: RowMark

  init(_ mark: RowMark) {
    self.mark = mark
    switch mark {
    case .unchanged: (sign, signStyle) = (" ", .plain)
    case .added: (sign, signStyle) = ("+", .added)
    case .changed: (sign, signStyle) = ("~", .changed)
    case .removed: (sign, signStyle) = ("-", .problem)
    }
  }

  /// Returns the style of a cell of the row.
  func style(ofColumn column: Int, isNull: Bool) -> TextStyle {
    switch mark {
    case .added: .added
    case .removed: .removed
    case .changed(let columns) where columns.contains(column): .changedCell
    case .changed, .unchanged: isNull ? .faint : .plain
    }
  }
}
