/// The error of a key that names no database while no default database is set.
///
/// Readers of the key follow the default database once it is set.
public struct NoDefaultDatabase: Error, Hashable, CustomStringConvertible {
  /// Creates the error.
  public init() {}

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String {
    """
    there is no default database: call setDefaultDatabase(_:) when the program starts, use \
    withDefaultDatabase(_:operation:), or give the key a database
    """
  }
}
