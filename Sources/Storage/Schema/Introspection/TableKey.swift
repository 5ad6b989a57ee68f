/// The primary key of a table `WITHOUT ROWID`, as it orders the rows.
struct TableKey: Hashable, Sendable {
  struct Column: Hashable, Sendable {
    let name: String
    /// The number of the column in the declaration of the table.
    let number: Int
    let collation: String
    let isDescending: Bool
  }

  let columns: [Column]

  /// The collations, if equal keys can be told from their bytes; otherwise `nil`.
  var collations: [RowKeyCollation]? {
    let collations = columns.compactMap { RowKeyCollation($0.collation) }
    return collations.count == columns.count ? collations : nil
  }

  /// The index of a table's primary key.
  enum Index {
    /// The table has no key, or one that is another name of the row id.
    case absent
    /// The table has row ids, and an index that leads to them.
    case ofRowIDs
    /// The index is the table itself, which has no row ids.
    case table(TableKey)
  }

  /// Reads the key of a table; `nil` if it has row ids, or does not exist.
  init?(of table: TableName, _ db: Database) throws {
    guard case .table(let key) = try Self.index(of: table, db) else { return nil }
    self = key
  }

  private init(columns: [Column]) { self.columns = columns }

  /// Reads which index a table's primary key has.
  static func index(of table: TableName, _ db: Database) throws -> Index {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT info.cid, info.name, info."desc", info.coll, info.key
        FROM pragma_index_list(?1, ?2) AS list, pragma_index_xinfo(list.name, ?2) AS info
        WHERE list.origin = 'pk' ORDER BY info.seqno
        """,
      arguments: [table.name, table.schema]
    )
    // The index of a key in a table with row ids ends with the row id.
    guard !rows.isEmpty else { return .absent }
    guard !rows.contains(where: { $0["cid"] as Int == -1 }) else { return .ofRowIDs }
    let columns = try rows.filter { $0["key"] as Bool }.map {
      Column(
        name: try $0.decode(forColumn: "name"),
        number: $0["cid"],
        collation: try $0.decode(forColumn: "coll"),
        isDescending: $0["desc"]
      )
    }
    return .table(TableKey(columns: columns))
  }
}
