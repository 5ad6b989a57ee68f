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

/// Whether connections to a file read its WAL.
///
/// A WAL can stay beside a file that was never in WAL mode: when such a file is moved to the place
/// of one that was, or when the last process ended without removing it. SQLite uses a WAL that has
/// content. An empty one counts only if the header of the database says that it is in WAL mode.
/// https://www.sqlite.org/fileformat2.html#file_format_version_numbers
enum WALPresence {
  /// Returns whether connections to the file at `path` read a WAL.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - probes: What reads its header without ending its locks.
  /// - Returns: Whether a WAL is read; `true` if the header cannot be read.
  static func isUsed(path: String, probes: FileProbes) -> Bool {
    guard let log = FileStatus(path: path + "-wal") else { return false }
    guard log.size == 0, let probe = probes.probe(path) else { return true }
    let header = probe.prefix(readVersion + 1)
    return header.count <= readVersion || header[readVersion] == walVersion
  }

  /// The place of the version that a reader of the file must know, and its value in WAL mode.
  private static let readVersion = 19
  private static let walVersion: UInt8 = 2
}
