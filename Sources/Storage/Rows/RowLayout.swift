/// The names of the columns of a result, shared by all of its rows.
@usableFromInline
final class RowLayout: Sendable {
  let columnNames: [String]

  init(columnNames: [String]) {
    self.columnNames = columnNames
  }

  /// The leftmost column called `name`: an exact match wins over one in another case.
  func index(ofColumn name: String) -> Int? {
    if let index = columnNames.firstIndex(of: name) { return index }
    let lowercased = name.asciiLowercased
    return columnNames.firstIndex { $0.asciiLowercased == lowercased }
  }
}
