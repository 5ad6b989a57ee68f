internal import Sharing
internal import Testing

/// Records the failures of readers as issues of the test that has created them.
enum TestFailures {
  /// Returns whether a failure is not an issue.
  @TaskLocal static var isAllowed: @Sendable (FailureReport) -> Bool = { _ in false }

  /// Runs a test whose readers' failures are issues, unless an outer trait does that already.
  static func record(during test: @Sendable () async throws -> Void) async throws {
    guard FailureScope.current == nil else { return try await test() }
    let scope = FailureScope { report in
      guard !isAllowed(report) else { return }
      Issue.record(report.error, "\(report.source) has failed")
    }
    try await FailureScope.$current.withValue(scope) {
      defer { scope.flush() }
      try await test()
    }
  }
}
