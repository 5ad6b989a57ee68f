/// The source of a reader that shows a constant.
final class ConstantSource<Value: Sendable>: ReaderSource {
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }

  func read() -> Value { value }
  func readLoading() -> LoadingStatus { LoadingStatus(error: nil, isLoading: false) }
  func status() -> ReaderStatus<Value> { ReaderStatus(value: value) }
  // A constant never changes. A reader that shows another source later adds its waiters there.
  func add(_ wakeup: Wakeup) {}
  func remove(_ wakeup: Wakeup) {}
  func didLeave() {}
  func load() async throws {}
  func momentPart() throws -> MomentPart<Value> { MomentPart(constant: value) }
}
