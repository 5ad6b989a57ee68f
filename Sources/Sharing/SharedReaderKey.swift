/// Where the value of a ``SharedReader`` comes from.
///
/// Readers with equal keys share one value: it is loaded once, and subscribed to once.
public protocol SharedReaderKey<Value>: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable
  /// The type of the identity.
  associatedtype ID: Hashable, Sendable

  /// What makes two keys equal.
  var id: ID { get }

  /// Fetches the value anew.
  ///
  /// - Throws: The error that keeps it from being fetched.
  func load() async throws -> VersionedValue<Value>

  /// Follows the value, until the returned subscription is released.
  ///
  /// A first value or error that can be had at once is told before the call returns.
  func subscribe(_ subscriber: SharedReaderSubscriber<Value>) -> SharedReaderSubscription
}

/// A value with a number that tells it from older and newer ones of the same key.
public struct VersionedValue<Value: Sendable>: Sendable {
  /// Rises with each newer value, from 1 on. Values with one version are equally new.
  public let version: UInt64
  /// The value.
  public let value: Value

  /// Makes a value of a version.
  public init(version: UInt64, value: Value) {
    self.version = version
    self.value = value
  }
}

/// Takes what a key finds out, on any thread.
public struct SharedReaderSubscriber<Value: Sendable>: Sendable {
  let didReceive: @Sendable (VersionedValue<Value>) -> Void
  let didFail: @Sendable (any Error) -> Void
  let didFinish: @Sendable (any Error) -> Void

  /// Takes a new value. One that is older than the present one is dropped.
  public func yield(_ value: VersionedValue<Value>) { didReceive(value) }

  /// Takes an error. The present value stays.
  public func fail(_ error: any Error) { didFail(error) }

  /// Takes the error that ends everything. The present value stays, and nothing follows.
  public func finish(throwing error: any Error) { didFinish(error) }
}

/// A running subscription. It ends when it is released.
public final class SharedReaderSubscription: Sendable {
  private let onEnd: @Sendable () -> Void

  /// Makes a subscription that calls `onEnd` when it ends.
  public init(onEnd: @escaping @Sendable () -> Void) {
    self.onEnd = onEnd
  }

  deinit {
    onEnd()
  }
}
