internal import Synchronization
internal import WellspringSystem

/// How long an observer observes transactions.
public enum TransactionObservationExtent: Sendable {
  /// As long as the program holds the observer.
  case observerLifetime
  /// Until the end of the running transaction, or of the next one when none is running. The
  /// database holds the observer until then.
  case nextTransaction
  /// As long as the connection is open. The database holds the observer.
  case databaseLifetime
}

extension Database {
  /// How long an observer observes transactions.
  public typealias TransactionObservationExtent = Storage.TransactionObservationExtent
}

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

/// The observers that other threads add to the writer's connection, or remove from it. An access
/// takes these registrations when it begins.
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

  // Guards the registrations that the writer has not taken yet.
  private let state = Lock(State())
  private let isEmpty = Atomic(true)

  func append(_ registration: Registration) {
    let isClosed = state.withLock { state in
      // The writer need not be notified of a region that it has not seen yet.
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

  /// Takes the registrations, in the order in which they came.
  func take() -> [Registration] {
    guard !isEmpty.load(ordering: .acquiring) else { return [] }
    isEmpty.store(true, ordering: .releasing)
    return takeAll()
  }

  /// Takes the registrations, and refuses further ones.
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
