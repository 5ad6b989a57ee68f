/// The name of a table or a view, and of the database that contains it.
public struct DatabaseObjectID: Hashable, Sendable {
  /// The database: `main`, `temp`, or the name of an attached one.
  public let schemaName: String

  /// The name of the table or the view, spelled as in the request that needs it.
  public let name: String
}
