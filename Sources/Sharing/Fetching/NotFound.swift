/// The error of a ``SharedReader`` whose query returns no row.
public struct NotFound: Error, Hashable, CustomStringConvertible {
  /// The SQL of the query.
  public let sql: String

  /// Creates the error of a query.
  public init(sql: String) {
    self.sql = sql
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String { "no row - for \"\(sql)\"" }
}
