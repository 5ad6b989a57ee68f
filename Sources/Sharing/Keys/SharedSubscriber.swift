/// Receives the values and errors that a ``SharedReaderKey`` delivers, on any thread.
public struct SharedSubscriber<Value: Sendable>: Sendable {
  private let callback: @Sendable (Result<Value?, any Error>, ValueOrigin?) -> Void
  private let onLoading: @Sendable (Bool) -> Void
  private let onFinish: @Sendable (any Error) -> Void

  /// Creates a subscriber that calls closures, for example to test a key.
  ///
  /// - Parameters:
  ///   - callback: Called with each value and error. `nil` means the initial value.
  ///   - onLoading: Called when loading starts or ends.
  public init(
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void,
    onLoading: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    self.init(callback: { result, _ in callback(result) }, onLoading: onLoading) {
      callback(.failure($0))
    }
  }

  init(
    callback: @escaping @Sendable (Result<Value?, any Error>, ValueOrigin?) -> Void,
    onLoading: @escaping @Sendable (Bool) -> Void,
    onFinish: @escaping @Sendable (any Error) -> Void
  ) {
    self.callback = callback
    self.onLoading = onLoading
    self.onFinish = onFinish
  }

  /// Delivers a new value. A value that equals the current one causes no update.
  public func yield(_ value: Value) { yield(value, nil) }

  /// Delivers a new value of an observation, and how it came about.
  func yield(_ value: Value, _ origin: ValueOrigin?) { callback(.success(value), origin) }

  /// Delivers an error. Readers keep their current value.
  public func yield(throwing error: any Error) { callback(.failure(error), nil) }

  /// Reports that the value no longer exists. Readers show their initial value.
  public func yieldReturningInitialValue() { callback(.success(nil), nil) }

  /// Delivers a value or an error. `nil` means the initial value.
  public func yield(with result: Result<Value?, any Error>) { callback(result, nil) }

  /// Reports that loading starts or ends: see ``SharedReader/isLoading``.
  public func yieldLoading(_ isLoading: Bool = true) { onLoading(isLoading) }

  /// Delivers the final error. Readers keep their current value, and loops end.
  func finish(throwing error: any Error) { onFinish(error) }
}
