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
