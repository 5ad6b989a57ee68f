internal import WellspringPlatform

/// The loops that read the status of a node.
final class StatusListeners: Sendable {
  private struct State {
    var continuations: [UInt64: AsyncStream<ReplicationStatus>.Continuation] = [:]
    var last: ReplicationStatus?
    var number: UInt64 = 0
    var isEnded = false
  }

  // Guards the loops, which get their values in it: none may come after a newer one.
  private let state = Lock(State())

  /// Makes a sequence of the status: the current one, and the newest one after each change.
  func stream(
    _ current: () -> ReplicationStatus
  ) -> AsyncStream<ReplicationStatus> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ReplicationStatus.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let number = state.withLock { state -> UInt64? in
      continuation.yield(current())
      guard !state.isEnded else { return nil }
      state.number += 1
      state.continuations[state.number] = continuation
      return state.number
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.continuations.removeValue(forKey: number) }
    }
    return stream
  }

  /// Gives the loops the status if it has changed.
  func notify(_ status: () -> ReplicationStatus) {
    state.withLock { state in
      guard !state.continuations.isEmpty else { return }
      let status = status()
      guard state.last != status else { return }
      state.last = status
      for continuation in state.continuations.values { continuation.yield(status) }
    }
  }

  /// Ends the loops.
  func end() {
    let continuations = state.withLock { state in
      defer { state.continuations = [:] }
      state.isEnded = true
      return Array(state.continuations.values)
    }
    for continuation in continuations { continuation.finish() }
  }
}
