/// A row adapter that can be compared.
///
/// Adapters that are not `Hashable` are equal if they are copies of one value.
struct HashableRowAdapter: Sendable {
  private final class Identity: Sendable {}

  let adapter: any RowAdapter
  /// `nil` if the adapter is `Hashable`.
  private let identity: Identity?

  init(_ adapter: any RowAdapter) {
    self.adapter = adapter
    identity = adapter is any Hashable ? nil : Identity()
  }
}

extension HashableRowAdapter: Hashable {
  static func == (left: HashableRowAdapter, right: HashableRowAdapter) -> Bool {
    if let left = left.adapter as? any Hashable, let right = right.adapter as? any Hashable {
      return AnyHashable(left) == AnyHashable(right)
    }
    return left.identity === right.identity
  }

  func hash(into hasher: inout Hasher) {
    if let adapter = adapter as? any Hashable {
      hasher.combine(AnyHashable(adapter))
    } else {
      hasher.combine(identity.map { ObjectIdentifier($0) })
    }
  }
}
