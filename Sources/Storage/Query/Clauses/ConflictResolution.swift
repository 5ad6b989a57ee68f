extension Database {
  /// What SQLite does when a row violates a constraint. https://www.sqlite.org/lang_conflict.html
  public enum ConflictResolution: String, Sendable {
    /// The transaction is rolled back.
    case rollback = "ROLLBACK"
    /// The statement fails and its changes are undone. This is SQLite's default.
    case abort = "ABORT"
    /// The statement fails, and keeps the changes that it made before.
    case fail = "FAIL"
    /// The row is skipped.
    case ignore = "IGNORE"
    /// The conflicting rows are deleted first.
    case replace = "REPLACE"

    /// ` OR IGNORE`; empty for the default.
    var sql: String { self == .abort ? "" : " OR \(rawValue)" }
  }
}
