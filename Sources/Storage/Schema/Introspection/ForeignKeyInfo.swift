/// A foreign key: columns of a table that refer to a row of a parent table.
public struct ForeignKeyInfo: Hashable, Sendable {
  /// A column and the column that it refers to.
  public struct Pair: Hashable, Sendable {
    /// The column of the table that declares the foreign key.
    public let origin: String
    /// The referenced column of the parent table.
    public let destination: String
  }

  /// The number of the foreign key within its table: see ``ForeignKeyViolation/foreignKeyId``.
  public let id: Int

  /// The table that the foreign key refers to.
  public let destinationTable: String

  /// The columns of the foreign key and the columns that they refer to.
  public let mapping: [Pair]

  /// The columns of the table that declares the foreign key.
  public var originColumns: [String] { mapping.map(\.origin) }

  /// The columns of the table that the foreign key refers to.
  public var destinationColumns: [String] { mapping.map(\.destination) }

  /// What happens to a row when the row that it refers to is deleted.
  public let onDelete: Database.ForeignKeyAction

  /// What happens to a row when the key of the row that it refers to changes.
  public let onUpdate: Database.ForeignKeyAction

  /// Fetches the foreign keys of a table in one database.
  static func fetchAll(
    _ db: Database,
    on table: String,
    in schema: String
  ) throws -> [ForeignKeyInfo] {
    let rows = try Row.fetchAll(
      db,
      sql: "SELECT * FROM pragma_foreign_key_list(?, ?) ORDER BY id, seq",
      arguments: [table, schema]
    )
    return try Dictionary(grouping: rows) { $0["id"] as Int }
      .sorted { $0.key < $1.key }
      .map { id, rows in
        let parent = try rows[0].decode(String.self, forColumn: "table")
        // A foreign key that names no columns refers to the primary key. The parent table may not
        // exist.
        let key = (try? db.primaryKey(parent, in: schema).columns) ?? []
        return ForeignKeyInfo(
          id: id,
          destinationTable: parent,
          mapping: try rows.enumerated().map { index, row in
            let named = try row.decode(String?.self, forColumn: "to")
            return try Pair(
              origin: row.decode(forColumn: "from"),
              destination: named ?? (key.indices.contains(index) ? key[index] : "?")
            )
          },
          onDelete: Database.ForeignKeyAction(rawValue: rows[0]["on_delete"]) ?? .noAction,
          onUpdate: Database.ForeignKeyAction(rawValue: rows[0]["on_update"]) ?? .noAction
        )
      }
  }
}
