internal import Dispatch
internal import WellspringSystem

/// Looks for foreign commits in a file that is only watched.
///
/// ## Why a watched file needs other means
///
/// A pool that writes a file keeps a connection open, which can be asked for foreign commits at any
/// time (``WriterProbe``). A file that is only watched (`Configuration.readonly`) belongs to other
/// processes, in the journal mode that they chose. Watching must never write it, hold a lock on it
/// between fetches, or make a foreign commit fail.
///
/// **Without a WAL, no look takes a lock.** A commit fails with "database is locked" when a reader
/// holds its shared lock just then: with a read at each event, up to 31 of 100 writes of a plain
/// shell failed. So the looks compare the status of the files only (`stat`), and find the file
/// unsettled while a journal says that a transaction is under way (``JournalGate``). Values are
/// read without locks too, and checked afterwards (``WatchingReader``).
///
/// **A young status proves nothing.** The kernel stamps files with a clock that ticks every few
/// milliseconds, so a second write within one tick may leave the same status. A status counts as
/// known only when it is older than that.
///
/// **With a WAL, looks need a connection.** A commit is visible when the WAL's index says so,
/// which is shared memory. The status of the WAL changes earlier, and changes for transactions that
/// are rolled back; `PRAGMA data_version` changes when the commit is visible. But an open
/// connection holds a shared lock, which keeps other processes from leaving WAL mode. So it is open
/// for a tenth of a second after a commit only. A connection that was just opened knows no earlier
/// version: then everything counts as changed, unless the files and the index's header show that
/// nothing was committed meanwhile. The header is read through a descriptor, which takes no lock.
/// The connection makes no WAL (``PassiveReader``).
///
/// **The WAL says which rows have changed**, from the index up to which commits were announced
/// (``ForeignCommitReader``). While no connection was open, the index may have been built again, so
/// that its count of commits says nothing. The frames say enough as long as the WAL has not
/// restarted; behind a restart, everything counts as changed.
///
/// **The files of a WAL change before the commit.** On a slow disk, seconds pass between the write
/// of the WAL, which causes an event, and the change of the index, which causes none. When the
/// looks after the event are over by then, only the index's header shows the commit.
///
/// **The file is never opened and closed just to look.** Closing any descriptor of a file drops all
/// of the POSIX locks that this process holds on it. Where a descriptor is needed, it stays open
/// (`FileProbe`).
/// https://www.sqlite.org/howtocorrupt.html
final class WatcherProbe: ForeignCommitProbe, @unchecked Sendable {
  // Safe to share: all mutable state belongs to the monitor's queue, on which all calls are made.

  private let file: FollowedFile
  private let configuration: Configuration
  private let commits: FileCommits
  /// The file to which the commits belong.
  private let observedFile: FileStatus.Identity?
  /// Whether the path still leads to that file.
  private var isObservedFile = true
  /// The connections that read the file with locks.
  private let readers: ConnectionQueue
  /// Reads the file without locks.
  private let watching: WatchingReader
  private var database: Database?
  /// The data versions of the file and of the attached files.
  private var lastVersions: [Int64]?
  /// ``FileCommits/adoptions`` before these versions were read.
  private var lastAdoptions: UInt64?
  private(set) var attachedFiles: [String] = []
  /// How often the connection found no WAL, in succession.
  private var passiveFailures = 0
  private static let maximumPassiveFailures = 20
  /// The error that kept the connection from being opened or read.
  private var lastFailure: String?
  /// The status at the last look, or when the connection was closed.
  private var lastStatus: Status?
  /// The status before the last successful look through the connection, when it was settled.
  private var statusAtLastLook: Status?
  /// The files that were seen last, and when it was seen first, in nanoseconds since the machine
  /// started.
  private var seen: (files: [FileStatus?], uptime: Int64)?
  /// When a change that is not reported yet was first noticed, in nanoseconds of the uptime.
  private var noticed: Int64?

  /// The index of the log that counts the commits that were found.
  private var lastIndex: WALIndex?
  /// Whether the connection was open since ``lastIndex`` was read.
  private var isContinuous = false
  /// The changes of the commits that the last look has found.
  private var changes = CommittedChanges.foreign(.unknownStart)
  private let notified: NotifiedIndex

  /// When a look with a WAL last found something, in nanoseconds of the uptime.
  private var changed: Int64 = 0

  /// For how long the connection stays open after a foreign commit, in nanoseconds. Meanwhile, a
  /// process that commits and ends does not remove the WAL, which would look like another commit.
  private static let hold: Int64 = 100_000_000

  /// How long to wait for a pause between foreign commits, in nanoseconds.
  private static let patience: Int64 = 50_000_000

  /// The state of the files that can be read without a connection.
  private struct Status {
    /// Each file and its WAL.
    var files: [FileStatus?] = []
    /// The indexes of the WALs.
    var indexes: [WALIndex.Contents] = []

    /// Whether indexes alone show all commits. Unlike the times of files, they leave no doubt.
    var isShownByIndexes: Bool {
      indexes.allSatisfy { if case .index = $0 { true } else { false } }
    }

    /// Whether nothing was committed between the moments of two statuses.
    static func == (left: Status, right: Status) -> Bool {
      guard left.indexes.count == right.indexes.count else { return false }
      return left.indexes.indices.allSatisfy { index in
        let files = 2 * index..<2 * index + 2
        switch (left.indexes[index], right.indexes[index]) {
        // Beside an empty WAL, each process that opens the file builds the same index.
        case (.index(let old), .index(let new)) where old.isOfNoLog && new.isOfNoLog:
          return left.files[files] == right.files[files]
        case (.index(let old), .index(let new)):
          // A checkpoint changes the files, and commits nothing.
          return old.showsSameFrames(as: new)
            && left.files[files].map { $0?.identity } == right.files[files].map { $0?.identity }
        // The first process that opens the file builds an index, and the last one removes it.
        case (.none, _), (_, .none): return left.files[files] == right.files[files]
        case (.torn, _), (_, .torn): return false
        }
      }
    }
  }

  init(
    _ file: FollowedFile,
    configuration: Configuration,
    commits: FileCommits,
    readers: ConnectionQueue,
    watching: WatchingReader,
    notified: NotifiedIndex
  ) {
    self.file = file
    observedFile = FileStatus(path: file.path)?.identity
    var configuration = configuration
    // A look that finds the file locked is repeated later.
    configuration.busyMode = .immediateError
    self.configuration = configuration
    self.commits = commits
    self.readers = readers
    self.watching = watching
    self.notified = notified
  }

  func adopt() {
    lastStatus = nil
    noticed = nil
    // A new pool has read the file.
    let attached = watching.attachedFiles ?? readers.accessIfIdle(.read) { $0.attached.files }
    if let attached { attachedFiles = attached }
    let present = status()
    if hasWAL {
      _ = lookThroughConnection(present)
    } else {
      forgetIndex(because: .noLog)
      lastStatus = settled(present)
    }
    // Earlier commits are not reported.
    changes = .foreign(.unknownStart)
    notified.set(lastIndex)
  }

  var found: FoundCommits {
    FoundCommits(changes: changes, index: lastIndex)
  }

  /// Drops the known index of the log, so that these and the next commits count as changes of
  /// everything.
  private func forgetIndex(because obstacle: PageObstacle) {
    lastIndex = nil
    changes = .foreign(obstacle)
    notified.set(nil)
    commits.forgetPages()
  }

  func look(completion: @escaping @Sendable (ForeignCommitFinding) -> Void) {
    changes = .foreign(.unknownStart)
    completion(hasWAL ? lookAtWAL() : lookAtStatus())
  }

  func rest() {
    guard database != nil else { return }
    close()
    // A commit since the last look gives a status other than this one.
    lastStatus = statusAtLastLook
  }

  func fileWasReplaced() {
    close()
    forgetIndex(because: .otherFile)
    passiveFailures = 0
    lastStatus = nil
    isObservedFile = FileStatus(path: path)?.identity == observedFile
    readers.replaceAll()
    watching.fileWasReplaced()
  }

  private var path: String { file.path }
  private var files: [String] { [path] + attachedFiles }

  /// Whether a pool of this process writes the file in WAL mode.
  private var hasIndex: Bool { isObservedFile && commits.withLedger { $0.hasIndex } }

  private var hasWAL: Bool {
    files.contains { file in
      guard let status = FileStatus(path: file + "-wal") else { return false }
      // A reader that is the first to open a file creates an empty WAL, and removes it again.
      return status.size > 0
        || (database != nil || hasIndex)
          && WALPresence.isUsed(path: file, probes: watching.probes)
    }
  }

  private func status() -> Status {
    var status = Status()
    for file in files {
      // The journal is left out: each commit changes the file too, and a rollback does not.
      let wal = FileStatus(path: file + "-wal")
      status.files += [FileStatus(path: file), wal?.size == 0 ? nil : wal]
      // The index beside an empty WAL that no connection reads says nothing about commits.
      let isUsed = wal != nil && WALPresence.isUsed(path: file, probes: watching.probes)
      let index = isUsed ? watching.probes.probe(file, suffix: "-shm") : nil
      status.indexes.append(index.map { WALIndex.parse($0.prefix(WALIndex.headersSize)) } ?? .none)
    }
    return status
  }

  // A clock that runs steadily.
  private var uptime: Int64 { Int64(DispatchTime.now().uptimeNanoseconds) }

  private func close() {
    database?.close()
    database = nil
    lastVersions = nil
    isContinuous = false
  }

  // MARK: Without a WAL

  /// The status, unless it is so young that another write may leave the same one.
  private func settled(_ status: Status) -> Status? {
    let uptime = uptime
    if seen?.files != status.files { seen = (status.files, uptime) }
    let seenFor = uptime - (seen?.uptime ?? uptime)
    let now = WallClock.now
    let isYoung = status.files.contains { file in
      guard let time = file?.modificationTime else { return false }
      // A time in the future comes from another clock, which may still be ahead.
      return (time > now ? seenFor : WallClock.age(of: time, at: now)) < WatchingReader.tick
    }
    return isYoung || status.indexes.contains(.torn) ? nil : status
  }

  private func lookAtStatus() -> ForeignCommitFinding {
    close()
    passiveFailures = 0
    // The end of the transaction causes another event.
    guard !files.contains(where: JournalGate.isClosed) else { return .unsettled }
    let settled = settled(status())
    if let settled, let lastStatus, settled == lastStatus {
      noticed = nil
      return .none
    }
    // A clock that runs steadily: the patience must end, even if the time of day is set back.
    let now = uptime
    let since = noticed ?? now
    noticed = since
    // A read between two commits in quick succession would miss the second one.
    guard settled != nil || now - since >= Self.patience else { return .unsettled }
    noticed = nil
    lastStatus = settled
    forgetIndex(because: .noLog)
    // A file that was overwritten in place may have the version and the schema number that a
    // connection knows, and other pages. To open attached files again would lock them.
    if attachedFiles.isEmpty {
      readers.replaceAll()
      watching.replaceConnections()
    }
    return .some
  }

  // MARK: With a WAL

  private func lookAtWAL() -> ForeignCommitFinding {
    // With no connection open, an unchanged status is enough. With one, unchanged indexes are.
    let known = database == nil ? lastStatus : statusAtLastLook
    let present = status()
    if lastFailure == nil, let known, database == nil || known.isShownByIndexes, known == present {
      if uptime - changed > Self.hold { rest() }
      return .none
    }
    let finding = lookThroughConnection(present)
    if finding != .none { changed = uptime }
    return finding
  }

  /// Asks SQLite for the commits since the last look.
  ///
  /// - Parameter present: The status before the look.
  /// - Returns: Its findings.
  private func lookThroughConnection(_ present: Status) -> ForeignCommitFinding {
    // A pool of this process may make the WAL meanwhile.
    let mayMakeWAL = mayMakeWAL
    do {
      var status = present.isShownByIndexes ? present : settled(present)
      let database = try self.database ?? open(makingWAL: mayMakeWAL)
      self.database = database
      database.beginAccess(.read)
      defer { database.endAccess() }
      let adoptions = commits.withLedger { $0.adoptions }
      let versions =
        try [database.versions.dataVersion()] + database.versions.attachedDataVersions()
      let isEqual = versions == lastVersions
      attachedFiles = database.attached.files
      defer {
        lastVersions = versions
        lastAdoptions = adoptions
        lastFailure = nil
        passiveFailures = 0
        statusAtLastLook = status
      }
      // A pool that begins to write the file takes commits as known that this probe may not have
      // seen.
      if hasIndex, adoptions == lastAdoptions, lastFailure == nil, attachedFiles.isEmpty {
        // A pool of this process writes the file. All brokers are notified of the commits in its
        // index.
        if let finding = commits.checkIndex(database) {
          guard finding == .unsettled else { return .none }
          // With an equal status, the next look would find nothing.
          status = nil
          return .unsettled
        }
      }
      if isEqual, lastFailure == nil { return .none }
      return readCommits(database)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return .unsettled
    } catch let error as DatabaseError
      where !mayMakeWAL && PassiveReader.mayLackWAL(error) && FileStatus(path: path) != nil
    {
      // The next look shows whether the file still has a WAL.
      close()
      passiveFailures += 1
      return .unsettled
    } catch {
      close()
      changes = .foreign(.unreadable)
      // Observations report the error, once.
      let description = String(describing: error)
      defer { lastFailure = description }
      return lastFailure != description ? .some : .none
    }
  }

  /// Reads the changes of the commits that the data version shows.
  private func readCommits(_ database: Database) -> ForeignCommitFinding {
    // Read after the data version, so that it counts these commits.
    guard attachedFiles.isEmpty, let index = WALIndex.read(database.sqliteConnection) else {
      forgetIndex(because: attachedFiles.isEmpty ? .noIndex : .attached)
      return .some
    }
    defer { (lastIndex, isContinuous) = (index, true) }
    guard let known = lastIndex, lastFailure == nil else { return .some }
    // The connection is a new one, or an earlier look has found the commits already.
    if index.countsSameFrames(as: known) { return .none }
    changes = commits.changes(
      database,
      after: known,
      upTo: index,
      isContinuous: isContinuous
    )
    return .some
  }

  private func open(makingWAL: Bool) throws -> Database {
    try OpenDatabases.checkWAL(besideFile: path)
    return try Database(
      path: path,
      configuration: configuration,
      role: makingWAL ? .watcher : .passiveWatcher
    )
  }

  /// Whether connections that make no WAL have failed too often, whether the WAL may be that of an
  /// attached file, or whether a pool of this process has made it.
  private var mayMakeWAL: Bool {
    passiveFailures >= Self.maximumPassiveFailures || !attachedFiles.isEmpty || hasIndex
  }
}
