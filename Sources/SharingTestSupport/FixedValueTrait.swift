public import Sharing
public import Testing

/// A trait that makes readers of a key show a fixed value: see `.fixedValue(of:_:)`.
public struct FixedValueTrait<Key: SharedReaderKey>: TestTrait, SuiteTrait, TestScoping {
  let key: @Sendable () -> Key
  let value: Key.Value

  /// Whether the trait applies to each test of a suite: `true`.
  public var isRecursive: Bool { true }

  /// Runs a test with the fixed value.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await TestFailures.record {
      try await withFixedValue(of: key(), value) { try await function() }
    }
  }
}

extension Trait {
  /// Makes the readers that a test creates for a key show a fixed value, without a database.
  ///
  /// The failures of other readers are issues of the test: see `.recordsFailures`.
  ///
  ///     @Test(.fixedValue(of: .openOrders, [Order(id: 1)]))
  ///     func `one open order does not make a backlog`() {
  ///       #expect(!Dashboard().hasBacklog)
  ///     }
  public static func fixedValue<Key: SharedReaderKey>(
    of key: @autoclosure @escaping @Sendable () -> Key,
    _ value: Key.Value
  ) -> Self where Self == FixedValueTrait<Key> {
    FixedValueTrait(key: key, value: value)
  }
}

/// Runs an operation in which the readers of a key show a fixed value.
///
/// The scope includes the tasks that the operation starts. Only readers that are created within the
/// scope show the fixed value.
///
/// - Parameters:
///   - key: The key. The fixed value also applies to equal keys.
///   - value: The value that the readers of the key show.
///   - isolation: The actor that the operation runs on.
///   - operation: The operation. Readers of other keys work as usual.
/// - Returns: The result of the operation.
/// - Throws: The error of the operation.
public func withFixedValue<Value: Sendable, Result>(
  of key: some SharedReaderKey<Value>,
  _ value: Value,
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await FixedValues.with(key, value, operation: operation)
}
