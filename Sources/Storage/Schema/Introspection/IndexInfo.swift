/// An index of a table.
public struct IndexInfo: Hashable, Sendable {
  /// The origin of an index.
  public enum Origin: String, Sendable {
    /// `CREATE INDEX`
    case createIndex = "c"
    /// A `PRIMARY KEY` constraint of the table.
    case primaryKeyConstraint = "pk"
    /// A `UNIQUE` constraint of the table.
    case uniqueConstraint = "u"
  }

  /// One of the columns or expressions that an index sorts by.
  public struct Term: Hashable, Sendable {
    /// The name of the column; `nil` for an expression.
    public let column: String?
    /// The collation that compares strings.
    public let collation: Database.CollationName
    /// Whether the order is descending.
    public let isDescending: Bool
  }

  /// The name of the index.
  public let name: String

  /// The columns and expressions that the index sorts by, most significant first.
  public let terms: [Term]

  /// The names of the indexed columns; empty when an expression is among ``terms``, because columns
  /// alone do not describe such an index.
  public var columns: [String] {
    let columns = terms.compactMap(\.column)
    return columns.count == terms.count ? columns : []
  }

  /// Whether the index refuses rows with equal values.
  public let isUnique: Bool

  /// Whether the index covers only some of the rows.
  public let isPartial: Bool

  /// The origin of the index.
  public let origin: Origin

  /// Fetches the indexes of a table in one database.
  static func fetchAll(_ db: Database, on table: String, in schema: String) throws -> [IndexInfo] {
    let list = try Row.fetchAll(
      db,
      sql: "SELECT * FROM pragma_index_list(?, ?) ORDER BY seq",
      arguments: [table, schema]
    )
    return try list.map { row in
      let name = try row.decode(String.self, forColumn: "name")
      let terms = try Row.fetchAll(
        db,
        sql: #"SELECT * FROM pragma_index_xinfo(?, ?) WHERE "key" ORDER BY seqno"#,
        arguments: [name, schema]
      )
      return IndexInfo(
        name: name,
        terms: try terms.map { term in
          // The pragma gives no name to the row id.
          // https://www.sqlite.org/pragma.html#pragma_index_xinfo
          try Term(
            column: term["cid"] == -1
              ? Column.rowID.name : term.decode(String?.self, forColumn: "name"),
            collation: Database.CollationName(
              term.decode(String?.self, forColumn: "coll") ?? "BINARY"
            ),
            isDescending: term["desc"]
          )
        },
        isUnique: row["unique"],
        isPartial: row["partial"],
        origin: Origin(rawValue: row["origin"]) ?? .createIndex
      )
    }
  }
}

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

  /// The action for a row when the row that it refers to is deleted.
  public let onDelete: Database.ForeignKeyAction

  /// The action for a row when the key of the row that it refers to changes.
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
