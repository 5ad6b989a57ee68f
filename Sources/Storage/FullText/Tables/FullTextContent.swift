/// Where a full-text table stores its texts.
enum FullTextContent {
  /// In the table itself.
  case own
  /// Nowhere: the table can be searched, but returns no texts.
  case nowhere
  /// In another table or view. The application updates the index when it changes.
  case external(String)
  /// In another table. Triggers update the index when it changes.
  case synchronized(String)

  /// - Parameter tableName: The name of the other table; empty when the texts are not stored, `nil`
  ///   when the full-text table stores them.
  init(tableName: String?) {
    switch tableName {
    case nil: self = .own
    case "": self = .nowhere
    case let table?: self = .external(table)
    }
  }

  /// The name of the other table; empty when the texts are not stored, `nil` when the full-text
  /// table stores them.
  var tableName: String? {
    switch self {
    case .own: nil
    case .nowhere: ""
    case .external(let table), .synchronized(let table): table
    }
  }

  /// The table whose changes reach the index by triggers.
  var synchronizedTable: String? { if case .synchronized(let table) = self { table } else { nil } }
}
