extension Database {
  /// What a connection is for.
  enum Role {
    /// Reads and writes.
    case writer
    /// Reads, concurrently with the writer of the same pool.
    case reader
    /// Reads a file that is only watched.
    case watcher
    /// Reads a file that is only watched, and takes no locks: see ``UnlockedReader``.
    case unlockedWatcher
    /// Reads in one transaction, which lasts as long as the connection.
    case snapshot
  }
}
