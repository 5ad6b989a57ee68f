internal import Storage

/// A row that differs between two results.
enum ResultChange: Equatable {
  case inserted([DatabaseValue])
  /// `old` are the previous values in the order of the new columns; these `columns` differ.
  case updated([DatabaseValue], old: [DatabaseValue], columns: Set<Int>)
  case removed([DatabaseValue])

  /// The name of the change in output.
  var name: String {
    switch self {
    case .inserted: "inserted"
    case .updated: "updated"
    case .removed: "removed"
    }
  }

  /// The row as it is now, or as it was before it was removed.
  var values: [DatabaseValue] {
    switch self {
    case .inserted(let values), .updated(let values, _, _), .removed(let values): values
    }
  }
}
