internal import WellspringSystem

extension DatabasePool {
  /// Opens a snapshot of the last committed state.
  ///
  /// - Parameter name: The name in reports, such as one about a snapshot that keeps SQLite from
  ///   emptying the WAL.
  /// - Returns: The snapshot.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when the calling thread is in a transaction
  ///   that writes.
  public func makeSnapshot(named name: String? = nil) throws -> DatabaseSnapshot {
    guard core.process.isCurrent else { throw DatabaseError.usedAfterFork }
    guard core.writers?.currentConnection?.database.isInsideTransaction != true else {
      throw DatabaseError.misuse(
        """
        a snapshot was made inside a transaction, and cannot see the changes of that transaction: \
        make it after the transaction, in the closure of writeWithoutTransaction
        """
      )
    }
    let connection = try PooledConnection(
      core.location.openReader(core.configuration, .snapshot, in: core.fileGuard),
      label: name ?? "\(core.configuration.connectionLabel).snapshot"
    )
    return DatabaseSnapshot(connection, of: core)
  }

  /// Reads the state after the commits of the current write: an earlier name of
  /// ``DatabaseWriter/spawnConcurrentRead(_:)``.
  public func asyncConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    spawnConcurrentRead(value)
  }

  /// Reads the state after the commits of the current write, and returns a future of the result.
  ///
  ///     let count = try pool.writeWithoutTransaction { db in
  ///       try db.inTransaction { …; return .commit }
  ///       return pool.concurrentRead { db in
  ///         try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
  ///       }
  ///     }
  ///     // Other writes may run now.
  ///     print(try count.wait())
  ///
  /// The future's value is an error with `SQLITE_MISUSE` when the calling thread is not in a write,
  /// or is in a transaction.
  public func concurrentRead<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) -> DatabaseFuture<Value> {
    let future = DatabaseFuture<Value>()
    spawnConcurrentRead { db in
      future.fulfill(Result { try value(db.get()) })
    }
    return future
  }
}

/// The state of a database at one moment, which later writes do not change.
///
///     let snapshot = try pool.makeSnapshot(named: "monthly report")
///     try await pool.write { db in try db.execute(sql: "DELETE FROM item") }
///     let count = try await snapshot.read { db in
///       try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
///     }
///     // as before the deletion
///
/// A snapshot is a read transaction on a separate connection, which stays open until the snapshot
/// is closed or released. Until then, SQLite cannot reuse the WAL, which grows with every write:
/// keep snapshots for a short time. A snapshot that makes the WAL exceed
/// ``Configuration/maximumWALPageCount`` is reported by name to ``Database/logError``.
///
/// Observations of a snapshot deliver one value. Its accesses run one at a time.
public final class DatabaseSnapshot: DatabaseReader, ObservableReader {
  let core: DatabaseCore
  private let walKeeper: WALKeeper?
  // Kept, so that no connection of a later snapshot is at its address.
  private let connection: PooledConnection

  /// Makes a snapshot from a connection that holds its read transaction.
  ///
  /// - Parameters:
  ///   - connection: A connection that nothing else uses.
  ///   - pool: The core of the pool that the snapshot is made from.
  init(_ connection: PooledConnection, of pool: DatabaseCore) {
    let readers = ConnectionQueue(capacity: 1, idle: [connection]) {
      throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "a snapshot opens once")
    }
    core = DatabaseCore(
      location: pool.location,
      configuration: pool.configuration,
      writers: nil,
      readers: readers,
      broker: ObservationBroker(snapshot: readers, label: connection.label)
    )
    walKeeper = pool.walKeeper
    self.connection = connection
    walKeeper?.addSnapshot(connection)
  }

  deinit {
    walKeeper?.removeSnapshot(ObjectIdentifier(connection))
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func close() throws {
    try core.close()
    walKeeper?.removeSnapshot(ObjectIdentifier(connection))
  }
}
