internal import Dispatch
internal import WellspringPlatform

/// Lets a watcher read a file only while no other process writes it.
///
/// Without a WAL, a read that overlaps another process's commit makes that commit fail with
/// "database is locked". A rollback journal with content means that a transaction is under way: its
/// commit ends when the journal is deleted.
enum JournalGate {
  /// Returns whether a transaction seems to be under way.
  static func isClosed(path: String) -> Bool {
    guard let journal = FileStatus(path: path + "-journal"), journal.size > 0 else { return false }
    // A journal that was not modified for long belongs to a transaction that pauses, or to a
    // process that died. SQLite distinguishes the two when the watcher reads.
    // One from the future was modified before the clock was set back: it says nothing either.
    let age = WallClock.age(of: journal.modificationTime)
    guard Fault.isOn(.futureJournal) || age > -staleAfter, age < staleAfter else { return false }
    return hasContent(path: path)
  }

  /// Returns whether the journal belongs to a transaction: one that is under way, or one whose
  /// process died.
  static func hasContent(path: String) -> Bool {
    // A journal that is kept between transactions (`journal_mode=PERSIST`) begins with zeros. It
    // carries no locks, so opening it is safe.
    guard let byte = FileHead.firstByte(path: path + "-journal") else { return false }
    return byte != 0
  }

  /// Waits until no transaction seems to be under way, for at most a second. After that, SQLite's
  /// locks decide who may proceed.
  ///
  /// - Throws: The error of the cancellation.
  static func waitUntilOpen(path: String, _ cancellation: Cancellation) throws {
    guard isClosed(path: path) else { return }
    let deadline = DispatchTime.now() + 1
    repeat {
      try cancellation.check()
      guard DispatchTime.now() < deadline else { return }
      CurrentThread.pause(microseconds: 200)
    } while isClosed(path: path)
  }

  /// The age in nanoseconds at which a journal no longer keeps the watcher from reading.
  private static let staleAfter: Int64 = 1_000_000_000
}
