extension Database {
  /// Adds an observer of this connection's transactions, the running one included.
  ///
  /// - Parameters:
  ///   - transactionObserver: The observer, which is added once only.
  ///   - extent: How long it observes.
  /// - Precondition: The connection can write.
  public func add(
    transactionObserver: some TransactionObserver,
    extent: TransactionObservationExtent = .observerLifetime
  ) {
    changeTracker.add(TransactionObservation(transactionObserver, extent: extent))
  }

  /// Removes an observer. Nothing happens when it was not added.
  ///
  /// - Precondition: The connection can write.
  public func remove(transactionObserver: some TransactionObserver) {
    changeTracker.remove(ObjectIdentifier(transactionObserver))
  }
}
