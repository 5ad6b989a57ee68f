/// A request that is ready to run on one connection.
public struct PreparedRequest {
  /// The statement, with its arguments bound.
  public let statement: Statement

  /// The adapter of the rows; `nil` to read them unchanged.
  public let adapter: (any RowAdapter)?

  /// Creates a prepared request.
  public init(statement: Statement, adapter: (any RowAdapter)? = nil) {
    self.statement = statement
    self.adapter = adapter
  }
}
