/// A result that one task waits for. Only the first result counts.
package final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case waiting(CheckedContinuation<Value, Never>)
    case fulfilled(Value)
  }

  // Guards the result, or the waiting continuation. The continuation is resumed outside the lock.
  private let state = Lock(State.empty)

  /// Runs `body`, and waits until the promise is fulfilled.
  ///
  /// - Parameters:
  ///   - body: Starts the work that fulfils the promise.
  ///   - onCancel: Returns the result of a task that is cancelled first.
  /// - Returns: The result.
  package static func value(
    _ body: (Promise) -> Void,
    onCancel: @escaping @Sendable () -> Value
  ) async -> Value {
    let promise = Promise()
    return await withTaskCancellationHandler {
      body(promise)
      return await withCheckedContinuation { promise.wait($0) }
    } onCancel: {
      promise.fulfil(onCancel())
    }
  }

  /// Runs `body`, and waits until the promise is fulfilled, also in a task that is cancelled.
  ///
  /// - Parameter body: Starts the work that fulfils the promise.
  /// - Returns: The result.
  package static func value(_ body: (Promise) -> Void) async -> Value {
    let promise = Promise()
    body(promise)
    return await withCheckedContinuation { promise.wait($0) }
  }

  /// Sets the result, unless there is one already.
  package func fulfil(_ value: Value) {
    let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .empty:
        state = .fulfilled(value)
        return nil
      case .waiting(let continuation):
        state = .fulfilled(value)
        return continuation
      case .fulfilled:
        return nil
      }
    }
    waiting?.resume(returning: value)
  }

  private func wait(_ continuation: CheckedContinuation<Value, Never>) {
    let value = state.withLock { state -> Value? in
      if case .fulfilled(let value) = state { return value }
      state = .waiting(continuation)
      return nil
    }
    if let value { continuation.resume(returning: value) }
  }
}
