internal import CWellspringSQLite

/// A change of a changeset that cannot be applied, because the database has another content.
/// https://www.sqlite.org/session/c_changeset_conflict.html
public struct ChangesetConflict: Hashable, Sendable {
  /// The reason of a conflict.
  public enum Reason: Hashable, Sendable {
    /// The row to update or to delete has other values than in the changeset.
    case data
    /// The row to update or to delete does not exist.
    case notFound
    /// The row to insert already exists.
    case exists
    /// The change would violate a constraint, such as `UNIQUE` or `NOT NULL`.
    case constraint
    /// After all changes, this number of foreign keys would be violated.
    case foreignKeys(count: Int)
  }

  /// The way to resolve a conflict.
  public enum Resolution: Hashable, Sendable {
    /// Skips the change.
    case omit
    /// Overwrites the row of the database. It resolves only ``Reason/data`` and ``Reason/exists``;
    /// for another reason, the whole application fails with `SQLITE_MISUSE`.
    case replace
    /// Applies no change of the changeset.
    case abort
  }

  /// The reason of the conflict.
  public let reason: Reason
  /// The change; `nil` for ``Reason/foreignKeys(count:)``.
  public let operation: Changeset.Operation?
  /// For each column, the value of the row in the database. Only ``Reason/data`` and
  /// ``Reason/exists`` have these values.
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

extension ChangesetConflict {
  /// The conflict in words.
  var problem: String {
    if case .foreignKeys(let count) = reason {
      return "the changeset cannot be applied: \(count) foreign keys would be violated"
    }
    let what =
      switch reason {
      case .data: "the row to change has other values in"
      case .notFound: "the row to change does not exist in"
      case .exists: "the row to insert exists already in"
      case .constraint, .foreignKeys: "a change would violate a constraint of"
      }
    return "the changeset cannot be applied: \(what) the table \(operation?.tableName ?? "?")"
  }
}
