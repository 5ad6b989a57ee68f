/// The names of the columns of a result, shared by all of its rows.
@usableFromInline
final class RowLayout: Sendable {
  let columnNames: [String]
  private let lowercasedNames: [String]
  /// By column, whether another one has the same name; empty when none has.
  private let isDuplicate: [Bool]

  init(columnNames: [String]) {
    self.columnNames = columnNames
    let names = columnNames.map(\.asciiLowercased)
    lowercasedNames = names
    isDuplicate =
      Set(names).count == names.count
      ? [] : names.map { name in names.count { $0 == name } > 1 }
  }

  /// The leftmost column called `name`, in whatever case.
  func index(ofColumn name: String) -> Int? {
    lowercasedNames.firstIndex(of: name.asciiLowercased)
  }

  /// Whether several columns have one name.
  var hasDuplicates: Bool { !isDuplicate.isEmpty }

  /// Whether another column has the name of this one.
  @usableFromInline
  func isAmbiguous(_ column: Int) -> Bool { !isDuplicate.isEmpty && isDuplicate[column] }
}
