/// The query of a ``SharedReader`` gives no row.
public struct NotFound: Error, Hashable, CustomStringConvertible {
  /// The query.
  public let sql: String

  /// Makes the error of a query.
  public init(sql: String) {
    self.sql = sql
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String { "no row - for \"\(sql)\"" }
}
