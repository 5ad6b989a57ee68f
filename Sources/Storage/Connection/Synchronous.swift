extension Configuration {
  /// How thoroughly a commit is synced to disk.
  /// https://www.sqlite.org/pragma.html#pragma_synchronous
  public enum Synchronous: String, Sendable {
    /// Like `full`; the directory is synced too, after a rollback journal is deleted.
    case extra = "EXTRA"
    /// An acknowledged commit survives a power cut. A connection that opens a file without a WAL
    /// uses SQLite's `EXTRA` for this, because `FULL` does not sync the deletion of the journal.
    case full = "FULL"
    /// Faster than `full`. In WAL mode, a power cut may undo the last commits, but never corrupts
    /// the file.
    case normal = "NORMAL"
    /// A power cut may corrupt the file.
    case off = "OFF"
  }
}
