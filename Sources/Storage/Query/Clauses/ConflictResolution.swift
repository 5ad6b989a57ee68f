extension Database {
  /// What happens when a row violates a constraint. https://www.sqlite.org/lang_conflict.html
  public enum ConflictResolution: String, Sendable {
    /// The transaction is rolled back.
    case rollback = "ROLLBACK"
    /// The statement fails, and is undone: SQLite's default.
    case abort = "ABORT"
    /// The statement fails; the rows before stay changed.
    case fail = "FAIL"
    /// The row is left out.
    case ignore = "IGNORE"
    /// The rows in the way are deleted.
    case replace = "REPLACE"

    /// ` OR IGNORE`; nothing for the default.
    var sql: String { self == .abort ? "" : " OR \(rawValue)" }
  }
}
