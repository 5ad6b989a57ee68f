/// What SQLite says about the tables of a connection, read once for each version of their schema.
///
/// ``TableInfo``, ``StoredColumns``, ``RecordableTable`` and ``RegionSchema`` are made from it.
struct TableCatalog {
  /// What was read about one table.
  struct Entry {
    let columns: [DeclaredColumn]
    /// The index of the primary key, when it was asked for.
    var keyIndex: TableKey.Index?
  }

  /// The versions of the schemas that have entries.
  private var versions: [String: SchemaVersion] = [:]
  private var entries: [TableName: Entry] = [:]

  /// Removes the entries of a schema that has another version now.
  mutating func adopt(_ version: SchemaVersion, of schema: String) {
    guard versions[schema] != version else { return }
    versions[schema] = version
    entries = entries.filter { $0.key.schema != schema }
  }

  /// Returns what was read about a table in the version of its schema that was adopted.
  func entry(of name: TableName) -> Entry? { entries[name] }

  /// Keeps what was read about a table of `main`.
  ///
  /// Another file with the same version may be attached under the same name, and a view in `temp`
  /// shows tables of other schemas. A table that is missing may be one of a module that is
  /// registered later.
  mutating func insert(_ entry: Entry, of name: TableName) {
    if name.schema == "main", !entry.columns.isEmpty { entries[name] = entry }
  }
}

/// A table as SQLite describes it.
struct DeclaredTable {
  let name: TableName
  /// The columns in the order of their declaration; none if there is no such table.
  let columns: [DeclaredColumn]
  let keyIndex: TableKey.Index

  /// The key of a table without row ids.
  var key: TableKey? { if case .table(let key) = keyIndex { key } else { nil } }
  var isWithoutRowID: Bool { key != nil }

  /// The columns that are stored in each row. Virtual generated ones are not.
  var storedColumns: [DeclaredColumn] { columns.filter { $0.kind != .virtual } }

  /// The column that is another name of the row id. Its key has no index:
  /// https://www.sqlite.org/lang_createtable.html#rowid
  var rowIDColumn: DeclaredColumn? {
    guard case .absent = keyIndex, keyColumns.count == 1 else { return nil }
    return keyColumns[0]
  }

  /// The columns of the primary key in its order.
  var keyColumns: [DeclaredColumn] {
    columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
  }

  /// A name of the row id: that of its column, or one that no column has taken; `nil` if there is
  /// none.
  var rowIDName: String? {
    isWithoutRowID ? nil : rowIDColumn?.name ?? RowIDName.free(of: columns.map(\.name))
  }

  /// The numbers by which the preupdate hook knows the values of a stored column.
  struct HookNumbers: Equatable {
    let old: Int32
    let inserted: Int32
    let updated: Int32
  }

  /// Returns the numbers of the hook for the stored column at an index; `nil` if the hook does not
  /// give its values.
  func hookNumbers(ofStoredColumnAt index: Int, _ column: DeclaredColumn) -> HookNumbers? {
    let followsDeclaration = PreupdateNumbering.followsDeclaration
    let place = Int32(column.place)
    let number = followsDeclaration ? place : Int32(index)
    // SQLite 3.40 takes the number of such a column for that of the row id.
    if !followsDeclaration, let rowID = rowIDColumn, rowID.place == index, column.place != index {
      return nil
    }
    let old = isWithoutRowID ? place : number
    return HookNumbers(old: old, inserted: old, updated: number)
  }
}

extension Database {
  /// Returns the columns of a table or a view; none if there is no such table.
  ///
  /// - Throws: ``DatabaseError`` when SQLite cannot tell, because the module of a virtual table is
  ///   missing, for example.
  func declaredColumns(of table: TableName) throws -> [DeclaredColumn] {
    try catalogEntry(of: table).columns
  }

  /// Returns the columns of a table or a view of `main`; none if there is no such table.
  ///
  /// - Throws: What the other method throws.
  package func declaredColumns(of table: String) throws -> [DeclaredColumn] {
    try declaredColumns(of: TableName(schema: "main", name: table))
  }

  /// Returns a table as SQLite describes it.
  ///
  /// - Throws: ``DatabaseError``.
  func declaredTable(_ name: TableName) throws -> DeclaredTable {
    var entry = try catalogEntry(of: name)
    if entry.keyIndex == nil {
      // Most tables have no key, or one without an index, and need no other query.
      let hasKey = entry.columns.contains { $0.keyPosition > 0 }
      entry.keyIndex = hasKey ? try unrecorded { try TableKey.index(of: name, self) } : .absent
      catalog.insert(entry, of: name)
    }
    return DeclaredTable(
      name: name,
      columns: entry.columns,
      keyIndex: entry.keyIndex ?? .absent
    )
  }

  private func catalogEntry(of name: TableName) throws -> TableCatalog.Entry {
    catalog.adopt(try versions.schemaVersion(of: name.schema), of: name.schema)
    if let known = catalog.entry(of: name) { return known }
    let columns = try unrecorded { try DeclaredColumn.fetchAll(self, of: name) }
    let entry = TableCatalog.Entry(columns: columns)
    catalog.insert(entry, of: name)
    return entry
  }
}

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
