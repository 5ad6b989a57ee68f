/// Values that readers show instead of loading their keys, for tests.
package enum FixedValues {
  @TaskLocal static var current: [KeyIdentity: any Sendable] = [:]

  static func source<Value>(for key: some SharedReaderKey<Value>) -> ConstantSource<Value>? {
    // Most programs fix no value: don't hash their keys.
    guard !current.isEmpty else { return nil }
    let value = current[KeyIdentity.of(key).anywhere] as? Value
    return value.map { ConstantSource($0) }
  }

  /// Runs an operation in which the readers of a key show a fixed value.
  package static func with<Value: Sendable, Result>(
    _ key: some SharedReaderKey<Value>,
    _ value: Value,
    isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    var values = current
    values[KeyIdentity.of(key).anywhere] = value
    return try await $current.withValue(values, operation: operation)
  }
}
