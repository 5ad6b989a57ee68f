internal import CWellspringSQLite
internal import WellspringSystem

/// The one WAL hook of a writing connection: it is called after each commit in WAL mode, in place
/// of SQLite's own checkpoints. https://www.sqlite.org/c3ref/wal_hook.html
///
/// The connection's ``Database`` owns it, so that it lives as long as the connection.
final class WALHook {
  /// After how many pages in the WAL to checkpoint; 0 for never.
  var threshold: Int

  /// How many commits to `main` the hook has reported.
  private(set) var commitCount = 0

  private let connection: OpaquePointer
  private let didCommit: (_ pageCount: Int, _ threshold: Int) -> Void

  /// Installs the hook.
  ///
  /// - Parameters:
  ///   - connection: The connection, which must not outlive the hook.
  ///   - threshold: After how many pages to checkpoint.
  ///   - didCommit: Called in the access, after a commit to `main`, with the length of the WAL in
  ///     pages.
  init(
    on connection: OpaquePointer,
    threshold: Int,
    didCommit: @escaping (_ pageCount: Int, _ threshold: Int) -> Void
  ) {
    self.connection = connection
    self.threshold = threshold
    self.didCommit = didCommit
    install()
  }

  /// - Returns: The context of the hook that was replaced.
  @discardableResult
  private func install() -> UnsafeMutableRawPointer? {
    sqlite3_wal_hook(
      connection,
      { context, connection, schema, pageCount in
        Unmanaged<WALHook>.fromOpaque(context!).takeUnretainedValue()
          .hookDidFire(connection, schema, Int(pageCount))
        // The error of a checkpoint is not an error of the commit.
        return SQLITE_OK
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  /// Installs the hook again if SQLite has compiled `PRAGMA wal_autocheckpoint = N`, which replaces
  /// it by SQLite's own, and adopts its threshold.
  ///
  /// - Returns: Whether the hook was replaced.
  @discardableResult
  func reinstall() -> Bool {
    let context = install()
    guard context != Unmanaged.passUnretained(self).toOpaque() else { return false }
    // The context of SQLite's own hook is the threshold.
    threshold = Int(bitPattern: context)
    return true
  }

  /// Makes SQLite deliver a call that it has left out, unless a transaction runs.
  ///
  /// SQLite calls the hook when a statement has run to its end. For a commit that happens when a
  /// statement is reset, or when it fails, SQLite calls the hook after the next statement.
  func catchUp() {
    sqlite3_exec(connection, "SELECT 1 WHERE 0", nil, nil, nil)
  }

  private func hookDidFire(
    _ connection: OpaquePointer?,
    _ schema: UnsafePointer<CChar>?,
    _ pageCount: Int
  ) {
    guard let schema, sqlite3_stricmp(schema, "main") == 0 else {
      // Attached databases are checkpointed as SQLite does it.
      if threshold > 0, pageCount >= threshold {
        sqlite3_wal_checkpoint_v2(connection, schema, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
      }
      return
    }
    commitCount += 1
    didCommit(pageCount, threshold)
  }
}
