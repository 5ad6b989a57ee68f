internal import CWellspringSQLite

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

/// The change of one row that is about to happen, with the values before and after it.
///
/// It is valid in ``TransactionObserver/databaseWillChange(with:)`` only: copy what you need.
/// SQLite keeps whole numbers of REAL columns as integers, and may show them as integers.
/// https://www.sqlite.org/c3ref/preupdate_blobwrite.html
public struct DatabasePreUpdateEvent {
  private let row: PreupdateRow
  /// The change.
  public let event: DatabaseEvent

  init(row: PreupdateRow, event: DatabaseEvent) {
    self.row = row
    self.event = event
  }

  /// How the row will change.
  public var kind: DatabaseEvent.Kind { event.kind }
  /// The database in the connection: `main`, `temp`, or the name of an attached one.
  public var databaseName: String { event.databaseName }
  /// The table, as it was declared.
  public var tableName: String { event.tableName }
  /// The row id before the change; `nil` for an insertion, and in a table `WITHOUT ROWID`.
  public var initialRowID: Int64? {
    kind == .insert ? nil : event.previousRowID ?? event.rowID
  }
  /// The row id after the change; `nil` for a deletion, and in a table `WITHOUT ROWID`.
  public var finalRowID: Int64? { kind == .delete ? nil : event.rowID }

  /// How many columns the table has, including virtual generated columns, which have no values
  /// here.
  public var count: Int { row.count }

  /// 0 for a change by a statement itself, 1 for a change by a trigger or foreign key that this
  /// change sets off, and so on.
  public var depth: Int { Int(sqlite3_preupdate_depth(row.connection)) }

  /// The values of the row before the change, in the order in which they are stored, without
  /// virtual generated columns; `nil` for an insertion.
  public var initialDatabaseValues: [DatabaseValue]? {
    hasInitialValues ? (0..<count).compactMap(initialDatabaseValue(atIndex:)) : nil
  }

  /// The values of the row after the change, in the order in which they are stored, without virtual
  /// generated columns; `nil` for a deletion, and where only a blob is written in place.
  public var finalDatabaseValues: [DatabaseValue]? {
    hasFinalValues ? (0..<count).compactMap(finalDatabaseValue(atIndex:)) : nil
  }

  private var hasInitialValues: Bool { kind != .insert }
  private var hasFinalValues: Bool {
    kind != .delete && row.writtenBlob == nil
  }

  /// Returns the value of a column before the change; `nil` for an insertion, and for a virtual
  /// generated column. The index is SQLite's number of the column, which follows special rules in a
  /// table with virtual generated columns.
  ///
  /// - Precondition: The index is less than ``count``.
  public func initialDatabaseValue(atIndex index: Int) -> DatabaseValue? {
    value(at: index, exists: hasInitialValues, row.old)
  }

  /// Returns the value of a column after the change; `nil` for a deletion, where only a blob is
  /// written in place, and for a virtual generated column. The index is SQLite's number of the
  /// column, which follows special rules in a table with virtual generated columns.
  ///
  /// - Precondition: The index is less than ``count``.
  public func finalDatabaseValue(atIndex index: Int) -> DatabaseValue? {
    value(at: index, exists: hasFinalValues, row.new)
  }

  private func value(
    at index: Int,
    exists: Bool,
    _ value: (Int32) -> OpaquePointer?
  ) -> DatabaseValue? {
    precondition(
      (0..<count).contains(index),
      "The row has no column \(index). Its columns are numbered from 0 to \(count - 1)."
    )
    guard exists, let value = value(Int32(index)) else { return nil }
    return ColumnValue(sqliteValue: value).databaseValue
  }
}
