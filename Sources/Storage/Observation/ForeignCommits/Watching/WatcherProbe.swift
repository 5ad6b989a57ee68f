internal import Dispatch
internal import WellspringPlatform

/// Looks for commits of others in a file that is only watched.
///
/// Without a WAL, the status of the file and of its journal tells: no lock is taken. With a WAL, a
/// connection tells; it is open for some moments after an event only, because it holds a shared lock
/// on the file. A connection that has just been opened knows nothing of the past, so everything
/// counts as changed then.
final class WatcherProbe: ExternalChangeProbe, @unchecked Sendable {
  // Safe to share: all mutable state belongs to the queue of the monitor, which makes all calls.

  private let path: String
  private let configuration: Configuration
  private let snapshots: SnapshotSource
  private let commits: FileCommits
  private var database: Database?
  /// The data versions of the file and of those attached.
  private var lastVersions: [Int64]?
  /// What ``FileCommits/adoptions`` was before they were read.
  private var lastAdoptions: UInt64?
  private(set) var attachedFiles: [String] = []
  /// What kept the connection from being opened or read.
  private var lastFailure: String?
  /// What the file system told of the file at the last look, or when the connection was closed.
  private var lastStatus: [FileStatus?]?
  /// The status before the last successful look through the connection, when it was settled.
  private var lookedStatus: [FileStatus?]?
  /// The status that was seen last, and when it was seen first, in nanoseconds since the machine started.
  private var seen: (status: [FileStatus?], uptime: Int64)?
  /// When a change was noticed that is not told yet, in nanoseconds since 1970.
  private var noticed: Int64?

  /// How long to wait for a pause between the commits of others.
  private static let patience: Int64 = 50_000_000

  init(path: String, configuration: Configuration, snapshots: SnapshotSource) {
    self.path = path
    var configuration = configuration
    // A look that cannot be had at once is had later.
    configuration.busyMode = .immediateError
    self.configuration = configuration
    self.snapshots = snapshots
    commits = snapshots.commits
  }

  func adopt() {
    lastStatus = nil
    noticed = nil
    // The pool has a connection open when it is new.
    let attached = snapshots.readers.accessIfIdle(.read) { $0.pragmas.attachedFiles }
    if let attached { attachedFiles = attached }
    if hasWAL { _ = lookThroughConnection() } else { lastStatus = settledStatus() }
  }

  func check(completion: @escaping @Sendable (ExternalChange) -> Void) {
    completion(hasWAL ? checkWAL() : checkStatus())
  }

  func rest() {
    guard database != nil else { return }
    close()
    // What was committed since the last look must differ from this.
    lastStatus = lookedStatus
  }

  func fileWasReplaced() {
    close()
    lastStatus = nil
    snapshots.readers.replaceAll()
    snapshots.unlocked?.fileWasReplaced()
  }

  private var files: [String] { [path] + attachedFiles }

  private var hasWAL: Bool {
    files.contains { file in
      guard let status = FileStatus(path: file + "-wal") else { return false }
      // Whoever reads a file that nobody has open makes an empty one, and removes it again.
      return status.size > 0 || database != nil || commits.hasIndex
    }
  }

  private func status() -> [FileStatus?] {
    // A journal says nothing: each commit changes the file too, and a transaction that is undone does not.
    files.flatMap { file in
      let wal = FileStatus(path: file + "-wal")
      return [FileStatus(path: file), wal?.size == 0 ? nil : wal]
    }
  }

  private func close() {
    database?.close()
    database = nil
    lastVersions = nil
  }

  // MARK: Without a WAL

  /// The status, unless it is so young that another write may leave the same one.
  private func settledStatus() -> [FileStatus?]? {
    let status = status()
    let uptime = Int64(DispatchTime.now().uptimeNanoseconds)
    if seen?.status != status { seen = (status, uptime) }
    let seenFor = uptime - (seen?.uptime ?? uptime)
    let now = WallClock.now
    let isYoung = status.contains { file in
      guard let time = file?.modificationTime else { return false }
      // A time in the future comes from another clock, which may be ahead still.
      return (time > now ? seenFor : now - time) < UnlockedReader.tick
    }
    return isYoung ? nil : status
  }

  private func checkStatus() -> ExternalChange {
    close()
    // The end of the transaction gives another event.
    guard !files.contains(where: JournalGate.isClosed) else { return .unsettled }
    let settled = settledStatus()
    if let settled, settled == lastStatus {
      noticed = nil
      return .none
    }
    let now = WallClock.now
    let since = noticed ?? now
    noticed = since
    // A read between two commits that follow each other closely would come too early for the second.
    guard settled != nil || now - since >= Self.patience else { return .unsettled }
    noticed = nil
    lastStatus = settled
    return .some
  }

  // MARK: With a WAL

  private func checkWAL() -> ExternalChange {
    // With nothing open, the file system's word is enough for a look without an event.
    if database == nil, lastFailure == nil, lastStatus != nil, lastStatus == status() {
      return .none
    }
    return lookThroughConnection()
  }

  private func lookThroughConnection() -> ExternalChange {
    do {
      let status = settledStatus()
      let database = try self.database ?? open()
      self.database = database
      database.beginAccess(.read)
      defer { database.endAccess() }
      let adoptions = commits.adoptions
      let versions = try [database.pragmas.dataVersion()] + database.pragmas.attachedDataVersions()
      let isEqual = versions == lastVersions
      attachedFiles = database.pragmas.attachedFiles
      defer {
        lastVersions = versions
        lastAdoptions = adoptions
        lastFailure = nil
        lookedStatus = status
      }
      // A pool that begins to write the file takes for known what this one may not have seen.
      if commits.hasIndex, adoptions == lastAdoptions, lastFailure == nil, attachedFiles.isEmpty {
        // A pool of this process writes the file, and tells of its commits itself.
        let change = commits.checkIndex { WALIndex.read(database.sqliteConnection) }
        if let change { return change == .some ? .none : change }
      }
      return isEqual && lastFailure == nil ? .none : .some
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return .unsettled
    } catch {
      close()
      // Observations shall tell of it, once.
      let description = String(describing: error)
      defer { lastFailure = description }
      return lastFailure != description ? .some : .none
    }
  }

  private func open() throws -> Database {
    try Database(path: path, configuration: configuration, role: .watcher)
  }
}
