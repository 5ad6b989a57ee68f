internal import Storage

/// What a watched query returns at one moment.
struct WatchedResult: Equatable, Sendable {
  /// The names of the columns. A name may come several times.
  var columns: [String]

  /// The values of the rows.
  var rows: [[DatabaseValue]]

  /// What tells each row from the others, in the order of ``rows``; `nil` when that is the whole row.
  var keys: [[DatabaseValue]]?

  init(columns: [String], rows: [[DatabaseValue]], keys: [[DatabaseValue]]? = nil) {
    self.columns = columns
    self.rows = rows
    self.keys = keys
  }

  /// The identity of a row.
  func key(ofRow index: Int) -> [DatabaseValue] {
    keys?[index] ?? rows[index]
  }
}

/// A value of a watch.
struct WatchedValue: Equatable, Sendable {
  /// The number that the library gave to the value.
  let number: UInt64
  let result: WatchedResult
}
