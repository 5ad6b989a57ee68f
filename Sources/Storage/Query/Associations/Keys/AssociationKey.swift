/// The name of an association, which is also the name of a scope or of prefetched rows.
enum AssociationKey: Hashable, Sendable {
  /// A name that is used unchanged.
  case fixed(String)
  /// A name that was chosen for one row. Several rows have its plural.
  case singular(String)
  /// A name that was chosen for several rows. One row has its singular.
  case plural(String)
  /// The name of the associated table, which is written in the singular or in the plural.
  case table(String)

  /// The name of one associated row.
  var singular: String {
    switch self {
    case .fixed(let name), .singular(let name): name
    case .plural(let name), .table(let name): name.singularized
    }
  }

  /// The name of several associated rows.
  var plural: String {
    switch self {
    case .fixed(let name), .plural(let name): name
    case .singular(let name), .table(let name): name.pluralized
    }
  }
}
