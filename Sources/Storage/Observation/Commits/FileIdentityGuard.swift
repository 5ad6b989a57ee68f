internal import CWellspringSQLite
internal import Synchronization
internal import WellspringSystem

/// Whether a pool's open files are still the files at their paths. A commit to a file without a
/// name is lost when the file is closed.
///
/// In WAL mode, a commit is in the WAL at first. And without the WAL's index (`-shm`), another
/// process does not see the locks, and overwrites commits. So all three files must be in their
/// places.
///
/// A commit is checked once it is done. A file that is still in its place then was in its place
/// when the commit was written.
final class FileIdentityGuard: Sendable {
  /// A file of the database.
  enum File: UInt8 {
    case database = 1
    /// A symbolic link that leads to the database.
    case link
    case log
    case logIndex
  }

  /// The files that were opened.
  struct Files: Sendable {
    /// Whether commits go to a WAL.
    var usesLog = false
    var log: FileStatus.Identity?
    /// `nil` without an index, such as in exclusive locking mode.
    var logIndex: FileStatus.Identity?
    /// The directory when all files were last found in it; `nil` if that says nothing about later
    /// moments.
    var proof: DirectoryStamp?
    /// Counts the changes of the other properties.
    var version = 0
  }

  let path: String
  /// The path with its symbolic links, as it was given.
  let givenPath: String
  let directory: String
  let identity: FileStatus.Identity?
  // Guards the known state of the files. The file system is read outside it.
  private let files = Lock(Files())
  /// The raw value of the ``File`` that was missing at the last check; 0 for none.
  private let missing = Atomic<UInt8>(0)
  /// When the files were last checked, by ``MonotonicClock/recent``.
  private let lastCheck = Atomic(MonotonicClock.recent)

  /// - Parameters:
  ///   - path: The file, which has just been opened, without symbolic links.
  ///   - givenPath: The path with symbolic links. Other processes may know the file by it.
  ///   - usesLog: Whether it is in WAL mode.
  init(path: String, givenPath: String? = nil, usesLog: Bool) {
    self.path = path
    self.givenPath = givenPath ?? path
    directory = FilePath.split(path).directory
    identity = FileStatus(path: path)?.identity
    if usesLog { noteLog() }
  }

  var logPath: String { path + "-wal" }
  var logIndexPath: String { path + "-shm" }

  /// The files that were opened.
  var knownFiles: Files { files.withLock { $0 } }

  // MARK: The WAL

  /// Notes that commits go to a WAL, which is open.
  func noteLog() {
    guard !files.withLock({ $0.usesLog }) else { return }
    let log = FileStatus(path: logPath)?.identity
    let logIndex = FileStatus(path: logIndexPath)?.identity
    files.withLock { files in
      files = Files(usesLog: true, log: log, logIndex: logIndex, version: files.version + 1)
    }
  }

  /// Notes that the journal mode may have changed. SQLite then removes or replaces the WAL.
  func forgetLog() {
    files.withLock { $0 = Files(version: $0.version + 1) }
  }

  // MARK: Checks

  /// Checks that all files are in their places.
  ///
  /// - Returns: Whether they are.
  @discardableResult
  func check() -> Bool {
    lastCheck.store(MonotonicClock.recent, ordering: .relaxed)
    let known = knownFiles
    // The stamp is read first, so that it is not proof if the directory changes meanwhile.
    let stamp = DirectoryStamp(path: directory)
    let isLinked = isLinked
    if isLinked, let stamp, stamp == known.proof {
      missing.store(0, ordering: .releasing)
      return true
    }
    let file = firstMissing(of: known) ?? (isLinked ? nil : .link)
    missing.store(file?.rawValue ?? 0, ordering: .releasing)
    guard file == nil else { return false }
    if let stamp, stamp.isSettled {
      files.withLock { if $0.version == known.version { $0.proof = stamp } }
    }
    return true
  }

  /// Whether the symbolic links of the given path still lead to the file. No stamp shows that: each
  /// of them is in a directory of its own.
  private var isLinked: Bool {
    givenPath == path || identity == nil || FileStatus(path: givenPath)?.identity == identity
  }

  private func firstMissing(of known: Files) -> File? {
    // A file that could not be found when it was open has no path that can be checked.
    guard let identity else { return nil }
    guard FileStatus(path: path)?.identity == identity else { return .database }
    guard known.usesLog else { return nil }
    guard let log = known.log, FileStatus(path: logPath)?.identity == log else { return .log }
    guard let logIndex = known.logIndex else { return nil }
    return FileStatus(path: logIndexPath)?.identity == logIndex ? nil : .logIndex
  }

  /// Whether a commit may begin. The check after the commit decides; this one refuses most commits
  /// to files that were moved, before anything is written.
  func mayCommit() -> Bool {
    // Another thread may have checked the files after the clock was read.
    let age = Int64(bitPattern: MonotonicClock.recent &- lastCheck.load(ordering: .relaxed))
    guard age > Self.maximumAge || missing.load(ordering: .acquiring) != 0 else { return true }
    return check()
  }

  /// For how many nanoseconds the last check allows further commits to begin.
  private static let maximumAge: Int64 = 10_000_000

  /// Whether the last check has missed a file that only the WAL mode needs.
  var isMissingLog: Bool { missing.load(ordering: .acquiring) > File.link.rawValue }

  // MARK: Errors

  /// The error that observations and commits report; `nil` if the files were in their places at the
  /// last check.
  var error: DatabaseError? {
    guard let file = File(rawValue: missing.load(ordering: .acquiring)) else { return nil }
    return error("\(what(file)) while it was open")
  }

  /// The error of a commit that was made while a file was not in its place, or just before.
  var commitError: DatabaseError? {
    guard let file = File(rawValue: missing.load(ordering: .acquiring)) else { return nil }
    return error(
      "\(what(file)) around the time of the commit, and the write may not be in \(givenPath)"
    )
  }

  /// The error of a commit that SQLite has refused because of the file.
  var refusal: DatabaseError { error("\(what(.database)) while it was open") }

  private func what(_ file: File) -> String {
    switch file {
    case .database: "the file was moved, removed or replaced by another one"
    case .link: "\(givenPath) was changed to lead to another file than \(path)"
    case .log: "\(logPath) was moved, removed or replaced by another one"
    case .logIndex: "\(logIndexPath) was moved, removed or replaced by another one"
    }
  }

  private func error(_ reason: String) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_READONLY_DBMOVED,
      message: "\(reason): close the database, and open \(givenPath) again"
    )
  }
}

/// The opening and closing of connections to a file that may have been moved.
///
/// SQLite knows a WAL and its index only by their names. A connection that opens another file at
/// the path uses the pool's WAL as the WAL of that file. It may remove the WAL, and it clears the
/// index that the pool's writer uses.
extension FileIdentityGuard {
  // MARK: Opening

  /// Opens a further connection to the files that the pool has opened.
  ///
  /// - Parameter connect: Opens a connection, and passes on its argument as `didOpen`.
  /// - Returns: The connection.
  /// - Throws: The error of `connect`, or ``DatabaseError`` with `SQLITE_READONLY_DBMOVED` when
  ///   other files are at the paths.
  func open(
    _ connect: (_ didOpen: (_ connection: OpaquePointer) throws -> Void) throws -> Database
  ) throws -> Database {
    var attempt = 1
    while true {
      let stamp = DirectoryStamp(path: directory)
      let database = try connect(checkOpened)
      // By now, the connection has opened the WAL, too.
      guard check() else {
        database.close()
        throw error ?? refusal
      }
      // The stamp shows that no file went and came back meanwhile. In a directory where other files
      // come and go all the time, it shows nothing.
      if stamp == DirectoryStamp(path: directory) || attempt == Self.maximumAttempts {
        return database
      }
      database.close()
      attempt += 1
    }
  }

  private static let maximumAttempts = 4

  /// Checks which file a connection has opened, before SQLite looks for the WAL of that file.
  private func checkOpened(_ connection: OpaquePointer) throws {
    guard let identity else { return }
    // The first and the last look compare the open file with the file at the path.
    guard !hasMoved(connection), FileStatus(path: path)?.identity == identity,
      !hasMoved(connection)
    else {
      check()
      throw refusal
    }
  }

  private func hasMoved(_ connection: OpaquePointer) -> Bool {
    var hasMoved: Int32 = 0
    // A file system of the user's own may not know the answer, and leaves it.
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return hasMoved != 0
  }

  // MARK: Closing

  /// Whether the path no longer leads to the database file.
  var isDatabaseAway: Bool {
    guard let identity else { return false }
    return FileStatus(path: path)?.identity != identity
  }

  /// Whether another file is at the path, with the WAL or the index of this one beside it.
  var hasLeftLog: Bool {
    let known = knownFiles
    guard known.usesLog, isDatabaseAway, FileStatus(path: path) != nil else { return false }
    let log = FileStatus(path: logPath)?.identity
    let logIndex = FileStatus(path: logIndexPath)?.identity
    return (log != nil && log == known.log) || (logIndex != nil && logIndex == known.logIndex)
  }
}
