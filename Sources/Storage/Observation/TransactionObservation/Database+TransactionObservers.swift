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
    guard let tracker = hooks as? ChangeTracker else {
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
    (hooks as? ChangeTracker)?.remove(ObjectIdentifier(transactionObserver))
  }
}
