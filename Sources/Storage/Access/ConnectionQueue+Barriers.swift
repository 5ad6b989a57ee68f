internal import CWellspringSQLite
internal import Dispatch
internal import WellspringPlatform

extension ConnectionQueue {
  /// Waits until all connections have come back, and lends none while `body` runs.
  ///
  /// - Parameters:
  ///   - deadline: When to stop waiting.
  ///   - shouldGiveUp: Whether to stop waiting earlier; called every 20 milliseconds.
  ///   - body: Called with whether all connections have come back.
  /// - Returns: What `body` returns.
  func withBarrier<Result>(
    deadline: DispatchTime = .distantFuture,
    shouldGiveUp: () -> Bool = { false },
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
    while !allReturned, DispatchTime.now() < deadline, !shouldGiveUp() {
      allReturned = semaphore.wait(timeout: min(deadline, .now() + 0.02)) == .success
    }
    return try body(allReturned)
  }
}
