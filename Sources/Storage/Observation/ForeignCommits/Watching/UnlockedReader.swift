internal import Dispatch
internal import WellspringPlatform

/// Reads a file without a WAL that others write, without ever making them wait.
///
/// In the rollback-journal modes, a commit fails with "database is locked" when a reader holds its lock
/// just then, however briefly: a thread that is put to sleep by the kernel holds it for milliseconds.
/// So this reader takes no lock (SQLite's `nolock=1`), and finds out afterwards whether somebody has
/// written meanwhile; then what was read is thrown away. What it calls must not do anything but read.
///
/// A writer changes the file only while it holds the exclusive lock, which can be asked for without
/// being taken. So between two moments at which nobody held it, the file was not changed unless the
/// lock was taken and given back between them: that raises the change counter of a file, or, when the
/// transaction was undone, its time of modification.
/// https://www.sqlite.org/lockingv3.html#writing
///
/// The locks of this process are not told, so this must not be used while another pool of the process
/// has the file open.
final class UnlockedReader: Sendable {
  /// Runs first reads of async code.
  let queue: DispatchQueue

  private let path: String
  private let connections: ConnectionQueue
  // Guards who counts the writes to the file, which begins with the first read that needs it.
  private let writes = Lock<FileWrites?>(nil)

  /// How often a read is tried before it takes the lock after all, because somebody writes all the
  /// time.
  private static let maximumAttempts = 500

  /// How many errors in a row are not a writer's doing.
  private static let maximumErrors = 20

  /// The kernel stamps files with a clock that ticks every few milliseconds: a write within the tick of
  /// the one before leaves the same time.
  static let tick: Int64 = 10_000_000

  /// The bytes that a writer locks while it changes the file: SQLite's pending byte, and those of its
  /// shared locks, but not the reserved byte between them. https://www.sqlite.org/src/file/src/os.h
  private static let exclusiveBytes = [
    0x4000_0000..<0x4000_0001, 0x4000_0002..<0x4000_0002 + 510,
  ]

  init(path: String, configuration: Configuration, label: String) {
    self.path = path
    queue = DispatchQueue(label: "\(label).watcher", attributes: .concurrent)
    connections = ConnectionQueue(
      capacity: configuration.maximumReaderCount,
      open: {
        try Connection(
          Database(path: path, configuration: configuration, role: .unlockedWatcher),
          label: "\(label).watcher"
        )
      }
    )
  }

  /// Reads on the calling thread.
  ///
  /// - Returns: What `body` returned; `nil` when the file must be read with locks: because it has a
  ///   WAL, because it is written all the time, or because of an error that may be of that kind.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value? {
    var errors = 0
    for attempt in 0..<Self.maximumAttempts {
      if attempt > 0 { CurrentThread.pause(microseconds: 1000) }
      guard FileStatus(path: path + "-wal") == nil else { return nil }
      // Without locks, SQLite takes the journal of a running transaction for that of a dead one.
      guard !JournalGate.isClosed(path: path) else { continue }
      guard let probe = FileLockProbe.shared(path: path),
        let before = FileStatus(path: path)
      else { return nil }
      // A transaction that is undone within the tick of the write before it leaves no trace in the
      // status.
      let isSettled = WallClock.now - before.modificationTime >= Self.tick
      let writes = isSettled ? nil : countedWrites()
      guard isSettled || writes != nil else { continue }
      let count = writes?.value
      guard !isBeingWritten(probe) else { continue }
      let valid: Result<Value, any Error>?
      do {
        valid = try connections.access(.read) { db in
          // The pages and the schema of a read that is thrown away stay with the connection, which
          // would take them for current once the writer has undone them.
          var isUnchanged = false
          defer { if !isUnchanged { connections.replaceCurrent() } }
          let version = try db.pragmas.dataVersion()
          let result = Result { try body(db) }
          // A write that has not been counted yet goes on, under the lock.
          isUnchanged =
            try db.pragmas.dataVersion() == version && !isBeingWritten(probe)
            && FileStatus(path: path) == before && writes?.value == count
          return isUnchanged ? result : nil
        }
      } catch {
        // A journal that has just come looks like that of a dead writer. What goes on to go wrong is
        // explained by a read with locks.
        errors += 1
        if errors == Self.maximumErrors { return nil }
        continue
      }
      errors = 0
      if let valid { return try valid.get() }
    }
    return nil
  }

  private func countedWrites() -> FileWrites? {
    writes.withLock { writes in
      if writes == nil { writes = FileWrites(path: path) }
      return writes
    }
  }

  private func isBeingWritten(_ probe: FileLockProbe) -> Bool {
    Self.exclusiveBytes.contains { probe.isWriteLocked($0) }
  }

  /// Whether the calling thread is reading.
  var isUsedByCurrentThread: Bool { connections.isUsedByCurrentThread }

  /// The file is another one now.
  func fileWasReplaced() {
    writes.withLock { $0 = nil }
    connections.replaceAll()
  }

  /// Closes the connections. SQLite sees to it that no lock of another connection is lost by that.
  func close() {
    do { try connections.close(waits: false) } catch { ErrorLog.report(error) }
  }
}
