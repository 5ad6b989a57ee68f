internal import Dispatch
internal import Synchronization
internal import WellspringSystem

/// Reads a file that other processes write, without ever making them fail.
///
/// A file with a WAL is read by a ``PassiveReader``, and a file without a WAL is read without any
/// lock. In the rollback-journal modes, a commit fails with "database is locked" when a reader
/// holds its lock just then, however briefly: a thread that the kernel puts to sleep holds it for
/// milliseconds. So this reader takes no lock (SQLite's `nolock=1`), and finds out afterwards
/// whether the file was written meanwhile. If so, it discards the rows that it has read, and reads
/// again. The closures that it calls must do nothing but read.
///
/// A writer changes the file only while it holds the exclusive lock, and a process can ask whether
/// that lock is held without taking it. So between two moments at which the lock was free, the file
/// was not changed unless the lock was taken and released between them. That raises the change
/// counter of the file or, after a rollback, its time of modification.
/// https://www.sqlite.org/lockingv3.html#writing
///
/// A file that was left in WAL mode has no WAL while no process has it open. It is read without
/// locks too, as if it never changed (SQLite's `immutable=1`), and checked in the same way. With
/// locks, the reader would be the first to make a WAL and its index.
///
/// The kernel does not report locks of this process, so this reader must not be used while another
/// pool of the process has the file open.
final class WatchingReader: Sendable {
  /// Runs the first reads that must not block their caller.
  let queue: DispatchQueue

  private let file: FollowedFile
  /// The probes of the file and its WAL.
  let probes: FileProbes
  private let connections: ConnectionQueue
  /// Reads while there is a WAL.
  private let passive: PassiveReader
  private let attached: AttachedFiles
  // Guards the count of writes to the file, which begins with the first read that needs it. The
  // lock of `FileEvents` is taken inside this lock.
  private let writes = Lock<FileWrites?>(nil)

  /// How often reads were interrupted. No connection is in use while a read waits.
  private let interruptions = Atomic<UInt>(0)

  /// How often a read without locks is tried. After that, the file is read with locks, because it
  /// is written all the time.
  private static let maximumAttempts = 500

  /// How long a read waits for the end of a transaction of another process. On a slow disk, a
  /// commit may take seconds: a lock would make it fail.
  static let patience = Duration.seconds(5)

  /// How long a read waits in all while one transaction follows the other.
  private static let patienceWithAll = Duration.seconds(20)

  /// The number of errors in a row that a writer no longer explains.
  private static let maximumErrors = 20

  /// The longest tick of the clock with which the kernel stamps files, in nanoseconds: two writes
  /// within one tick leave the same time.
  static let tick: Int64 = 10_000_000

  /// The bytes that a writer locks while it changes the file: SQLite's pending byte and the bytes
  /// of its shared locks, but not the reserved byte between them.
  /// https://www.sqlite.org/src/file/src/os.h
  private static let exclusiveBytes = [
    0x4000_0000..<0x4000_0001, 0x4000_0002..<0x4000_0002 + 510,
  ]

  /// The byte that a writer locks from its first change to the end of its transaction.
  private static let reservedByte = 0x4000_0001..<0x4000_0002

  init(_ file: FollowedFile, configuration: Configuration, label: String) {
    self.file = file
    queue = DispatchQueue(label: "\(label).watcher", attributes: .concurrent)
    let probes = FileProbes()
    let attached = AttachedFiles()
    let open: @Sendable (Database.Role) throws -> PooledConnection = { role in
      try OpenDatabases.checkWAL(besideFile: file.path)
      let database = try Database(path: file.path, configuration: configuration, role: role)
      attached.note(database)
      return PooledConnection(database, label: "\(label).watcher")
    }
    let capacity = configuration.maximumReaderCount
    connections = ConnectionQueue(
      capacity: capacity,
      open: {
        let isInWALMode = probes.probe(file.path).flatMap(WALPresence.isInWALMode) ?? false
        return try open(isInWALMode ? .restingWatcher : .unlockedWatcher)
      }
    )
    passive = PassiveReader(file, capacity: capacity, open: open)
    (self.probes, self.attached) = (probes, attached)
  }

  /// The files that were attached to the connection that was opened last; `nil` before the first
  /// one.
  var attachedFiles: [String]? { attached.files }

  /// Reads on the calling thread.
  ///
  /// - Parameters:
  ///   - patience: How long to wait for the end of one transaction.
  ///   - body: The read.
  /// - Returns: The result of `body`; `nil` when the file must be read with locks: because it is
  ///   written all the time, because a transaction takes too long, or because reads keep failing.
  /// - Throws: The error of `body`.
  func read<Value>(
    waitingUpTo patience: Duration = WatchingReader.patience,
    _ body: (Database) throws -> Value
  ) throws -> Value? {
    var errors = 0
    var attempts = 0
    let path = file.path
    let end = MonotonicClock.now + max(patience, Self.patienceWithAll).nanoseconds
    // How long the transaction that is under way is waited for.
    var transactionEnd: UInt64?
    let before = interruptions.load(ordering: .sequentiallyConsistent)
    var isFirst = true
    while attempts < Self.maximumAttempts {
      if !isFirst { CurrentThread.pause(microseconds: 1000) }
      guard interruptions.load(ordering: .sequentiallyConsistent) == before else {
        throw DatabaseError(resultCode: .SQLITE_INTERRUPT, message: "interrupted")
      }
      isFirst = false
      guard errors < Self.maximumErrors, let probe = probes.probe(path) else { return nil }
      if WALPresence.hasContent(path: path) {
        if let value = try passive.read(body) { return value }
        errors += 1
        continue
      }
      if isInTransaction(probe, path) {
        let now = MonotonicClock.now
        if transactionEnd == nil { transactionEnd = now + patience.nanoseconds }
        guard let transactionEnd, now < min(end, transactionEnd) else { return nil }
        continue
      }
      transactionEnd = nil
      attempts += 1
      // Without locks, SQLite treats the journal of a running transaction as that of a dead writer.
      guard !JournalGate.isClosed(path: path) else { continue }
      // A process that died while it changed the journal mode may have left both.
      let isInWALMode = WALPresence.isInWALMode(probe) ?? false
      if isInWALMode, JournalGate.hasContent(path: path) || !mayHaveWAL(path) { return nil }
      guard let status = FileStatus(path: path) else { return nil }
      // A rollback within the same tick as the write before leaves no trace in the status.
      let isSettled = WallClock.age(of: status.modificationTime) >= Self.tick
      let writes = isSettled ? nil : countedWrites(path)
      guard isSettled || writes != nil else { continue }
      let count = writes?.value
      guard !isBeingWritten(probe) else { continue }
      let valid: Result<Value, any Error>?
      do {
        valid = try connections.access(.read) { db in
          // The pages and the schema of a discarded read stay with the connection. It would treat
          // them as current once the writer has rolled back.
          var isUnchanged = false
          defer {
            if !isUnchanged || db.role == .restingWatcher { connections.replaceCurrent() }
          }
          let version = try db.versions.dataVersion()
          let result = Result { try body(db) }
          // A write that is not counted yet still holds the lock.
          isUnchanged =
            try db.versions.dataVersion() == version
            // A checkpoint writes without that lock, before the WAL is removed.
            && !WALPresence.hasContent(path: path) && !isBeingWritten(probe)
            && FileStatus(path: path) == status && writes?.value == count && db.path == path
          return isUnchanged ? result : nil
        }
      } catch {
        // A new journal looks like that of a dead writer for a moment. An error that persists is
        // explained by a read with locks.
        errors += 1
        continue
      }
      errors = 0
      if let valid { return try valid.get() }
    }
    return nil
  }

  private func countedWrites(_ path: String) -> FileWrites? {
    writes.withLock { writes in
      if writes == nil { writes = FileWrites(path: path) }
      return writes
    }
  }

  /// Whether SQLite could make a WAL. Otherwise, a read with locks finds the error.
  private func mayHaveWAL(_ path: String) -> Bool {
    FileAccess.isWritable(FilePath.split(path).directory)
  }

  /// Whether a process that lives, as its locks say, is writing, or about to commit: most such
  /// transactions end soon.
  ///
  /// The end of its journal is the commit. But the process holds its locks until the disk has the
  /// changed folder, which may take seconds.
  private func isInTransaction(_ probe: FileProbe, _ path: String) -> Bool {
    probe.isWriteLocked(Self.reservedByte) && JournalGate.hasContent(path: path)
      || isBeingWritten(probe)
  }

  private func isBeingWritten(_ probe: FileProbe) -> Bool {
    Self.exclusiveBytes.contains { probe.isWriteLocked($0) }
  }

  /// Whether the calling thread is reading.
  var isUsedByCurrentThread: Bool {
    connections.isUsedByCurrentThread || passive.isUsedByCurrentThread
  }

  /// Drops the known state of the file, because another file is at its path.
  func fileWasReplaced() {
    writes.withLock { $0 = nil }
    replaceConnections()
  }

  /// Stops the reads that run or wait, which fail with `SQLITE_INTERRUPT`.
  func interrupt() {
    interruptions.add(1, ordering: .sequentiallyConsistent)
    connections.interrupt()
    passive.interrupt()
  }

  /// Opens the connections again before the next reads.
  func replaceConnections() {
    connections.replaceAll()
    passive.replaceConnections()
  }

  /// Closes the connections. SQLite keeps the locks of other connections to the file.
  ///
  /// - Parameter waits: Whether to wait until the reads that are under way have ended.
  func close(waits: Bool) {
    do { try connections.close(waits: waits) } catch { ErrorLog.report(error, source: file.path) }
    do { try passive.close(waits: waits) } catch { ErrorLog.report(error, source: file.path) }
  }
}

/// The files that were attached to the connection that was opened last.
private final class AttachedFiles: Sendable {
  // Guards the paths of the files.
  private let state = Lock<[String]?>(nil)

  var files: [String]? { state.withLock { $0 } }

  func note(_ database: Database) {
    let files = database.attached.files
    state.withLock { $0 = files }
  }
}
