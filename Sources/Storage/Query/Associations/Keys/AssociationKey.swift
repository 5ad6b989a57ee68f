/// The name of an association, which is also the name of a scope or of prefetched rows.
enum AssociationKey: Hashable, Sendable {
  /// A name that was chosen, and is used unchanged.
  case fixed(String)
  /// The name of the associated table, which is written in the singular or in the plural.
  case table(String)

  /// The name of one associated row.
  var singular: String {
    switch self {
    case .fixed(let name): name
    case .table(let name): name.singularized
    }
  }

  /// The name of several associated rows.
  var plural: String {
    switch self {
    case .fixed(let name): name
    case .table(let name): name.pluralized
    }
  }
}
