/// The name of a table or a view, and of the database that contains it.
public struct DatabaseObjectID: Hashable, Sendable {
  /// The database: `main`, `temp`, or the name of an attached one.
  public let schemaName: String

  /// The name of the table or the view, spelled as in the request that needs it.
  public let name: String

  init(schemaName: String, name: String) {
    self.schemaName = schemaName
    self.name = name
  }

  /// Creates the name of a table or a view of a database.
  public init(name: String, schemaID: DatabaseSchemaID) {
    self.init(schemaName: schemaID.name, name: name)
  }

  /// The database as a value.
  public var schemaID: DatabaseSchemaID { DatabaseSchemaID(name: schemaName) }
}

/// One of the databases of a connection.
public struct DatabaseSchemaID: Hashable, Sendable {
  /// The database: `main`, `temp`, or the name of an attached one.
  public let name: String

  /// The file of the connection.
  public static let main = DatabaseSchemaID(name: "main")

  /// The temporary tables and views of the connection.
  public static let temp = DatabaseSchemaID(name: "temp")

  /// Returns the database that is attached under a name.
  public static func attached(_ name: String) -> DatabaseSchemaID { DatabaseSchemaID(name: name) }

  /// The table that lists what the database contains: `sqlite_master`, or `sqlite_temp_master`.
  public var schemaTableName: String {
    self == .temp ? "sqlite_temp_master" : "sqlite_master"
  }
}
