/// The column names of a result, shared by all of its rows.
@usableFromInline
final class RowLayout: Sendable {
  let columnNames: [String]
  private let lowercasedNames: [String]
  /// For each column, whether another column has the same name; empty when all names are unique.
  private let isDuplicate: [Bool]

  init(columnNames: [String]) {
    self.columnNames = columnNames
    let names = columnNames.map(\.asciiLowercased)
    lowercasedNames = names
    isDuplicate =
      Set(names).count == names.count
      ? [] : names.map { name in names.count { $0 == name } > 1 }
  }

  /// Returns the leftmost column named `name`, ignoring case.
  func index(ofColumn name: String) -> Int? {
    lowercasedNames.firstIndex(of: name.asciiLowercased)
  }

  /// Whether several columns have the same name.
  var hasDuplicates: Bool { !isDuplicate.isEmpty }

  /// Returns whether another column has the same name as this column.
  @usableFromInline
  func isAmbiguous(_ column: Int) -> Bool { !isDuplicate.isEmpty && isDuplicate[column] }
}
