/// The source of the value of a ``SharedReader``.
///
/// The keys of this module, such as `.fetchAll(sql:)`, fetch from a database. Conform to the
/// protocol to provide a value from another source:
///
///     struct EnvironmentKey: SharedReaderKey {
///       var name: String
///       var id: String { name }
///
///       func load(context: LoadContext<String>, continuation: LoadContinuation<String>) {
///         if let value = ProcessInfo.processInfo.environment[name] {
///           continuation.resume(returning: value)
///         } else {
///           continuation.resumeReturningInitialValue()
///         }
///       }
///
///       func subscribe(
///         context: LoadContext<String>,
///         subscriber: SharedSubscriber<String>
///       ) -> SharedSubscription {
///         SharedSubscription {}  // The environment does not change.
///       }
///     }
///
/// Keys are equal if they have the same type and equal ``id``s. Readers with equal keys share one
/// value. The first reader subscribes to the key and then loads it. The subscription ends when the
/// last reader and the last loop have ended. All methods are called outside locks, on any thread.
public protocol SharedReaderKey<Value>: Sendable {
  /// The type of the values.
  associatedtype Value: Sendable

  /// The type of the identity.
  associatedtype ID: Hashable, Sendable = Self

  /// The identity of the key. Keys of one type with equal identities are equal.
  var id: ID { get }

  /// Loads the value, and resumes the continuation once, immediately or later.
  ///
  /// A value that the subscription delivers during the load is considered newer than the loaded
  /// value. With `initialValue`, other threads that create a reader of the key wait until this
  /// method has returned, so it must not wait for another thread.
  ///
  /// - Parameters:
  ///   - context: Whether this is the first load, or was requested explicitly.
  ///   - continuation: Receives the value.
  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>)

  /// Subscribes to the value, until the returned subscription is cancelled or released.
  ///
  /// - Parameters:
  ///   - context: With `initialValue`, deliver a value that is immediately available before
  ///     returning. With `userInitiated`, do not block.
  ///   - subscriber: Receives the values.
  /// - Returns: The subscription. Cancelling or releasing it ends the delivery.
  func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription
}

extension SharedReaderKey where ID == Self {
  /// The key itself.
  public var id: Self { self }
}
