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

  private struct State {
    var waiting: [Registration] = []
    var isClosed = false
  }

  // Guards what the writer has not taken yet.
  private let state = Lock(State())
  private let isEmpty = Atomic(true)

  func append(_ registration: Registration) {
    let isClosed = state.withLock { state in
      // A region that the writer has not seen yet just goes.
      if case .removeRegion(let observer) = registration {
        let index = state.waiting.lastIndex { waiting in
          if case .addRegion(let other) = waiting { other === observer } else { false }
        }
        if let index {
          state.waiting.remove(at: index)
          return false
        }
      }
      if !state.isClosed { state.waiting.append(registration) }
      return state.isClosed
    }
    isEmpty.store(false, ordering: .releasing)
    if isClosed, case .addRegion(let observer) = registration { observer.close() }
  }

  /// Takes what is there, in the order in which it came.
  func take() -> [Registration] {
    guard !isEmpty.load(ordering: .acquiring) else { return [] }
    isEmpty.store(true, ordering: .releasing)
    return takeAll()
  }

  /// Takes what is there: there will be nothing more.
  func close() -> [Registration] {
    state.withLock { $0.isClosed = true }
    return takeAll()
  }

  private func takeAll() -> [Registration] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}
