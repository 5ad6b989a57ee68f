/// An index of a table.
public struct IndexInfo: Hashable, Sendable {
  /// Where an index comes from.
  public enum Origin: String, Sendable {
    /// `CREATE INDEX`
    case createIndex = "c"
    /// A `PRIMARY KEY` of the table.
    case primaryKeyConstraint = "pk"
    /// A `UNIQUE` of the table.
    case uniqueConstraint = "u"
  }

  /// What an index sorts by.
  public struct Term: Hashable, Sendable {
    /// The name of the column; `nil` for an expression.
    public let column: String?
    /// How strings are compared.
    public let collation: Database.CollationName
    /// Whether the largest value comes first.
    public let isDescending: Bool
  }

  /// The name of the index.
  public let name: String

  /// What the index sorts by, from the first to the last.
  public let terms: [Term]

  /// The names of the columns; without the expressions among ``terms``.
  public var columns: [String] { terms.compactMap(\.column) }

  /// Whether two rows with equal values are refused.
  public let isUnique: Bool

  /// Whether the index holds some rows only.
  public let isPartial: Bool

  /// Where the index comes from.
  public let origin: Origin

  /// The indexes of a table of one database.
  static func fetchAll(_ db: Database, on table: String, in schema: String) throws -> [IndexInfo] {
    let list = try Row.fetchAll(
      db,
      sql: "SELECT * FROM pragma_index_list(?, ?) ORDER BY seq",
      arguments: [table, schema]
    )
    return try list.map { row in
      let terms = try Row.fetchAll(
        db,
        sql: #"SELECT * FROM pragma_index_xinfo(?, ?) WHERE "key" ORDER BY seqno"#,
        arguments: [row["name"] as String, schema]
      )
      return IndexInfo(
        name: row["name"],
        terms: terms.map { term in
          // The row id has no name there. https://www.sqlite.org/pragma.html#pragma_index_xinfo
          Term(
            column: term["cid"] == -1 ? Column.rowID.name : term["name"] as String?,
            collation: Database.CollationName(term["coll"] ?? "BINARY"),
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
