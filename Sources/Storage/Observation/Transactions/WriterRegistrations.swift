internal import Synchronization
internal import WellspringPlatform

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
