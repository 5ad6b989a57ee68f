internal import WellspringSystem

/// Receives the failures of the readers that were created within a scope, such as a test.
///
/// Failures come on any thread, after the task that has created the reader may have continued. So a
/// failure in the scope itself is recorded at once, and other failures wait for the next
/// ``flush()`` by a task of the scope.
package final class FailureScope: Sendable {
  @TaskLocal package static var current: FailureScope?

  private struct State {
    /// The failures that were received, without their counts.
    var known: Set<String> = []
    var waiting: [FailureReport] = []
  }

  private let record: @Sendable (FailureReport) -> Void
  // Guards the failures. They are recorded outside it.
  private let state = Lock(State())

  /// Creates a scope.
  ///
  /// - Parameter record: Called once for each failure, in a task of the scope.
  package init(record: @escaping @Sendable (FailureReport) -> Void) {
    self.record = record
  }

  func report(_ error: any Error, source: String) {
    let report = FailureReport(source: source, error: error)
    let text = report.description
    let isOfScope = FailureScope.current === self
    let mustRecord = state.withLock { state in
      guard state.known.insert(text).inserted else { return false }
      if !isOfScope { state.waiting.append(report) }
      return isOfScope
    }
    if mustRecord { record(report) }
  }

  /// Records the failures that came on other threads.
  package func flush() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for report in waiting { record(report) }
  }
}
