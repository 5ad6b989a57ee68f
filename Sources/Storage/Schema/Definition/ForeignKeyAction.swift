extension Database {
  /// What happens to the rows that refer to a row that is deleted or whose key changes.
  /// https://www.sqlite.org/foreignkeys.html#fk_actions
  public enum ForeignKeyAction: String, Sendable {
    /// The rows are deleted, or get the new key too.
    case cascade = "CASCADE"
    /// The change is refused immediately.
    case restrict = "RESTRICT"
    /// The columns of the foreign key become NULL.
    case setNull = "SET NULL"
    /// The columns of the foreign key get their default values.
    case setDefault = "SET DEFAULT"
    /// Nothing happens. A reference to a missing row is refused at the end of the statement, or of
    /// the transaction: SQLite's default.
    case noAction = "NO ACTION"
  }
}
