/// What kind of changes a statement can make to the rows of a table.
public enum DatabaseEventKind: Hashable, Sendable {
  /// Rows are inserted.
  case insert(tableName: String)
  /// Rows are deleted.
  case delete(tableName: String)
  /// Rows are updated, by a statement that sets these columns. No columns are known of changes that
  /// come through ``Database/sqliteConnection``.
  case update(tableName: String, columnNames: Set<String>)

  /// The table, as it was declared.
  public var tableName: String {
    switch self {
    case .insert(let tableName), .delete(let tableName), .update(let tableName, _): tableName
    }
  }
}

/// The change of one row, as a ``TransactionObserver`` is told of it.
public struct DatabaseEvent: Hashable, Sendable {
  /// How the row has changed.
  public enum Kind: Hashable, Sendable {
    /// It is new.
    case insert
    /// It is gone.
    case delete
    /// Some of its values may be others.
    case update
  }

  /// How the row has changed.
  public let kind: Kind
  /// The database in the connection: `main`, `temp`, or the name of an attached one.
  public let databaseName: String
  /// The table, as it was declared.
  public let tableName: String
  /// The row id, after an update that has changed it the new one; `nil` in a table
  /// `WITHOUT ROWID`.
  public let rowID: Int64?
  /// The row id before an update that has changed it.
  public let previousRowID: Int64?
}
