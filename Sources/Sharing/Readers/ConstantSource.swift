/// The source of a reader that shows a constant.
final class ConstantSource<Value: Sendable>: ReaderSource {
  private let value: Value
  /// Reports that a reader of the constant shows another source.
  private let signal = ChangeSignal()

  init(_ value: Value) {
    self.value = value
  }

  func read() -> Value {
    signal.didRead(0)
    return value
  }

  func readLoading() -> LoadingStatus {
    signal.didRead(0)
    return LoadingStatus(error: nil, isLoading: false)
  }

  func status() -> ReaderStatus<Value> { ReaderStatus(value: value) }
  // A constant never changes. A reader that shows another source later adds its waiters there.
  func add(_ wakeup: Wakeup) {}
  func remove(_ wakeup: Wakeup) {}
  func didLeave() { signal.didEnd(0) }
  func load() async throws {}
  func momentPart() throws -> MomentPart<Value> { MomentPart(constant: value) }
}
