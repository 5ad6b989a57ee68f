/// SQLite's information about the tables of a connection, read once for each version of their
/// schema.
///
/// ``TableInfo``, ``StoredColumns``, ``RecordableTable`` and ``RegionSchema`` are made from it.
struct TableCatalog {
  /// The information about one table.
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

  /// Returns the information about a table in the adopted version of its schema.
  func entry(of name: TableName) -> Entry? { entries[name] }

  /// Keeps the information about a table of `main`.
  ///
  /// Another file with the same version may be attached under the same name, and a view in `temp`
  /// shows tables of other schemas. A missing table may belong to a module that is registered
  /// later.
  mutating func insert(_ entry: Entry, of name: TableName) {
    if name.schema == "main", !entry.columns.isEmpty { entries[name] = entry }
  }
}

/// A table as SQLite describes it.
package struct DeclaredTable {
  package let name: TableName
  /// The columns in the order of their declaration; none if the table does not exist.
  package let columns: [DeclaredColumn]
  let keyIndex: TableKey.Index

  /// The key of a table without row ids.
  var key: TableKey? { if case .table(let key) = keyIndex { key } else { nil } }
  package var isWithoutRowID: Bool { key != nil }

  /// The columns that are stored in each row. Virtual generated ones are not.
  package var storedColumns: [DeclaredColumn] { columns.filter { $0.kind != .virtual } }

  /// The column that is another name of the row id. Its key has no index:
  /// https://www.sqlite.org/lang_createtable.html#rowid
  package var rowIDColumn: DeclaredColumn? {
    guard case .absent = keyIndex, keyColumns.count == 1 else { return nil }
    return keyColumns[0]
  }

  /// The columns of the primary key in its order.
  package var keyColumns: [DeclaredColumn] {
    columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
  }

  /// A name of the row id: the name of its column, or a name that no column has taken; `nil` if no
  /// name is left.
  package var rowIDName: String? {
    isWithoutRowID ? nil : rowIDColumn?.name ?? RowIDName.free(of: columns.map(\.name))
  }

  /// The numbers by which the preupdate hook knows the values of a stored column.
  package struct HookNumbers: Equatable {
    package let old: Int32
    package let inserted: Int32
    package let updated: Int32

    package init(old: Int32, inserted: Int32, updated: Int32) {
      (self.old, self.inserted, self.updated) = (old, inserted, updated)
    }
  }

  /// Returns the numbers of the hook for the stored column at an index; `nil` if the hook does not
  /// give its values.
  package func hookNumbers(ofStoredColumnAt index: Int, _ column: DeclaredColumn) -> HookNumbers? {
    let followsDeclaration = PreupdateNumbering.followsDeclaration
    let ordinal = Int32(column.ordinal)
    let number = followsDeclaration ? ordinal : Int32(index)
    // SQLite 3.40 treats the number of such a column as the number of the row id.
    if !followsDeclaration, let rowID = rowIDColumn, rowID.ordinal == index, column.ordinal != index
    {
      return nil
    }
    let old = isWithoutRowID ? ordinal : number
    return HookNumbers(old: old, inserted: old, updated: number)
  }
}

extension Database {
  /// Returns the columns of a table or a view; none if the table does not exist.
  ///
  /// - Throws: ``DatabaseError`` when SQLite cannot tell, because the module of a virtual table is
  ///   missing, for example.
  func declaredColumns(of table: TableName) throws -> [DeclaredColumn] {
    try catalogEntry(of: table).columns
  }

  /// Returns the columns of a table or a view of `main`; none if the table does not exist.
  ///
  /// - Throws: The errors of the other method.
  package func declaredColumns(of table: String) throws -> [DeclaredColumn] {
    try declaredColumns(of: TableName(schema: "main", name: table))
  }

  /// Returns a table as SQLite describes it.
  ///
  /// - Throws: ``DatabaseError``.
  package func declaredTable(_ name: TableName) throws -> DeclaredTable {
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

  /// The collations, if equal keys can be recognized by their bytes; otherwise `nil`.
  var collations: [RowKeyCollation]? {
    let collations = columns.compactMap { RowKeyCollation($0.collation) }
    return collations.count == columns.count ? collations : nil
  }

  /// The index of a table's primary key.
  enum Index {
    /// The table has no key, or its key is another name of the row id.
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
