internal import WellspringPlatform

/// Takes the value that a ``SharedReaderKey`` was asked to load.
///
/// It must be resumed once. When it is released without that, whoever waits gets a
/// ``LeakedContinuation`` error that names the key; resumed a second time, it stops debug builds, and
/// does nothing in release builds.
public struct LoadContinuation<Value: Sendable>: Sendable {
  private let once: Once

  /// Makes a continuation that calls a closure with the result: `nil` stands for the initial value.
  ///
  /// - Parameters:
  ///   - description: What the key is called in error messages.
  ///   - callback: Called once.
  public init(
    _ description: @autoclosure @escaping @Sendable () -> String = "a key",
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void
  ) {
    once = Once(description, callback)
  }

  /// Ends to load with a value.
  public func resume(returning value: Value) { resume(with: .success(value)) }

  /// Ends to load with an error: the present value stays.
  public func resume(throwing error: any Error) { resume(with: .failure(error)) }

  /// Ends to load, because there is no value: the reader shows its initial one, unless the subscription
  /// has told another.
  public func resumeReturningInitialValue() { resume(with: .success(nil)) }

  /// Ends to load with a value, or with an error. `nil` stands for the initial value.
  public func resume(with result: Result<Value?, any Error>) { once.resume(result) }

  private final class Once: Sendable {
    typealias Callback = @Sendable (Result<Value?, any Error>) -> Void

    private let description: @Sendable () -> String
    // Guards the callback, so that it is called once, outside.
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

/// A key has released its ``LoadContinuation`` without resuming it.
public struct LeakedContinuation: Error, Hashable, CustomStringConvertible {
  /// The key, described.
  public let key: String

  /// Makes the error of a key.
  public init(key: String) {
    self.key = key
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String {
    "\(key) has released its continuation without resuming it: load(context:continuation:) must "
      + "resume it once on each path"
  }
}
