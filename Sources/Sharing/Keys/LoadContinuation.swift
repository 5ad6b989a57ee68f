internal import WellspringSystem

/// Receives the value that a ``SharedReaderKey`` loads.
///
/// A key must resume the continuation exactly once. If the key releases it without resuming it, the
/// load fails with a ``LeakedContinuation`` error that names the key. Resuming it a second time
/// stops debug builds, and has no effect in release builds.
public struct LoadContinuation<Value: Sendable>: Sendable {
  private let once: Once

  /// Creates a continuation that calls a closure with the result.
  ///
  /// - Parameters:
  ///   - description: The name of the key in error messages.
  ///   - callback: Called once with the result. `nil` means the initial value.
  public init(
    _ description: @autoclosure @escaping @Sendable () -> String = "a key",
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void
  ) {
    once = Once(description, callback)
  }

  /// Ends the load with a value.
  public func resume(returning value: Value) { resume(with: .success(value)) }

  /// Ends the load with an error. The reader keeps its current value.
  public func resume(throwing error: any Error) { resume(with: .failure(error)) }

  /// Ends the load without a value. The reader shows its initial value, unless the subscription has
  /// delivered another one.
  public func resumeReturningInitialValue() { resume(with: .success(nil)) }

  /// Ends the load with a value or an error. `nil` means the initial value.
  public func resume(with result: Result<Value?, any Error>) { once.resume(result) }

  private final class Once: Sendable {
    typealias Callback = @Sendable (Result<Value?, any Error>) -> Void

    private let description: @Sendable () -> String
    // Guards the callback, which is called once, outside the lock.
    private let callback: Lock<Callback?>

    init(_ description: @escaping @Sendable () -> String, _ callback: @escaping Callback) {
      self.description = description
      self.callback = Lock(callback)
    }

    deinit {
      take()?(.failure(LeakedContinuation(key: description())))
    }

    func resume(_ result: Result<Value?, any Error>) {
      guard let callback = take() else {
        assertionFailure("\(description()) has resumed its continuation more than once")
        return
      }
      callback(result)
    }

    private func take() -> Callback? {
      callback.withLock { callback in
        defer { callback = nil }
        return callback
      }
    }
  }
}
