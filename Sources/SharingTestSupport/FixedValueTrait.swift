public import Sharing
public import Testing

/// Lets readers of a key show a fixed value: see `.fixedValue(of:_:)`.
public struct FixedValueTrait<Key: SharedReaderKey>: TestTrait, SuiteTrait, TestScoping {
  let key: @Sendable () -> Key
  let value: Key.Value

  /// It counts for each test of a suite.
  public var isRecursive: Bool { true }

  /// Runs a test with the fixed value.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withFixedValue(of: key(), value) { try await function() }
  }
}

extension Trait {
  /// Lets the readers of a key that a test makes show a fixed value. No database is needed for it.
  ///
  ///     @Test(.fixedValue(of: .openOrders, [Order(id: 1)]))
  ///     func `one open order is no backlog`() {
  ///       #expect(!Dashboard().hasBacklog)
  ///     }
  public static func fixedValue<Key: SharedReaderKey>(
    of key: @autoclosure @escaping @Sendable () -> Key,
    _ value: Key.Value
  ) -> Self where Self == FixedValueTrait<Key> {
    FixedValueTrait(key: key, value: value)
  }
}

/// Lets the readers of a key that are made in an operation, and in the tasks that it starts, show a
/// fixed value.
///
/// - Parameters:
///   - key: A key. Those that equal it are meant too.
///   - value: What its readers show.
///   - isolation: The actor that the operation runs on.
///   - operation: Makes readers. Those of other keys are as usual.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws.
public func withFixedValue<Value: Sendable, Result>(
  of key: some SharedReaderKey<Value>,
  _ value: Value,
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await FixedValues.with(key, value, operation: operation)
}
