internal import Dispatch
internal import WellspringSystem

/// Reads a file with a WAL that other processes write, without ever making them fail.
///
/// The first connection to a WAL builds its index, under locks that exclude all other connections:
/// a write that begins meanwhile fails with "database is locked" if it has no time-out. A watcher
/// that has found a WAL may be the first one when it opens the file, because the last connection of
/// the others removes WAL and index when it closes. So this reader opens the index for reading only
/// (SQLite's `readonly_shm=1`). Beside an index that no process shares, SQLite then makes one in
/// the memory of this process, from the WAL alone.
/// https://www.sqlite.org/wal.html#read_only_databases
final class PassiveReader: Sendable {
  private let connections: ConnectionQueue

  /// - Parameters:
  ///   - file: The file.
  ///   - capacity: The maximum number of connections.
  ///   - open: Opens a connection.
  init(
    _ file: FollowedFile,
    capacity: Int,
    open: @escaping @Sendable (Database.Role) throws -> PooledConnection
  ) {
    let idleCloser = IdleCloser(file)
    connections = ConnectionQueue(
      capacity: capacity,
      open: { try open(.passiveWatcher) },
      didIdle: { idleCloser.touch($0) }
    )
  }

  /// Reads on the calling thread.
  ///
  /// - Parameter body: The read, which may be repeated.
  /// - Returns: What `body` returned; `nil` when the WAL came or went meanwhile, or when another
  ///   process holds a lock, which most do for a moment.
  /// - Throws: What `body` threw, unless that can be due to the index.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value? {
    do {
      return try connections.access(.read) { db in
        do {
          return try body(db)
        } catch {
          // The next attempt must not find the index that this one has found.
          connections.replaceCurrent()
          throw error
        }
      }
    } catch let error as DatabaseError where Self.mayBeOfIndex(error) {
      return nil
    }
  }

  /// Whether a connection that must not change an index may fail with this error because there is
  /// none, because it is being built, or because its writer died.
  static func mayBeOfIndex(_ error: DatabaseError) -> Bool {
    switch error.extendedResultCode {
    case .SQLITE_READONLY_CANTINIT, .SQLITE_READONLY_RECOVERY, .SQLITE_READONLY_CANTLOCK: true
    default: error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_BUSY
    }
  }

  /// Whether the calling thread is reading.
  var isUsedByCurrentThread: Bool { connections.isUsedByCurrentThread }

  /// Stops the reads that run.
  func interrupt() { connections.interrupt() }

  /// Opens the connections again before the next reads.
  func replaceConnections() { connections.replaceAll() }

  /// Closes the connections.
  ///
  /// - Parameter waits: Whether to wait until the reads that are under way have ended.
  /// - Throws: ``DatabaseError`` when a connection cannot be closed.
  func close(waits: Bool) throws { try connections.close(waits: waits) }
}
