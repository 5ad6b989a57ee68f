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
  private let connection: ObjectIdentifier

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
    self.connection = ObjectIdentifier(connection)
    walKeeper?.addSnapshot(connection)
  }

  deinit {
    walKeeper?.removeSnapshot(connection)
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func close() throws {
    try core.close()
    walKeeper?.removeSnapshot(connection)
  }
}
