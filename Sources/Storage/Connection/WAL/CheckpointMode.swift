extension Database {
  /// How far a checkpoint goes. https://www.sqlite.org/c3ref/wal_checkpoint_v2.html
  public enum CheckpointMode: Int32, Sendable {
    /// Moves as many pages as possible without waiting for other connections.
    case passive = 0
    /// Waits for writers and for readers of older states, so that all pages of the WAL are moved.
    case full = 1
    /// Like `full`, and waits for all readers of the WAL, so that the next write restarts the WAL.
    case restart = 2
    /// Like `restart`, and truncates the WAL to zero bytes.
    case truncate = 3
  }
}
