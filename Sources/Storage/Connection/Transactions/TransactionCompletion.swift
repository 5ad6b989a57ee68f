extension Database {
  /// How a transaction or a savepoint ends.
  public enum TransactionCompletion: Sendable {
    /// The changes are kept.
    case commit
    /// The changes are undone.
    case rollback
  }
}
