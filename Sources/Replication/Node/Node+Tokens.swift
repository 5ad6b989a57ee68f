internal import Dispatch
internal import WellspringPlatform

extension Node {
  /// The token that the content of the file contains.
  var token: WriteToken {
    state.withLock { state in
      WriteToken(epoch: state.place.epoch, sequence: state.place.position.sequence)
    }
  }

  /// What a write leaves that ends now.
  var receipt: WriteReceipt {
    state.withLock { state in
      let token = WriteToken(epoch: state.place.epoch, sequence: state.place.position.sequence)
      return WriteReceipt(token: token, outboxNumber: state.fate.last)
    }
  }

  /// Waits until the file contains a write.
  ///
  /// - Throws: ``ReplicationError``, or `CancellationError`.
  func wait(until token: WriteToken, timeout: Duration) async throws {
    let number = Lock(UInt64?.none)
    let result = await Promise<Result<Void, any Error>>.value { promise in
      let waiter = TokenWaiter(token: token) { promise.fulfil($0.mapError { $0 as any Error }) }
      let (new, result) = state.withLock { state -> (UInt64, Result<Void, ReplicationError>?) in
        let result = state.result(of: token)
        state.lastWaiter += 1
        if result == nil { state.waiters[state.lastWaiter] = waiter }
        return (state.lastWaiter, result)
      }
      if let result { return waiter.finish(result) }
      number.withLock { $0 = new }
      let nanoseconds = Int(max(0, min(timeout / .nanoseconds(1), 9e18)))
      DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
        promise.fulfil(.failure(ReplicationError.timeout))
      }
    } onCancel: {
      .failure(CancellationError())
    }
    if let number = number.withLock({ $0 }) {
      state.withLock { _ = $0.waiters.removeValue(forKey: number) }
    }
    try result.get()
  }
}
