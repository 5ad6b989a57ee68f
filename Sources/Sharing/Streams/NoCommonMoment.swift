/// The error of ``values(of:)`` for readers that have no moment in common.
public enum NoCommonMoment: Error, Hashable, CustomStringConvertible {
  /// The readers read different databases.
  case differentDatabases
  /// The key of a reader does not fetch from a database.
  case notFetched

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String {
    switch self {
    case .differentDatabases:
      "the readers read different databases, which have no moment in common"
    case .notFetched:
      "the key of a reader does not fetch from a database, so its values belong to no moment"
    }
  }
}
