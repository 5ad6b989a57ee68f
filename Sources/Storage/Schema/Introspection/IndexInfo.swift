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
