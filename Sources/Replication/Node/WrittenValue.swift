internal import WellspringSystem

/// The value of a write that another thread runs.
final class WrittenValue<Value: Sendable>: Sendable {
  // Guards the value, which is set before the write ends.
  private let value = Lock(Value?.none)

  func set(_ new: Value) { value.withLock { $0 = new } }

  /// - Throws: ``ReplicationError/closed`` if the closure has not run.
  func get() throws(ReplicationError) -> Value {
    guard let value = value.withLock({ $0 }) else { throw .closed }
    return value
  }
}
