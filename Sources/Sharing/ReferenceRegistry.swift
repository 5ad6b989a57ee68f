internal import WellspringPlatform

/// The references that are alive, by key: readers with equal keys get the same one.
final class ReferenceRegistry: Sendable {
  static let shared = ReferenceRegistry()

  private let references = WeakTable()

  /// The reference of a key. A new one is made when there is none; it has not been started.
  func reference<Value>(
    for key: some SharedReaderKey<Value>,
    initialValue: () -> Value
  ) -> SharedReference<Value> {
    // Two keys of different types are different, though their identities may be equal.
    let identity = KeyIdentity(type: ObjectIdentifier(type(of: key)), id: key.id)
    return references.object(for: AnyHashable(identity)) {
      SharedReference(initialValue: initialValue(), key: key)
    }
  }

  private struct KeyIdentity<ID: Hashable>: Hashable {
    let type: ObjectIdentifier
    let id: ID
  }
}
