/// Where the value of a ``SharedReader`` comes from.
///
/// The keys of this module, such as `.fetchAll(sql:)`, fetch from a database. Conform to the protocol
/// for a value from elsewhere:
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
///         SharedSubscription {}  // It does not change.
///       }
///     }
///
/// Readers with equal keys (of one type, and with equal ``id``s) share one value. With the first of them
/// the key is subscribed to, and then loaded; the subscription ends with the last reader and the last
/// loop. All methods are called outside of locks, on any thread.
public protocol SharedReaderKey<Value>: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable

  /// The type of the identity.
  associatedtype ID: Hashable, Sendable = Self

  /// What makes two keys equal.
  var id: ID { get }

  /// Loads the value, and resumes the continuation once, now or later.
  ///
  /// What the subscription tells while a value is being loaded counts for newer than that.
  ///
  /// - Parameters:
  ///   - context: Whether this is the first value, or somebody asks for it.
  ///   - continuation: Takes the value.
  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>)

  /// Follows the value, until the subscription that it returns is cancelled or released.
  ///
  /// - Parameters:
  ///   - context: With `initialValue`, a value that can be had at once is best told before the call
  ///     returns; with `userInitiated`, the call must not block.
  ///   - subscriber: Takes the values.
  /// - Returns: What ends to follow.
  func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription
}

extension SharedReaderKey where ID == Self {
  /// The key itself.
  public var id: Self { self }
}

/// Why a key is loaded.
public enum LoadContext<Value: Sendable>: Sendable {
  /// A reader was made that shows this value until there is another one.
  case initialValue(Value)
  /// `load()`, `load(_:)` or `init(require:)` was called.
  case userInitiated

  /// The value that the reader shows until there is another one.
  public var initialValue: Value? {
    switch self {
    case .initialValue(let value): value
    case .userInitiated: nil
    }
  }
}
