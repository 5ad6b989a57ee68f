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

  // Guards the identity guards of the files that are open for writing, by their paths.
  private static let guards = Lock<[String: [FileIdentityGuard]]>([:])

  private static let objects = WeakTable()

  /// Returns the commits to the file at `path`, which must exist. A path of `nil` means a database
  /// that no other connection can open, and gets a new object.
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

  /// Adds the guard of a file that was opened for writing.
  static func add(_ fileGuard: FileIdentityGuard) {
    guards.withLock { $0[fileGuard.path, default: []].append(fileGuard) }
  }

  /// Removes the guard of a file that is closed.
  static func remove(_ fileGuard: FileIdentityGuard) {
    guards.withLock { guards in
      guards[fileGuard.path]?.removeAll { $0 === fileGuard }
      if guards[fileGuard.path]?.isEmpty == true { guards[fileGuard.path] = nil }
    }
  }

  /// Checks, before the file at `path` is opened, that the WAL beside it does not belong to another
  /// file, which was at the path before and is still open in this process.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CANTOPEN` if it does.
  static func checkWAL(besideFile path: String) throws {
    let guards = guards.withLock { $0[path] ?? [] }
    guard guards.contains(where: \.hasLeftLog) else { return }
    throw DatabaseError(
      resultCode: .SQLITE_CANTOPEN,
      message: """
        \(path) has replaced a file that is still open in this process, and the WAL beside it \
        belongs to the old file: close the old database first
        """
    )
  }
}
