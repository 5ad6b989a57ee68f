internal import WellspringSystem

/// An observation of the default database that begins once there is one.
final class LateObservation: Sendable {
  private enum State {
    case waiting
    case running(AnyDatabaseCancellable)
    case cancelled
  }

  private let start: @Sendable (any DatabaseReader) -> AnyDatabaseCancellable
  // Guards the observation, which is started and ended outside it.
  private let state = Lock(State.waiting)

  /// Creates an observation.
  ///
  /// - Parameter start: Starts the observation of a database.
  init(_ start: @escaping @Sendable (any DatabaseReader) -> AnyDatabaseCancellable) {
    self.start = start
  }

  /// Starts the observation, now or when there is a default database.
  func startWhenPossible() {
    let database = DefaultDatabase.wait(self) { [weak self] in self?.start(in: $0) }
    if let database { start(in: database) }
  }

  private func start(in database: any DatabaseReader) {
    let observation = start(database)
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .running(observation)
      return false
    }
    if isCancelled { observation.cancel() }
  }

  /// Runs the query again, and calls a closure after its result was delivered. Without a database,
  /// the closure is called immediately.
  func refresh(_ completion: @escaping @Sendable () -> Void) {
    let state = state.withLock { $0 }
    guard case .running(let observation) = state else { return completion() }
    observation.refresh(completion)
  }

  func cancel() {
    DefaultDatabase.removeWaiter(of: self)
    let old = state.withLock { state in
      defer { state = .cancelled }
      return state
    }
    if case .running(let observation) = old { observation.cancel() }
  }
}
