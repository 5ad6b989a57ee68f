internal import Storage

/// The result of a watched query at one moment.
struct WatchedResult: Equatable, Sendable {
  /// The names of the columns, which need not be unique.
  var columns: [String]

  /// The values of the rows.
  var rows: [[DatabaseValue]]

  /// The key of each row, in the order of ``rows``; `nil` if the whole row is its key.
  var keys: [[DatabaseValue]]?

  init(columns: [String], rows: [[DatabaseValue]], keys: [[DatabaseValue]]? = nil) {
    self.columns = columns
    self.rows = rows
    self.keys = keys
  }

  /// Returns the key of a row.
  func key(ofRow index: Int) -> [DatabaseValue] {
    keys?[index] ?? rows[index]
  }
}
