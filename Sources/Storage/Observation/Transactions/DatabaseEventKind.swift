/// A kind of changes that a statement can make to the rows of a table.
public enum DatabaseEventKind: Hashable, Sendable {
  /// Rows are inserted.
  case insert(tableName: String)
  /// Rows are deleted.
  case delete(tableName: String)
  /// Rows are updated, by a statement that sets these columns. For changes through
  /// ``Database/sqliteConnection``, the columns are unknown, and the set is empty.
  case update(tableName: String, columnNames: Set<String>)

  /// The table, as it was declared.
  public var tableName: String {
    switch self {
    case .insert(let tableName), .delete(let tableName), .update(let tableName, _): tableName
    }
  }
}
