/// The place of the snapshots of a replicated database: a directory, or a place that closures
/// reach, such as the objects of a storage service.
///
/// A snapshot is a SQLite file, which knows its place in the history. A node that is behind the
/// first entry of the log, or whose file differs, takes the newest one. The log is trimmed below
/// the newest snapshot that was fetched again and checked.
///
/// A node that waits for a snapshot asks for it by a small file in the same store, whose name has
/// `wanted` in it. The primary looks for such names from time to time, and removes them.
public struct SnapshotStore: Sendable {
  /// Uploads the file at a path under a name, as a whole or not at all.
  public var put: @Sendable (_ path: String, _ name: String) async throws -> Void
  /// Downloads the file of a name to a path that does not exist yet.
  public var get: @Sendable (_ name: String, _ path: String) async throws -> Void
  /// Returns the names of all files in the store.
  public var names: @Sendable () async throws -> [String]
  /// Removes the file of a name.
  public var remove: @Sendable (_ name: String) async throws -> Void

  /// Makes a store of closures, which the threads of nodes wait for.
  public init(
    put: @escaping @Sendable (_ path: String, _ name: String) async throws -> Void,
    get: @escaping @Sendable (_ name: String, _ path: String) async throws -> Void,
    names: @escaping @Sendable () async throws -> [String],
    remove: @escaping @Sendable (_ name: String) async throws -> Void
  ) {
    self.put = put
    self.get = get
    self.names = names
    self.remove = remove
  }
}
