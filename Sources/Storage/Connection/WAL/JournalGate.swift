internal import Dispatch
internal import WellspringPlatform

/// Lets a watcher read a file only while nobody writes it.
///
/// Without a WAL, a read that overlaps another process's commit makes that commit fail with
/// "database is locked". A rollback journal with content says that a transaction is under way: its
/// commit ends with the removal of the journal.
enum JournalGate {
  /// Whether a transaction seems to be under way.
  static func isClosed(path: String) -> Bool {
    guard let journal = FileStatus(path: path + "-journal"), journal.size > 0 else { return false }
    // A journal that nobody has touched for long belongs to a transaction that waits, or was left by a
    // process that died: SQLite tells them apart.
    guard WallClock.now - journal.modificationTime < staleAfter else { return false }
    // One that is kept between transactions (`journal_mode=PERSIST`) begins with zeros. It carries no
    // locks, so that it may be opened.
    return FileHead.firstByte(path: path + "-journal") != 0
  }

  /// Waits until no transaction seems to be under way, for a second at most: then SQLite's locks decide.
  ///
  /// - Throws: `CancellationError`.
  static func waitUntilOpen(path: String, _ cancellation: Cancellation) throws {
    guard isClosed(path: path) else { return }
    let deadline = DispatchTime.now() + 1
    repeat {
      if cancellation.isRequested { throw CancellationError() }
      guard DispatchTime.now() < deadline else { return }
      CurrentThread.pause(microseconds: 200)
    } while isClosed(path: path)
  }

  private static let staleAfter: Int64 = 1_000_000_000
}
