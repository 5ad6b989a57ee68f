internal import CWellspringSQLite
internal import Dispatch
internal import WellspringPlatform

extension ConnectionQueue {
  /// Waits until nobody has a connection, and gives nobody one while `body` runs.
  ///
  /// - Parameters:
  ///   - deadline: How long to wait for that.
  ///   - mustGiveUp: Asked once in a while, when it takes long.
  ///   - body: Told whether nobody has a connection.
  /// - Returns: What `body` returns.
  func withBarrier<Result>(
    deadline: DispatchTime = .distantFuture,
    mustGiveUp: () -> Bool = { false },
    _ body: (_ allReturned: Bool) throws -> Result
  ) rethrows -> Result {
    let semaphore = DispatchSemaphore(value: 0)
    var allReturned = state.withLock { $0.machine.beginBarrier { _ in semaphore.signal() } }
    defer {
      let decisions = state.withLock { state in
        let decisions = state.machine.endBarrier()
        for case .handOver(let connection, _) in decisions { state.borrowed.append(connection) }
        return decisions
      }
      for decision in decisions { carryOut(decision) }
    }
    while !allReturned, DispatchTime.now() < deadline, !mustGiveUp() {
      allReturned = semaphore.wait(timeout: min(deadline, .now() + 0.02)) == .success
    }
    return try body(allReturned)
  }
}
