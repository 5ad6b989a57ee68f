/// The identity of a key. Keys with equal identities share one reference.
///
/// It consists of the type and the `id` of the key, and for some keys of the place where values are
/// delivered.
struct KeyIdentity: Hashable, @unchecked Sendable {
  // Safe to share: all parts are Sendable, but `AnyHashable` does not express that.
  private let type: ObjectIdentifier
  private let id: AnyHashable
  private var delivery: AnyHashable?

  init<Key: SharedReaderKey>(_ key: Key, delivery: AnyHashable? = nil) {
    type = ObjectIdentifier(Key.self)
    id = AnyHashable(key.id)
    self.delivery = delivery
  }

  /// Returns the identity of a key. Wrapping a key does not change its identity.
  static func of(_ key: some SharedReaderKey) -> KeyIdentity {
    (key as? any SelfIdentifyingKey)?.identity ?? KeyIdentity(key)
  }

  /// The identity without the place of delivery.
  var anywhere: KeyIdentity {
    var identity = self
    identity.delivery = nil
    return identity
  }
}

/// A key whose identity is more than its type and its `id`.
protocol SelfIdentifyingKey {
  var identity: KeyIdentity { get }
}
