/// A result that one task waits for: the first one counts.
package final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case waiting(CheckedContinuation<Value, Never>)
    case fulfilled(Value)
  }

  // Guards the result, or who waits for it. Continuations are resumed outside.
  private let state = Lock(State.empty)

  /// Waits for the result that `body` causes, or for that of a cancelled task.
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

  /// Gives the result, unless there is one.
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
