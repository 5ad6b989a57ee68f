/// A value that stays.
final class ConstantSource<Value: Sendable>: ReaderSource {
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }

  func read() -> Value { value }
  func readLoading() -> LoadingStatus { LoadingStatus(error: nil, isLoading: false) }
  func status() -> ReaderStatus<Value> { ReaderStatus(value: value) }
  // Another source may follow, and wakes them then.
  func add(_ wakeup: Wakeup) {}
  func remove(_ wakeup: Wakeup) {}
  func didLeave() {}
  func load() async throws {}
  func momentPart() throws -> MomentPart<Value> { MomentPart(constant: value) }
}
