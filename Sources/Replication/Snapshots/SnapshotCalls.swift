internal import WellspringSystem

/// The calls of a ``SnapshotStore``, which the threads of a node wait for until the node ends.
final class SnapshotCalls: Sendable {
  private struct State {
    var isEnded = false
    var last: UInt64 = 0
    /// Cancels a call and ends the wait for it, by number.
    var running: [UInt64: @Sendable () -> Void] = [:]
  }

  // Guards the calls that run, and whether the node is closed. They are cancelled outside it.
  private let state = Lock(State())
  /// How long a call may continue after it was cancelled. A store that ends sooner has removed its
  /// unfinished files before its node is closed.
  private let grace: Duration
  /// How long a call may take.
  private let limit: Duration

  init(limit: Duration = .seconds(600), grace: Duration = .seconds(2)) {
    self.limit = limit
    self.grace = grace
  }

  /// Waits on the calling thread for a closure of a store.
  ///
  /// - Throws: ``ReplicationError/closed`` once the node ends,
  ///   ``ReplicationError/storeTimeout(_:)`` when the call takes too long, or the error of the
  ///   closure.
  func wait<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    // Guards the result of the call.
    let result = Lock(Result<Value, any Error>?.none)
    // The call has ended, or the node does.
    let wakeUp = MonotonicSemaphore()
    let number = state.withLock { state -> UInt64? in
      guard !state.isEnded else { return nil }
      state.last += 1
      let task = Task.detached {
        let outcome: Result<Value, any Error>
        do {
          outcome = .success(try await body())
        } catch {
          outcome = .failure(error)
        }
        result.withLock { $0 = outcome }
        wakeUp.signal()
      }
      state.running[state.last] = {
        task.cancel()
        wakeUp.signal()
      }
      return state.last
    }
    guard let number else { throw ReplicationError.closed }
    let isLate = !wakeUp.wait(for: limit)
    if isLate {
      state.withLock { $0.running[number] }?()
      // The signal of the call above.
      wakeUp.wait()
    }
    if result.withLock({ $0 == nil }) { _ = wakeUp.wait(for: grace) }
    state.withLock { $0.running[number] = nil }
    let isEnded = state.withLock { $0.isEnded }
    switch result.withLock({ $0 }) {
    case .success(let value)?: return value
    case .failure(let error)? where !isLate: throw error
    case .failure, nil: throw isEnded ? ReplicationError.closed : .storeTimeout(limit)
    }
  }

  /// Cancels the calls, and refuses further ones.
  func end() {
    let running = state.withLock { state in
      state.isEnded = true
      return Array(state.running.values)
    }
    for cancel in running { cancel() }
  }
}
