internal import CWellspringSQLite

/// A change of a changeset that the database does not fit.
/// https://www.sqlite.org/session/c_changeset_conflict.html
public struct ChangesetConflict: Hashable, Sendable {
  /// Why the change does not fit.
  public enum Reason: Hashable, Sendable {
    /// The row to update or to delete has other values than the changeset knows.
    case data
    /// The row to update or to delete does not exist.
    case notFound
    /// The row to insert exists already.
    case exists
    /// The change would violate a constraint, such as `UNIQUE` or `NOT NULL`.
    case constraint
    /// After all changes, this many foreign keys would be violated.
    case foreignKeys(count: Int)
  }

  /// What is to be done.
  public enum Resolution: Hashable, Sendable {
    /// The change is left out.
    case omit
    /// The row of the database is overwritten. It is an answer to ``Reason/data`` and
    /// ``Reason/exists`` only; others make the whole fail with `SQLITE_MISUSE`.
    case replace
    /// Nothing of the changeset is applied.
    case abort
  }

  /// Why the change does not fit.
  public let reason: Reason
  /// The change; `nil` for ``Reason/foreignKeys(count:)``.
  public let operation: Changeset.Operation?
  /// By column: the values of the row in the database, for ``Reason/data`` and ``Reason/exists``.
  public let currentValues: [DatabaseValue?]

  init(_ code: Int32, _ iterator: OpaquePointer) {
    guard code != SQLITE_CHANGESET_FOREIGN_KEY else {
      var count: Int32 = 0
      sqlite3changeset_fk_conflicts(iterator, &count)
      reason = .foreignKeys(count: Int(count))
      operation = nil
      currentValues = []
      return
    }
    let operation = Changeset.Operation(iterator)
    self.operation = operation
    reason =
      switch code {
      case SQLITE_CHANGESET_DATA: .data
      case SQLITE_CHANGESET_NOTFOUND: .notFound
      case SQLITE_CHANGESET_CONFLICT: .exists
      default: .constraint
      }
    switch reason {
    case .data, .exists:
      currentValues = Changeset.Operation.values(
        iterator,
        Int32(operation.isPrimaryKey.count),
        read: sqlite3changeset_conflict
      )
    case .notFound, .constraint, .foreignKeys:
      currentValues = []
    }
  }
}

extension ChangesetConflict.Resolution {
  var code: Int32 {
    switch self {
    case .omit: SQLITE_CHANGESET_OMIT
    case .replace: SQLITE_CHANGESET_REPLACE
    case .abort: SQLITE_CHANGESET_ABORT
    }
  }
}
