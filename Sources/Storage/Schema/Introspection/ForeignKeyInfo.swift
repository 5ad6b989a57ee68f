/// A foreign key: columns of a table that refer to a row of another one.
public struct ForeignKeyInfo: Hashable, Sendable {
  /// A column, and what it refers to.
  public struct Pair: Hashable, Sendable {
    /// The column.
    public let origin: String
    /// The column of the other table.
    public let destination: String
  }

  /// The number of the foreign key in its table: see ``ForeignKeyViolation/foreignKeyId``.
  public let id: Int

  /// The table that is referred to.
  public let destinationTable: String

  /// The columns, and what they refer to.
  public let mapping: [Pair]

  /// The columns of the table with the foreign key.
  public var originColumns: [String] { mapping.map(\.origin) }

  /// The columns of the table that is referred to.
  public var destinationColumns: [String] { mapping.map(\.destination) }

  /// What happens to the row when the other one is deleted.
  public let onDelete: Database.ForeignKeyAction

  /// What happens to the row when the other one gets another key.
  public let onUpdate: Database.ForeignKeyAction

  /// The foreign keys of a table of one database.
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
    return Dictionary(grouping: rows) { $0["id"] as Int }
      .sorted { $0.key < $1.key }
      .map { id, rows in
        let parent: String = rows[0]["table"]
        // Without a name, the primary key is meant. The table need not be there.
        let key = (try? db.primaryKey(parent, in: schema).columns) ?? []
        return ForeignKeyInfo(
          id: id,
          destinationTable: parent,
          mapping: rows.enumerated().map { index, row in
            let named = row["to"] as String?
            return Pair(
              origin: row["from"],
              destination: named ?? (key.indices.contains(index) ? key[index] : "?")
            )
          },
          onDelete: Database.ForeignKeyAction(rawValue: rows[0]["on_delete"]) ?? .noAction,
          onUpdate: Database.ForeignKeyAction(rawValue: rows[0]["on_update"]) ?? .noAction
        )
      }
  }
}
