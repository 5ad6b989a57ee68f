extension Database {
  /// Where SQLite keeps what it needs to roll a transaction back.
  /// https://www.sqlite.org/pragma.html#pragma_journal_mode
  public enum JournalMode: String, Sendable {
    /// A rollback journal, which is deleted at the commit.
    case delete
    /// A rollback journal, which is truncated to zero bytes at the commit.
    case truncate
    /// A rollback journal, whose header is overwritten at the commit.
    case persist
    /// A rollback journal in memory: a crash during a commit corrupts the file.
    case memory
    /// A write-ahead log.
    case wal
    /// No journal: transactions cannot be rolled back.
    case off
  }
}
