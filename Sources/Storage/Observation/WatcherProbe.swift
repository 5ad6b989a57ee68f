internal import WellspringPlatform

/// Looks for commits of others through a connection that only reads.
///
/// On a WAL file the connection is open for some moments after an event only, because it holds a
/// shared lock on the file. A connection that has just been opened knows nothing of the past, so
/// everything counts as changed then.
final class WatcherProbe: ExternalChangeProbe, @unchecked Sendable {
  // Safe to share: all mutable state belongs to the queue of the monitor, which makes all calls.

  private let path: String
  private let configuration: Configuration
  private let readers: ConnectionQueue
  private var database: Database?
  private var lastVersion: Int64?
  /// What kept the connection from being opened or read.
  private var lastFailure: String?
  /// What the file system told of the file when the connection was closed.
  private var lastStatus: [FileStatus?] = []

  init(path: String, configuration: Configuration, readers: ConnectionQueue) {
    self.path = path
    var configuration = configuration
    // A look that cannot be had at once is had later.
    configuration.busyMode = .immediateError
    self.configuration = configuration
    self.readers = readers
  }

  func adopt() {
    _ = look()
  }

  func check(completion: @escaping @Sendable (Bool) -> Void) {
    // Without an event, and with nothing open, the file system's word is enough.
    if database == nil, lastFailure == nil, !lastStatus.isEmpty, lastStatus == status() {
      return completion(false)
    }
    completion(look())
  }

  func rest() {
    lastStatus = status()
    // Only a WAL file is locked by a connection that does nothing.
    guard FileStatus(path: path + "-wal") != nil else { return }
    close()
    lastStatus = status()
  }

  func fileWasReplaced() {
    close()
    lastStatus = []
    readers.replaceAll()
  }

  private func close() {
    database?.close()
    database = nil
    lastVersion = nil
  }

  /// Whether the observations must be run again.
  private func look() -> Bool {
    // Its end gives another event.
    guard !JournalGate.isClosed(path: path) else { return false }
    do {
      let database = try self.database ?? open()
      self.database = database
      database.beginAccess(.read)
      defer { database.endAccess() }
      let version = try database.dataVersion()
      defer {
        lastVersion = version
        lastFailure = nil
      }
      return version != lastVersion || lastFailure != nil
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return false
    } catch {
      close()
      // Observations shall tell of it, once.
      let description = String(describing: error)
      defer { lastFailure = description }
      return lastFailure != description
    }
  }

  private func open() throws -> Database {
    try Database(path: path, configuration: configuration, role: .watcher)
  }

  private func status() -> [FileStatus?] {
    [path, path + "-wal", path + "-journal"].map(FileStatus.init(path:))
  }
}
