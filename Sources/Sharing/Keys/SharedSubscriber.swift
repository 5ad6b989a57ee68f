/// Takes what a ``SharedReaderKey`` finds out, on any thread.
public struct SharedSubscriber<Value: Sendable>: Sendable {
  private let callback: @Sendable (Result<Value?, any Error>) -> Void
  private let onLoading: @Sendable (Bool) -> Void
  private let onFinish: @Sendable (any Error) -> Void

  /// Makes a subscriber that calls closures: to test a key, for one.
  ///
  /// - Parameters:
  ///   - callback: Called with each value and error; `nil` stands for the initial value.
  ///   - onLoading: Called when a value begins or ends to be loaded.
  public init(
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void,
    onLoading: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    self.init(callback: callback, onLoading: onLoading) { callback(.failure($0)) }
  }

  init(
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void,
    onLoading: @escaping @Sendable (Bool) -> Void,
    onFinish: @escaping @Sendable (any Error) -> Void
  ) {
    self.callback = callback
    self.onLoading = onLoading
    self.onFinish = onFinish
  }

  /// Tells a new value. One that equals the present one is not shown again.
  public func yield(_ value: Value) { callback(.success(value)) }

  /// Tells an error: the present value stays.
  public func yield(throwing error: any Error) { callback(.failure(error)) }

  /// Tells that there is no value any more: readers show their initial one.
  public func yieldReturningInitialValue() { callback(.success(nil)) }

  /// Tells a value or an error. `nil` stands for the initial value.
  public func yield(with result: Result<Value?, any Error>) { callback(result) }

  /// Tells that a value begins or ends to be loaded: see ``SharedReader/isLoading``.
  public func yieldLoading(_ isLoading: Bool = true) { onLoading(isLoading) }

  /// Tells the error that ends everything: the present value stays, and loops end.
  func finish(throwing error: any Error) { onFinish(error) }
}
