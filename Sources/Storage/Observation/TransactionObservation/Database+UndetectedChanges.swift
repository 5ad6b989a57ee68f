extension Database {
  /// Reports that a part of the database has changed, or may have, in a way that is not detected:
  /// for example through a virtual table that shows something from outside the database.
  ///
  ///     try pool.write { db in
  ///       refreshRemoteFiles()
  ///       try db.notifyChanges(in: DatabaseRegion(table: "remoteFile"))
  ///     }
  ///
  /// Observations of the region run again after the transaction is committed; outside a write
  /// transaction, immediately. Rolling back, also to a savepoint, cancels the notification.
  ///
  /// Everything that goes through SQLite is detected without this, also writes by other connections
  /// and other processes.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_READONLY` inside a `read`, and when the region
  ///   depends on what does not exist.
  public func notifyChanges(in region: some DatabaseRegionConvertible) throws {
    try checkMayWrite()
    try changeTracker.notifyChanges(in: self.region(of: [region]))
  }

  /// Adds a region to what the running fetch of an observation depends on, besides what its SQL
  /// reads.
  ///
  ///     let observation = ValueObservation.tracking { db in
  ///       try db.registerAccess(to: DatabaseRegion(table: "remoteFile"))
  ///       return remoteFiles()
  ///     }
  ///
  /// Outside an observation it does nothing.
  ///
  /// - Throws: ``DatabaseError`` when the region depends on what does not exist.
  public func registerAccess(
    to region: @autoclosure () throws -> some DatabaseRegionConvertible
  ) throws {
    guard let regionRecorder else { return }
    regionRecorder.record(try self.region(of: [region()]))
  }
}
