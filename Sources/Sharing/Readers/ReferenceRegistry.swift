internal import WellspringPlatform

/// The references that are alive, by key: readers with equal keys get the same one.
final class ReferenceRegistry: Sendable {
  static let shared = ReferenceRegistry()

  private let references = WeakTable()

  /// A reference's place in the registry.
  struct Registration: Sendable {
    fileprivate let references: WeakTable
    fileprivate let hash: Int

    /// Removes a reference, which nobody can get any more.
    func end(of reference: ObjectIdentifier) { references.remove(reference, hash: hash) }
  }

  /// The reference of a key. A new one is made when there is none; it has not been started. It shows
  /// `initialValue` until there is another one; it must not be shown before if that is `nil`.
  func reference<Value>(
    for key: some SharedReaderKey<Value>,
    initialValue: () -> Value?
  ) -> SharedReference<Value> {
    let identity = AnyHashable(KeyIdentity.of(key))
    let reference = references.object(for: identity) {
      SharedReference(
        key: key,
        initialValue: initialValue(),
        registration: Registration(references: references, hash: identity.hashValue)
      )
    }
    reference.provide(initialValue: initialValue)
    return reference
  }
}
