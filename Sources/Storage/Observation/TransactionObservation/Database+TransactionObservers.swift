extension Database {
  /// Adds an observer of this connection's transactions, the running one included.
  ///
  /// A connection that only reads has no transactions to observe: inside the `read` of a
  /// ``DatabasePool``, nothing is added, and the error log says so.
  ///
  /// - Parameters:
  ///   - transactionObserver: The observer, which is added once only.
  ///   - extent: How long it observes.
  public func add(
    transactionObserver: some TransactionObserver,
    extent: TransactionObservationExtent = .observerLifetime
  ) {
    guard let tracker = installedTracker else {
      return ErrorLog.report(
        .SQLITE_READONLY,
        """
        a transaction observer was added to a connection that only reads, and observes nothing: add \
        it to the database, or inside a write
        """,
        source: path
      )
    }
    tracker.add(TransactionObservation(transactionObserver, extent: extent))
  }

  /// Removes an observer. Nothing happens when it was not added.
  public func remove(transactionObserver: some TransactionObserver) {
    installedTracker?.remove(ObjectIdentifier(transactionObserver))
  }
}

extension DatabaseWriter {
  /// Adds an observer of the transactions of this database's writer, from the next one on.
  ///
  /// This does not wait for a running write, and may be called inside a write.
  ///
  /// - Parameters:
  ///   - transactionObserver: The observer, which is added once only.
  ///   - extent: How long it observes.
  public func add(
    transactionObserver: some TransactionObserver & Sendable,
    extent: TransactionObservationExtent = .observerLifetime
  ) {
    let observation = TransactionObservation(transactionObserver, extent: extent)
    observableCore.registrations.append(.add(observation))
  }

  /// Removes an observer, before the next transaction. Nothing happens when it was not added.
  public func remove(transactionObserver: some TransactionObserver & Sendable) {
    observableCore.registrations.append(.remove(ObjectIdentifier(transactionObserver)))
  }
}

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
  ///   depends on a table or column that does not exist.
  public func notifyChanges(in region: some DatabaseRegionConvertible) throws {
    try checkMayWrite()
    try changeTracker.notifyChanges(in: self.region(of: [region]))
  }

  /// Adds a region to the region of an observation's running fetch, besides the parts that its SQL
  /// reads.
  ///
  ///     let observation = ValueObservation.tracking { db in
  ///       try db.registerAccess(to: DatabaseRegion(table: "remoteFile"))
  ///       return remoteFiles()
  ///     }
  ///
  /// Outside an observation it does nothing.
  ///
  /// - Throws: ``DatabaseError`` when the region depends on a table or column that does not exist.
  public func registerAccess(
    to region: @autoclosure () throws -> some DatabaseRegionConvertible
  ) throws {
    guard let regionRecorder else { return }
    regionRecorder.record(try self.region(of: [region()]))
  }
}
