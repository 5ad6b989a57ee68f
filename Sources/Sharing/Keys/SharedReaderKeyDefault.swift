/// A key with a default value, which its readers show until the key provides one.
///
///     extension SharedReaderKey where Self == FetchKey<[Order]>.Default {
///       static var openOrders: Self {
///         Self[.fetchAll(sql: "SELECT * FROM \"order\" WHERE closedAt IS NULL"), default: []]
///       }
///     }
///     @SharedReader(.openOrders) var orders
///
/// Readers of this key and readers of its base key share one value.
public struct SharedReaderKeyDefault<Base: SharedReaderKey>: SharedReaderKey {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Value = Base.Value

  let base: Base
  let defaultValue: @Sendable () -> Base.Value

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var id: Base.ID { base.id }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    base.load(context: context, continuation: continuation)
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func subscribe(
    context: LoadContext<Value>,
    subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    base.subscribe(context: context, subscriber: subscriber)
  }
}

extension SharedReaderKeyDefault: CustomStringConvertible {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String { String(describing: base) }
}

extension SharedReaderKey {
  /// This key with a default value: see ``SharedReaderKeyDefault``.
  public typealias Default = SharedReaderKeyDefault<Self>

  /// Creates a key with a default value.
  public static subscript<Base: SharedReaderKey>(
    key: Base,
    default value: @autoclosure @escaping @Sendable () -> Base.Value
  ) -> Self where Self == SharedReaderKeyDefault<Base> {
    SharedReaderKeyDefault(base: key, defaultValue: value)
  }
}
