/// A table, an index, a view or a trigger of a schema.
public struct SchemaObject: Hashable, Sendable, FetchableRecord {
  /// The kinds of schema objects.
  public enum Kind: String, Sendable {
    /// A table, possibly virtual.
    case table
    /// An index.
    case index
    /// A view.
    case view
    /// A trigger.
    case trigger
  }

  /// The kind of the object.
  public let kind: Kind

  /// The name of the object.
  public let name: String

  /// The table or view that the object belongs to; for a table or a view, its own name.
  public let tableName: String

  /// The statement that created the object; `nil` for an index that SQLite created for a
  /// constraint.
  public let sql: String?

  /// Decodes a row of SQLite's schema table.
  public init(row: Row) throws {
    let type = try row.decode(String.self, forColumn: "type")
    guard let kind = Kind(rawValue: type) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "unknown kind of schema object: \(type)"
      )
    }
    self.kind = kind
    name = try row.decode(forColumn: "name")
    tableName = try row.decode(forColumn: "tbl_name")
    sql = try row.decode(forColumn: "sql")
  }
}
