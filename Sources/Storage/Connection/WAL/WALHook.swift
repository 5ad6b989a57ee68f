internal import CWellspringSQLite

/// Is called after each commit in WAL mode, in the place of SQLite's own checkpoints.
/// https://www.sqlite.org/c3ref/wal_hook.html
final class WALHook {
  /// After how many pages in the WAL to checkpoint; 0 for never.
  var threshold: Int

  private let didCommit: (_ pageCount: Int, _ threshold: Int) -> Void

  /// - Parameters:
  ///   - threshold: After how many pages to checkpoint.
  ///   - didCommit: Called in the access, after the commit of `main`, with the length of the WAL.
  init(threshold: Int, didCommit: @escaping (_ pageCount: Int, _ threshold: Int) -> Void) {
    self.threshold = threshold
    self.didCommit = didCommit
  }

  /// Starts to listen to `connection`, which must not outlive the hook.
  ///
  /// - Returns: The context of the hook that was replaced.
  @discardableResult
  func install(on connection: OpaquePointer) -> UnsafeMutableRawPointer? {
    sqlite3_wal_hook(
      connection,
      { context, connection, schema, pageCount in
        Unmanaged<WALHook>.fromOpaque(context!).takeUnretainedValue()
          .didCommit(connection, schema, Int(pageCount))
        // What goes wrong with a checkpoint is no error of the commit.
        return SQLITE_OK
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  /// Takes the place back, and the threshold over, if SQLite has compiled `PRAGMA wal_autocheckpoint = N`
  /// and replaced the hook by its own, whose context is the number.
  ///
  /// - Returns: Whether it has.
  @discardableResult
  func reinstall(on connection: OpaquePointer) -> Bool {
    let context = install(on: connection)
    guard context != Unmanaged.passUnretained(self).toOpaque() else { return false }
    threshold = Int(bitPattern: context)
    return true
  }

  /// Lets SQLite make a call that it has left out, unless a transaction runs.
  ///
  /// It calls the hook when a statement has run to its end. One that commits when it is reset, or that
  /// fails, leaves that to the next one.
  func catchUp(on connection: OpaquePointer) {
    sqlite3_exec(connection, "SELECT 1 WHERE 0", nil, nil, nil)
  }

  private func didCommit(
    _ connection: OpaquePointer?,
    _ schema: UnsafePointer<CChar>?,
    _ pageCount: Int
  ) {
    guard let schema, sqlite3_stricmp(schema, "main") == 0 else {
      // Attached databases are checkpointed as SQLite does.
      if threshold > 0, pageCount >= threshold {
        sqlite3_wal_checkpoint_v2(connection, schema, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
      }
      return
    }
    didCommit(pageCount, threshold)
  }
}
