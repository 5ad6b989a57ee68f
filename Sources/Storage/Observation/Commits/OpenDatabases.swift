internal import WellspringSystem

/// The open databases of this process. It finds the objects that all connections to one database
/// share, whatever pool they belong to.
///
/// A file is found by its identity in the file system, so that two paths to one file lead to the
/// same objects. Objects live as long as a pool holds them.
enum OpenDatabases {
  private enum Key: Hashable {
    case file(FileStatus.Identity)
    case memory(name: String)
  }

  private enum Object: Hashable {
    case commits(Key)
    case walKeeper(Key)
  }

  // Guards the places of the files that are open for writing, by their paths.
  private static let places = Lock<[String: [FileIdentityGuard]]>([:])

  private static let objects = WeakTable()

  /// Returns the commits to the file at `path`, which must exist. A path of `nil` stands for a
  /// database that no other connection can open, and gets a new object.
  static func commits(toFile path: String?) -> FileCommits {
    guard let path, let identity = FileStatus(path: path)?.identity else { return FileCommits() }
    return objects.object(for: Object.commits(.file(identity))) { FileCommits() }
  }

  /// Returns the commits to the database in memory with this name.
  static func commits(toMemoryNamed name: String) -> FileCommits {
    objects.object(for: Object.commits(.memory(name: name))) { FileCommits() }
  }

  /// Returns the keeper of the WAL of the file at `path`; `nil` for a database without a file.
  static func walKeeper(ofFile path: String?) -> WALKeeper? {
    guard let path, let identity = FileStatus(path: path)?.identity else { return nil }
    return objects.object(for: Object.walKeeper(.file(identity))) { WALKeeper(path: path) }
  }

  // MARK: Files that were replaced

  /// Adds the place of a file that was opened for writing.
  static func add(_ place: FileIdentityGuard) {
    places.withLock { $0[place.path, default: []].append(place) }
  }

  /// Removes the place of a file that is closed.
  static func remove(_ place: FileIdentityGuard) {
    places.withLock { places in
      places[place.path]?.removeAll { $0 === place }
      if places[place.path]?.isEmpty == true { places[place.path] = nil }
    }
  }

  /// Checks, before the file at `path` is opened, that the WAL beside it is not that of another
  /// file, which was at the path before and is still open in this process.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CANTOPEN` if it is.
  static func checkWAL(besideFile path: String) throws {
    let places = places.withLock { $0[path] ?? [] }
    guard places.contains(where: \.hasLeftLog) else { return }
    throw DatabaseError(
      resultCode: .SQLITE_CANTOPEN,
      message: """
        \(path) has replaced a file that is still open in this process, and the WAL beside it \
        belongs to the old file: close the old database first
        """
    )
  }
}
