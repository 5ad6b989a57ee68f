/// A key that wraps another key.
protocol WrappingKey<Value>: SelfIdentifyingKey {
  associatedtype Value: Sendable
  var wrapped: any SharedReaderKey<Value> { get }
}

extension SharedReaderKeyDefault: WrappingKey {
  var identity: KeyIdentity { .of(base) }
  var wrapped: any SharedReaderKey<Base.Value> { base }
}

extension SharedReaderKey {
  /// The innermost key.
  var unwrapped: any SharedReaderKey<Value> {
    (self as? any WrappingKey<Value>)?.wrapped.unwrapped ?? self
  }
}
