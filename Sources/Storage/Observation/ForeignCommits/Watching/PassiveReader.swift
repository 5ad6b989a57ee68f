internal import CWellspringSQLite
internal import Dispatch
internal import WellspringSystem

/// Reads a file with a WAL that other processes write, and never makes a WAL.
///
/// The first connection to a WAL builds its index, under locks that exclude all other connections:
/// a write that begins meanwhile fails with "database is locked" if it has no time-out. A watcher
/// that has found a WAL may be the first connection when it opens the file, because the last
/// connection of the other processes removes the WAL when it closes. So the connections of this
/// reader fail without a WAL (``ExistingLogVFS``), and the file is read without locks then.
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
    let idleCloser = IdleCloser(file, closesWithoutWAL: true)
    connections = ConnectionQueue(
      capacity: capacity,
      open: { try open(.passiveWatcher) },
      didIdle: { idleCloser.touch($0) }
    )
  }

  /// Reads on the calling thread.
  ///
  /// - Parameter body: The read, which may be repeated.
  /// - Returns: The result of `body`; `nil` when the WAL has gone meanwhile.
  /// - Throws: The error of `body`, unless it can be due to the missing WAL.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value? {
    do {
      return try connections.access(.read) { db in
        var isOver = true
        defer { if isOver { connections.replaceCurrent() } }
        // Opens the WAL. A file that has left WAL mode is not read with this lock.
        _ = try db.versions.dataVersion()
        guard WALIndex.file(db.sqliteConnection, SQLITE_FCNTL_JOURNAL_POINTER) != nil else {
          return nil
        }
        let value = try body(db)
        isOver = false
        return value
      }
    } catch let error as DatabaseError where Self.mayLackWAL(error) {
      return nil
    }
  }

  /// Whether a missing WAL may be the cause of an error of such a connection.
  static func mayLackWAL(_ error: DatabaseError) -> Bool { error.resultCode == .SQLITE_CANTOPEN }

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
