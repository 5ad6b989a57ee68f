/// A database as it was at one moment, whatever is written later.
///
///     let snapshot = try pool.makeSnapshot(named: "monthly report")
///     try await pool.write { db in try db.execute(sql: "DELETE FROM item") }
///     let count = try snapshot.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") }
///     // as before the deletion
///
/// A snapshot is a read transaction on a connection of its own, which stays open until the snapshot is
/// closed or released. As long as it does, the WAL cannot begin anew and grows with every write: keep
/// snapshots for a short time. One that holds a WAL beyond ``Configuration/maximumWALPageCount`` is named
/// in ``Database/logError``.
///
/// Observations of a snapshot deliver one value. Its accesses run one at a time.
public final class DatabaseSnapshot: DatabaseReader, ObservableReader {
  let core: DatabaseCore
  private let walKeeper: WALKeeper?
  private let connection: ObjectIdentifier

  init(_ core: DatabaseCore, _ connection: Connection, _ walKeeper: WALKeeper?) {
    self.core = core
    self.walKeeper = walKeeper
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
