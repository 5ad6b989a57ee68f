internal import WellspringPlatform

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

  private struct Entry {
    weak var commits: FileCommits?
    weak var walKeeper: WALKeeper?

    var isAlive: Bool { commits != nil || walKeeper != nil }
  }

  // Guards the entries of all open databases.
  private static let entries = Lock<[Key: Entry]>([:])

  /// Returns the commits to the file at `path`, which must exist. A path of `nil` stands for a
  /// database that no other connection can open, and gets a new object.
  static func commits(toFile path: String?) -> FileCommits {
    guard let path, let identity = FileStatus(path: path)?.identity else { return FileCommits() }
    return object(.file(identity), \.commits) { FileCommits() }
  }

  /// Returns the commits to the database in memory with this name.
  static func commits(toMemoryNamed name: String) -> FileCommits {
    object(.memory(name: name), \.commits) { FileCommits() }
  }

  /// Returns the keeper of the WAL of the file at `path`; `nil` for a database without a file.
  static func walKeeper(ofFile path: String?) -> WALKeeper? {
    guard let path, let identity = FileStatus(path: path)?.identity else { return nil }
    return object(.file(identity), \.walKeeper) { WALKeeper(path: path) }
  }

  private static func object<Object: Sendable>(
    _ key: Key,
    _ member: WritableKeyPath<Entry, Object?>,
    make: () -> Object
  ) -> Object {
    entries.withLock { entries in
      if let known = entries[key]?[keyPath: member] { return known }
      entries = entries.filter { $0.value.isAlive }
      let object = make()
      entries[key, default: Entry()][keyPath: member] = object
      return object
    }
  }
}
