/// Where a full-text table has its texts.
enum FullTextContent {
  /// In the table itself.
  case own
  /// Nowhere: the table can be searched, but gives no text back.
  case nowhere
  /// In another table or view, whose changes are put into the index by somebody else.
  case external(String)
  /// In another table, whose triggers put its changes into the index.
  case synchronized(String)

  /// - Parameter tableName: The name of the other table; empty for none.
  init(tableName: String?) {
    switch tableName {
    case nil: self = .own
    case "": self = .nowhere
    case let table?: self = .external(table)
    }
  }

  /// The name of the other table; empty for none.
  var tableName: String? {
    switch self {
    case .own: nil
    case .nowhere: ""
    case .external(let table), .synchronized(let table): table
    }
  }

  /// The table that is kept in step by triggers.
  var synchronizedTable: String? { if case .synchronized(let table) = self { table } else { nil } }
}
