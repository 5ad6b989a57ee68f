/// An observer of transactions, with its extent.
final class TransactionObservation: @unchecked Sendable {
  // Safe to share: it is made on one thread and then used by the access that holds the connection.
  let id: ObjectIdentifier
  let extent: TransactionObservationExtent
  /// Whether it may want events of single rows, and not only of ends of transactions.
  let wantsEvents: Bool
  private weak var weakObserver: (any TransactionObserver)?
  private let strongObserver: (any TransactionObserver)?

  /// Whether it wants no more events of the running transaction.
  var isStopped = false

  init(
    _ observer: any TransactionObserver,
    extent: TransactionObservationExtent,
    wantsEvents: Bool = true
  ) {
    id = ObjectIdentifier(observer)
    self.extent = extent
    self.wantsEvents = wantsEvents
    weakObserver = observer
    strongObserver = extent == .observerLifetime ? nil : observer
  }

  /// `nil` when its lifetime has ended.
  var observer: (any TransactionObserver)? { strongObserver ?? weakObserver }
}
