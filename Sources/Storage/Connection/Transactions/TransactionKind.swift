extension Database {
  /// The locks that a transaction takes when it begins.
  /// https://www.sqlite.org/lang_transaction.html
  public enum TransactionKind: String, Sendable {
    /// No lock: the first read takes a snapshot, and the first write takes the write lock.
    case deferred = "DEFERRED"
    /// The write lock.
    case immediate = "IMMEDIATE"
    /// The write lock. Outside WAL mode, it also keeps readers out.
    case exclusive = "EXCLUSIVE"
  }
}
