/// The error of ``testDatabase`` outside a test with a database.
public struct NoTestDatabase: Error, Hashable, CustomStringConvertible {
  /// Creates the error.
  public init() {}

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String {
    """
    there is no test database here: add the trait .inMemoryDatabase { db in … } to the test or suite
    """
  }
}
