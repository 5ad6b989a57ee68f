/// The change of one row, as a ``TransactionObserver`` sees it.
public struct DatabaseEvent: Hashable, Sendable {
  /// How the row has changed.
  public enum Kind: Hashable, Sendable {
    /// The row is new.
    case insert
    /// The row was deleted.
    case delete
    /// Some of the row's values may have changed.
    case update
  }

  /// How the row has changed.
  public let kind: Kind
  /// The database in the connection: `main`, `temp`, or the name of an attached one.
  public let databaseName: String
  /// The table, as it was declared.
  public let tableName: String
  /// The row id; the new one after an update that has changed it; `nil` in a table `WITHOUT ROWID`.
  public let rowID: Int64?
  /// The row id before an update that has changed it.
  public let previousRowID: Int64?

  /// Returns the event itself, which may be kept.
  public func copy() -> DatabaseEvent { self }
}
