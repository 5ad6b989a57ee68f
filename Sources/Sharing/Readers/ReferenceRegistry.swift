internal import WellspringSystem

/// The live references by key. Readers with equal keys get the same reference.
final class ReferenceRegistry: Sendable {
  static let shared = ReferenceRegistry()

  private let references = WeakTable()

  /// The place of a reference in the registry.
  struct Registration: Sendable {
    fileprivate let references: WeakTable
    fileprivate let hash: Int

    /// Removes a reference that is being deallocated.
    func remove(_ reference: ObjectIdentifier) { references.remove(reference, hash: hash) }
  }

  /// Returns the reference of a key, which is created if needed. A new reference is not started.
  ///
  /// The reference shows `initialValue` until the key provides a value. If `initialValue` is `nil`,
  /// readers must not show the reference before it has a value. A new reference reports its
  /// failures if `reportsFailures` is true.
  func reference<Value>(
    for key: some SharedReaderKey<Value>,
    reportsFailures: Bool = true,
    initialValue: () -> Value?
  ) -> SharedReference<Value> {
    let identity = AnyHashable(KeyIdentity.of(key))
    let reference = references.object(for: identity) {
      SharedReference(
        key: key,
        initialValue: initialValue(),
        reportsFailures: reportsFailures,
        registration: Registration(references: references, hash: identity.hashValue)
      )
    }
    reference.provide(initialValue: initialValue)
    return reference
  }
}
