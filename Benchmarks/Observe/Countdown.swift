internal import Dispatch
internal import Synchronization

/// Waits until every subscriber has a value.
final class Countdown: Sendable {
  private let awaited = Atomic(0)
  private let missing = Atomic(0)
  private let count: Int
  private let done = DispatchSemaphore(value: 0)

  init(_ count: Int) {
    self.count = count
  }

  /// Sets the value that the next ``wait()`` waits for. Call it before the write that leads to that
  /// value.
  func expect(_ value: Int) {
    missing.store(count, ordering: .relaxed)
    awaited.store(value, ordering: .releasing)
  }

  /// Records a value. Called by each subscriber.
  func record(_ value: Int) {
    guard value == awaited.load(ordering: .acquiring) else { return }
    if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done.signal() }
  }

  /// Waits until every subscriber has the value.
  ///
  /// - Throws: ``Overdue`` after `seconds`.
  func wait(within seconds: Double = 10) throws {
    guard done.wait(timeout: .now() + seconds) == .success else {
      throw Overdue(what: "the value of \(missing.load(ordering: .relaxed)) subscribers")
    }
  }
}
