public import Sharing
public import Testing

/// A trait that says which failures of readers are issues of a test: see `.recordsFailures` and
/// `.allowsFailures(where:)`.
public struct FailureTrait: TestTrait, SuiteTrait, TestScoping {
  let isAllowed: @Sendable (FailureReport) -> Bool

  /// Whether the trait applies to each test of a suite: `true`.
  public var isRecursive: Bool { true }

  /// Runs a test, and records the failures of its readers.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await TestFailures.$isAllowed.withValue(isAllowed) {
      try await TestFailures.record {
        // The failures so far must be judged by this trait, not by an outer one.
        defer { FailureScope.current?.flush() }
        try await function()
      }
    }
  }
}

extension Trait where Self == FailureTrait {
  /// Records the failures of readers as issues of the test that has created the readers.
  ///
  ///     @Test(.recordsFailures)
  ///     func `the dashboard reads the file`() throws {
  ///       let dashboard = Dashboard(try DatabasePool(path: path))
  ///       // fails if a query of the dashboard does
  ///     }
  ///
  /// The traits `.inMemoryDatabase(_:)` and `.fixedValue(of:_:)` do this too.
  ///
  /// A failure that comes when a reader is created is recorded immediately. A failure that comes
  /// later, on another thread, is recorded by the next `quiesce()` of the test, or at its end. Each
  /// failure is recorded once. Nothing is reported to `Database.reportFailure`.
  public static var recordsFailures: Self { FailureTrait { _ in false } }

  /// Allows failures of readers, in a test that expects them.
  ///
  ///     @Test(.inMemoryDatabase(Schema.create), .allowsFailures { $0.error is NotFound })
  ///     func `without settings, the defaults are shown`() {
  ///       #expect(Settings().volume == 5)
  ///     }
  ///
  /// To expect a failure in a part of the test, use `withKnownIssue`, with a `quiesce()` inside.
  ///
  /// - Parameter isAllowed: Returns whether a failure is not an issue; by default, none is.
  /// - Returns: A trait for tests and suites.
  public static func allowsFailures(
    where isAllowed: @escaping @Sendable (FailureReport) -> Bool = { _ in true }
  ) -> Self {
    FailureTrait(isAllowed: isAllowed)
  }
}
