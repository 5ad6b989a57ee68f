internal import WellspringSystem

/// The loops that read the status of a node.
final class StatusListeners: Sendable {
  private struct State {
    var continuations: [UInt64: AsyncStream<ReplicationStatus>.Continuation] = [:]
    /// The loops that have no value yet.
    var new: Set<UInt64> = []
    var last: ReplicationStatus?
    var number: UInt64 = 0
    var isEnded = false
    /// Whether a thread gives the loops their values, and whether it must do so once more.
    var isNotifying = false
    var mustRepeat = false
  }

  // Guards the loops. The status is read, and given to them, outside it: a node has a lock of its
  // own, and so has a task that is cancelled while its stream waits for this lock.
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
      guard !state.isEnded else { return nil }
      state.number += 1
      state.continuations[state.number] = continuation
      state.new.insert(state.number)
      return state.number
    }
    guard let number else {
      continuation.yield(current())
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in
        state.new.remove(number)
        _ = state.continuations.removeValue(forKey: number)
      }
    }
    notify(current)
    return stream
  }

  /// Gives the loops the status if it has changed, and new loops in any case.
  ///
  /// One thread at a time does it, so that no value comes after a newer one.
  func notify(_ status: () -> ReplicationStatus) {
    let mayBegin = state.withLock { state in
      guard !state.continuations.isEmpty else { return false }
      guard !state.isNotifying else {
        state.mustRepeat = true
        return false
      }
      state.isNotifying = true
      return true
    }
    guard mayBegin else { return }
    repeat {
      for (continuation, status) in takeChange(status) { continuation.yield(status) }
    } while mustRepeat()
  }

  /// Returns the loops that do not have the status yet, with it.
  private func takeChange(
    _ status: () -> ReplicationStatus
  ) -> [(AsyncStream<ReplicationStatus>.Continuation, ReplicationStatus)] {
    state.withLock { $0.mustRepeat = false }
    let status = status()
    return state.withLock { state in
      let hasChanged = state.last?.withoutAges != status.withoutAges
      defer {
        state.last = status
        state.new = []
      }
      return state.continuations.filter { hasChanged || state.new.contains($0.key) }
        .map { ($0.value, status) }
    }
  }

  private func mustRepeat() -> Bool {
    state.withLock { state in
      state.isNotifying = state.mustRepeat
      return state.mustRepeat
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
