internal import Storage

/// Which part of a result a pane shows, and how.
struct PaneView: Equatable, Sendable {
  /// The column by which the rows are sorted, if the user chose one.
  struct Sort: Equatable, Sendable {
    var column: Int
    var name: String
    var isDescending = false

    /// Returns the same order of a result with these columns, by the name of the column; `nil` if
    /// the result does not have the column.
    func order(of columns: [String]) -> Sort? {
      if columns.indices.contains(column), columns[column] == name { return self }
      guard let index = columns.firstIndex(of: name) else { return nil }
      return Sort(column: index, name: name, isDescending: isDescending)
    }
  }

  var sort: Sort?
  /// A text that each shown row contains, ignoring case; empty for all rows.
  var filter = ""
  /// The index of the row at the top; `nil` to follow the changes.
  var firstRow: Int?
  /// Whether the last rows are shown, in later states, too.
  var isAtEnd = false
  /// The index of the column at the left.
  var firstColumn = 0

  /// The order and the filter that give the rows their indexes.
  struct Order: Equatable, Sendable {
    var sort: Sort?
    var filter = ""
  }

  var order: Order { Order(sort: sort, filter: filter) }

  /// Returns the clauses of a query of the result, whose columns are `c0`, `c1` and so on.
  func clauses(columnCount: Int) -> (condition: String, order: String) {
    var condition = ""
    if !filter.isEmpty, columnCount > 0 {
      let pattern = "lower('\(filter.replacingScalar("'", with: "''"))')"
      let terms = (0..<columnCount).map { "instr(lower(c\($0)), \(pattern))" }
      condition = " WHERE (\(terms.joined(separator: " OR ")))"
    }
    guard let sort else { return (condition, "") }
    return (condition, " ORDER BY c\(sort.column)\(sort.isDescending ? " DESC" : "")")
  }
}
