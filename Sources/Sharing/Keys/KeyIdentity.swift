/// What makes two keys share one reference: their type and their `id`, and for some the place where
/// values are delivered.
struct KeyIdentity: Hashable, @unchecked Sendable {
  // Safe to share: all parts are Sendable, which their type-erased forms do not say.
  private let type: ObjectIdentifier
  private let id: AnyHashable
  private var delivery: AnyHashable?

  init<Key: SharedReaderKey>(_ key: Key, delivery: AnyHashable? = nil) {
    type = ObjectIdentifier(Key.self)
    id = AnyHashable(key.id)
    self.delivery = delivery
  }

  /// The identity of a key, whatever wraps it.
  static func of(_ key: some SharedReaderKey) -> KeyIdentity {
    (key as? any SelfIdentifyingKey)?.identity ?? KeyIdentity(key)
  }

  /// The same key, wherever its values are delivered.
  var anywhere: KeyIdentity {
    var identity = self
    identity.delivery = nil
    return identity
  }
}

/// A key that knows its identity better than its `id` tells.
protocol SelfIdentifyingKey {
  var identity: KeyIdentity { get }
}

/// A key that stands for another one.
protocol WrappingKey<Value>: SelfIdentifyingKey {
  associatedtype Value: Sendable
  var wrapped: any SharedReaderKey<Value> { get }
}

extension SharedReaderKeyDefault: WrappingKey {
  var identity: KeyIdentity { .of(base) }
  var wrapped: any SharedReaderKey<Base.Value> { base }
}

extension SharedReaderKey {
  /// The key, without what wraps it.
  var unwrapped: any SharedReaderKey<Value> {
    (self as? any WrappingKey<Value>)?.wrapped.unwrapped ?? self
  }
}

/// A key whose subscription tells the first value too, and no value that equals the one before. It can be
/// refreshed, so that what is loaded and what is told come in one order.
protocol LiveKey: SelfIdentifyingKey {}
