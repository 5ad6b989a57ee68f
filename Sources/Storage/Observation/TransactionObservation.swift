internal import Synchronization
internal import WellspringPlatform

/// An observer of transactions, with how long it is told.
final class TransactionObservation: @unchecked Sendable {
  // Safe to share: it is made on one thread and then used by the access that holds the connection.
  let id: ObjectIdentifier
  let extent: TransactionObservationExtent
  /// Whether it may want to be told of single rows, and not of ends of transactions only.
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

/// What threads without the writer want of it: it looks here when an access begins.
final class WriterRegistrations: Sendable {
  enum Registration: Sendable {
    case add(TransactionObservation)
    case remove(ObjectIdentifier)
    case addRegion(RegionObserver)
    case removeRegion(RegionObserver)
  }

  // Guards what the writer has not taken yet.
  private let waiting = Lock<[Registration]>([])
  private let isEmpty = Atomic(true)

  func append(_ registration: Registration) {
    waiting.withLock { $0.append(registration) }
    isEmpty.store(false, ordering: .releasing)
  }

  /// Takes what is there, in the order in which it came.
  func take() -> [Registration] {
    guard !isEmpty.load(ordering: .acquiring) else { return [] }
    isEmpty.store(true, ordering: .releasing)
    return waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
