import WellspringSystem

@testable import Sharing

/// The failures of the readers that an operation creates.
final class RecordedFailures: Sendable {
  private let reports = Lock<[FailureReport]>([])
  private let scope: FailureScope

  init() {
    scope = FailureScope { [reports] report in reports.withLock { $0.append(report) } }
  }

  /// Runs an operation whose readers' failures are recorded.
  func record<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try FailureScope.$current.withValue(scope, operation: operation)
  }

  /// Runs an async operation whose readers' failures are recorded.
  func record<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws -> Result
  ) async rethrows -> Result {
    try await FailureScope.$current.withValue(scope, operation: operation)
  }

  /// The reports so far, each as one line.
  var lines: [String] {
    scope.flush()
    return reports.withLock { $0 }.map(\.description)
  }
}
