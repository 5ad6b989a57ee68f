internal import CWellspringSQLite
internal import WellspringPlatform

/// The opening and closing of connections to a file that may have been moved.
///
/// SQLite knows a WAL and its index only by their names. A connection that opens another file at
/// the path takes the pool's WAL for the WAL of that file. It may remove the WAL, and it clears the
/// index that the pool's writer uses.
extension FilePlace {
  // MARK: Opening

  /// Opens a further connection to the files that the pool has opened.
  ///
  /// - Parameter connect: Opens a connection, and passes on its argument as `didOpen`.
  /// - Returns: The connection.
  /// - Throws: What `connect` throws, or ``DatabaseError`` with `SQLITE_READONLY_DBMOVED` when the
  ///   files at the paths are others.
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
