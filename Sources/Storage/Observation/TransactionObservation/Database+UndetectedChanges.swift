extension Database {
  /// Tells that a part of the database has changed, or may have, by a means that is not detected: a
  /// virtual table that shows something from outside of the database, for one.
  ///
  ///     try pool.write { db in
  ///       refreshRemoteFiles()
  ///       try db.notifyChanges(in: DatabaseRegion(table: "remoteFile"))
  ///     }
  ///
  /// Observations of the region run again after the transaction is committed; outside of a write
  /// transaction, at once. Rolling back, also to a savepoint, takes the notification back.
  ///
  /// Everything that goes through SQLite is detected by itself, also writes by other connections and
  /// other processes.
  ///
  /// - Precondition: The connection is one that writes.
  /// - Throws: ``DatabaseError`` when the region depends on what does not exist.
  public func notifyChanges(in region: some DatabaseRegionConvertible) throws {
    try changeTracker.notifyChanges(in: self.region(of: [region]))
  }

  /// Tells the running fetch of an observation that it depends on a region, beside what its SQL reads.
  ///
  ///     let observation = ValueObservation.tracking { db in
  ///       try db.registerAccess(to: DatabaseRegion(table: "remoteFile"))
  ///       return remoteFiles()
  ///     }
  ///
  /// Outside of an observation it does nothing.
  ///
  /// - Throws: ``DatabaseError`` when the region depends on what does not exist.
  public func registerAccess(
    to region: @autoclosure () throws -> some DatabaseRegionConvertible
  ) throws {
    guard let regionRecorder else { return }
    regionRecorder.record(try self.region(of: [region()]))
  }
}
