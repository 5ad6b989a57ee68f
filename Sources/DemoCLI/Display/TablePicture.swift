/// The contents of a terminal that shows a watch.
struct TablePicture: Equatable {
  /// The title of the watch in several lengths, from the longest to the shortest.
  var titles: [String]
  /// The facts to show after the title, the most important first.
  var facts: [String] = []
  /// The names of the columns.
  var columns: [String] = []
  /// The rows, and the rows that were removed since the previous value.
  var rows: [MarkedRow] = []
  /// The index of the row at the top; `nil` to show the first change.
  var firstRow: Int?
  /// The number of rows before and after ``rows``, which were not fetched.
  var rowsAbove = 0
  var rowsBelow = 0
  /// The number of marked rows among them.
  var marksAbove = 0
  var marksBelow = 0
  /// The index of the column at the left.
  var firstColumn = 0
  /// The index of the row that is selected.
  var selectedRow: Int?
  /// The columns at the left that are not scrolled, such as the columns of the key.
  var fixedColumns: [Int] = []
  /// The widths of the columns in earlier pictures, which they keep.
  var widths: ColumnWidths?
  /// The column by which the rows are sorted, if the user chose one.
  var sort: PaneView.Sort?
  /// The reason why no newer value has come.
  var problem: String?
}
