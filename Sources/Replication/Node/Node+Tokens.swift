internal import Dispatch
internal import Foundation
internal import WellspringSystem

extension Node {
  /// The token that the content of the file contains.
  var token: WriteToken {
    state.withLock { $0.place.token }
  }

  /// The receipt of a write that ends now.
  var receipt: WriteReceipt {
    state.withLock { state in
      WriteReceipt(token: state.place.token, outboxNumber: state.fate.last)
    }
  }

  /// Waits until the file contains a write.
  ///
  /// - Throws: ``ReplicationError``, or `CancellationError`.
  func wait(until token: WriteToken, timeout: Duration) async throws {
    try await wait(.token(token), timeout)
  }

  /// Waits until the file contains all entries that the log has now.
  ///
  /// - Throws: ``ReplicationError``, or `CancellationError`.
  func waitForLatest(timeout: Duration) async throws {
    let end = ContinuousClock.now + timeout
    let tail = await Promise<Result<LogPosition, any Error>>.value { promise in
      Thread.detachNewThread { [log] in
        promise.fulfil(
          Result {
            try ReplicationError.asking { () throws(ReplicationLogError) in try log.tail() }
          }
        )
      }
      fail(promise, .timeout, after: timeout)
    } onCancel: {
      .failure(CancellationError())
    }
    try await wait(.position(try tail.get()), end - .now)
  }

  private func fail<Value>(
    _ promise: Promise<Result<Value, any Error>>,
    _ error: ReplicationError,
    after timeout: Duration
  ) {
    let nanoseconds = Int(clamping: timeout.nanoseconds)
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
      promise.fulfil(.failure(error))
    }
  }

  private func wait(_ goal: TokenWaiter.Goal, _ timeout: Duration) async throws {
    // Guards the number of the waiter.
    let number = Lock(UInt64?.none)
    let result = await Promise<Result<Void, any Error>>.value { promise in
      let waiter = TokenWaiter(goal: goal) { promise.fulfil($0.mapError { $0 as any Error }) }
      let (new, result) = state.withLock { state -> (UInt64, Result<Void, ReplicationError>?) in
        let result = state.result(of: goal)
        state.lastWaiter += 1
        if result == nil { state.waiters[state.lastWaiter] = waiter }
        return (state.lastWaiter, result)
      }
      if let result { return waiter.finish(result) }
      number.withLock { $0 = new }
      fail(promise, .timeout, after: timeout)
    } onCancel: {
      .failure(CancellationError())
    }
    if let number = number.withLock({ $0 }) {
      state.withLock { _ = $0.waiters.removeValue(forKey: number) }
    }
    try result.get()
  }
}
