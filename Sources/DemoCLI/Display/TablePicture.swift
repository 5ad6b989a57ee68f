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
  /// The reason why there is no newer value.
  var problem: String?
}
