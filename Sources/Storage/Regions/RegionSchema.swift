internal import WellspringSystem

/// The parts of a connection's schema that the region analysis needs: the tables, and the b-trees
/// in which tables and indexes are stored.
struct RegionSchema {
  enum Kind {
    case table
    case view
    case virtual
    case shadow
  }

  struct Table {
    let name: TableName
    let kind: Kind
    let isWithoutRowID: Bool
    /// The columns in declared order.
    var columns: [ColumnName] = []
    /// The declared types of the columns.
    var types: [String] = []
    /// The generated columns. SQLite does not report the columns that they are computed from.
    var generatedColumns: Set<ColumnName> = []
    /// The columns that are never NULL.
    var requiredColumns: Set<ColumnName> = []
    /// The column that is another name of the row id, if there is surely one.
    var rowIDColumn: ColumnName?
    /// Whether the columns are unknown, or the name is not UTF-8 and may be the name of several
    /// tables. Each query over the table then reads all of it.
    var isUnclear: Bool
    /// The `CREATE` statement of a virtual table.
    var sql = ""

    /// Returns the affinity of a column; `nil` if the table has no column of this name.
    func affinity(of column: ColumnName) -> ColumnAffinity? {
      columns.firstIndex(of: column).map { ColumnAffinity(type: types[$0]) }
    }

    /// Returns whether a column converts numbers in texts to integers: then no other value in it is
    /// equal to an integer. `nil` if the table has no column of this name.
    func holdsIntegers(_ column: ColumnName) -> Bool? {
      columns.firstIndex(of: column).map { types[$0].asciiLowercased.contains("int") }
    }
  }

  /// The root page of a b-tree, with the index of its database in the connection.
  struct Root: Hashable {
    let database: Int
    let page: Int
  }

  /// The root page of the table that holds the schema: https://www.sqlite.org/fileformat2.html
  static let schemaPage = 1

  /// The content of a b-tree: a table or an index.
  struct Content {
    let table: TableName
    /// The columns of the table in the order in which they are stored, followed by the virtual
    /// ones unless it has no row ids; or the columns of the index, `nil` when it has expressions.
    let columns: [ColumnName]?
    let isIndex: Bool
    /// The collation of the first column of a key, if equal texts can be recognized by their bytes.
    var firstCollation: RowKeyCollation?
    /// Whether the entries with the greatest values of the first column come first.
    var firstIsDescending = false
  }

  /// The schema version of each database, by its name in the connection.
  let versions: [String: SchemaVersion]
  private(set) var tables: [TableName: Table] = [:]
  private(set) var contents: [Root: Content] = [:]

  /// Returns the tables called `name` in all databases of the connection.
  func tables(named name: String) -> [Table] {
    versions.keys.compactMap { tables[TableName(schema: $0, name: name)] }
  }

  /// Returns the tables in which a virtual table keeps its data.
  func shadowTables(of table: TableName) -> [TableName] {
    let prefix = table.name + "_"
    return tables.values
      .filter {
        $0.kind == .shadow && $0.name.schema == table.schema && $0.name.name.hasPrefix(prefix)
      }
      .map(\.name)
  }

  /// Returns the region of a query over a virtual table.
  func region(ofVirtualTable name: TableName) -> DatabaseRegion {
    // A virtual table without shadow tables shows the data of other tables, as `fts5vocab` does.
    let shadows = shadowTables(of: name)
    guard !shadows.isEmpty, let sql = tables[name]?.sql, let content = content(sql, of: name) else {
      return .fullDatabase
    }
    return (shadows + content).reduce(into: DatabaseRegion(name, .all)) { region, table in
      region.formUnion(DatabaseRegion(table, .all))
    }
  }

  /// Returns the tables beside its shadow tables that a virtual table reads without telling the
  /// authorizer.
  ///
  /// - Returns: `nil` when they are not known: a view may read any table.
  private func content(_ sql: String, of name: TableName) -> [TableName]? {
    switch ContentSource(sql: sql) {
    case .shadows: return []
    case .external(let table):
      let content = TableName(schema: name.schema, name: table)
      return tables[content]?.kind == .table && !content.isInternal ? [content] : nil
    case .unknown: return nil
    case .otherModule: return sql.asciiLowercased.contains("content") ? nil : []
    }
  }

  // MARK: Loading

  init(_ db: Database, versions: [String: SchemaVersion]) throws {
    self.versions = versions
    // Statements are compiled in half of the time of queries over the pragmas' virtual tables.
    let databases = try Row.fetchAll(db, sql: "PRAGMA database_list")
    let tableList = try Row.fetchAll(db, sql: "PRAGMA table_list")
    for row in tableList {
      let name = try TableName(
        schema: row.decode(forColumn: "schema"),
        name: row.schemaText("name") ?? ""
      )
      let kind: Kind =
        switch try row.decode(String.self, forColumn: "type") {
        case "view": .view
        case "virtual": .virtual
        case "shadow": .shadow
        default: .table
        }
      tables[name] = Table(
        name: name,
        kind: kind,
        isWithoutRowID: row["wr"],
        isUnclear: name.name.mayBeRepaired
      )
    }
    for database in databases {
      try load(database: database["seq"], schema: database.decode(forColumn: "name"), db)
    }
  }

  /// Loads the tables and indexes of one database. A row of the schema that cannot be read leaves
  /// its b-tree unknown, and does not concern the other tables.
  private mutating func load(database: Int, schema: String, _ db: Database) throws {
    let entries = try Row.fetchAll(
      db,
      sql: """
        SELECT rowid, type, name, tbl_name, rootpage, sql
        FROM \(schema.quotedDatabaseIdentifier).sqlite_master WHERE type IN ('table', 'index')
        """
    )
    // Tables come first, because an index belongs to a table.
    for entry in entries where entry["type"] == "table" {
      guard let table = entry.schemaText("name") else { continue }
      let name = TableName(schema: schema, name: table)
      let columns = try columns(of: name, entry, db)
      if columns == nil { tables[name]?.isUnclear = true }
      let known = columns ?? []
      tables[name]?.columns = Self.names(known) { _ in true }
      tables[name]?.types = known.map(\.type)
      tables[name]?.generatedColumns =
        Fault.isOn(.loadedColumns) ? [] : Set(Self.names(known, where: \.isGenerated))
      tables[name]?.requiredColumns = Set(Self.names(known, where: \.isNotNull))
      tables[name]?.sql = entry.schemaText("sql") ?? ""
      tables[name]?.rowIDColumn = Self.rowIDColumn(known)
      guard let page = Self.rootPage(entry) else { continue }
      let root = Root(database: database, page: page)
      if tables[name]?.isWithoutRowID == true {
        let stored = try indexColumns(entry, schema, db)
        contents[root] = Content(table: name, isIndex: false, keyColumns: stored ?? [])
      } else {
        contents[root] = Content(
          table: name,
          columns: Self.names(known) { $0.kind != .virtual }
            + Self.names(known) { $0.kind == .virtual },
          isIndex: false
        )
      }
    }
    for entry in entries where entry["type"] == "index" {
      guard let page = Self.rootPage(entry), let table = entry.schemaText("tbl_name"),
        let columns = try indexColumns(entry, schema, db)
      else { continue }
      let name = TableName(schema: schema, name: table)
      let content = Content(table: name, isIndex: true, keyColumns: columns)
      contents[Root(database: database, page: page)] = content
      // Only with an index of its own is such a key not the row id: `DESC`, for example.
      if entry["sql"] as DatabaseValue == .null, let key = tables[name]?.rowIDColumn,
        content.columns == [key], try isPrimaryKey(entry, schema, db)
      {
        tables[name]?.rowIDColumn = nil
      }
    }
  }

  private static func names(
    _ columns: [DeclaredColumn],
    where isWanted: (DeclaredColumn) -> Bool
  ) -> [ColumnName] {
    columns.filter(isWanted).map { ColumnName($0.name) }
  }

  /// Returns the columns of a table; `nil` if SQLite cannot tell, because the module of a virtual
  /// table is missing, for example.
  private func columns(
    of table: TableName,
    _ entry: Row,
    _ db: Database
  ) throws -> [DeclaredColumn]? {
    do {
      if let name = entry.schemaText("name"), !name.mayBeRepaired {
        return try db.declaredColumns(of: table)
      }
      return try DeclaredColumn.fetchAll(db, ofEntry: entry["rowid"], in: table.schema)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return nil
    }
  }

  /// Whether an automatic index is that of the primary key, and not that of a `UNIQUE` beside it.
  private func isPrimaryKey(_ entry: Row, _ schema: String, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT list.origin = 'pk' FROM \(schema.quotedDatabaseIdentifier).sqlite_master AS entry,
          pragma_index_list(entry.tbl_name, ?) AS list
        WHERE entry.rowid = ? AND list.name = entry.name
        """,
      arguments: [schema, entry["rowid"] as Int64]
    ) ?? true
  }

  /// Returns the columns of an index, or of a table without row ids; `nil` if SQLite cannot tell.
  private func indexColumns(_ entry: Row, _ schema: String, _ db: Database) throws -> [Row]? {
    do {
      let schemaName = schema.quotedDatabaseIdentifier
      if let name = entry.schemaText("name"), !name.mayBeRepaired {
        let argument = name.quotedDatabaseIdentifier
        return try Row.fetchAll(db, sql: "PRAGMA \(schemaName).index_xinfo(\(argument))")
      }
      // The name is passed on inside SQLite, because it is not UTF-8.
      return try Row.fetchAll(
        db,
        sql: """
          SELECT info.* FROM \(schemaName).sqlite_master AS entry,
            pragma_index_xinfo(entry.name, ?) AS info
          WHERE entry.rowid = ?
          """,
        arguments: [schema, entry["rowid"] as Int64]
      )
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return nil
    }
  }

  /// Returns the column that is another name of the row id, unless it has an index.
  /// https://www.sqlite.org/lang_createtable.html#rowid
  private static func rowIDColumn(_ columns: [DeclaredColumn]) -> ColumnName? {
    let key = columns.filter { $0.keyPosition > 0 }
    guard key.count == 1, key[0].type.asciiLowercased == "integer" else { return nil }
    return ColumnName(key[0].name)
  }

  private static func rootPage(_ entry: Row) -> Int? {
    guard case .int64(let page) = (entry["rootpage"] as DatabaseValue).storage else { return nil }
    return page > 0 ? Int(page) : nil
  }
}

extension RegionSchema.Content {
  /// The content of an index, or of a table without row ids.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - isIndex: Whether it is an index.
  ///   - keyColumns: The rows of `PRAGMA index_xinfo`.
  fileprivate init(table: TableName, isIndex: Bool, keyColumns: [Row]) {
    let hasExpressions = keyColumns.contains { $0["cid"] == -2 }
    self.init(
      table: table,
      columns: hasExpressions || keyColumns.isEmpty
        ? nil : keyColumns.compactMap { $0.schemaText("name").map { ColumnName($0) } },
      isIndex: isIndex,
      firstCollation: keyColumns.first?.schemaText("coll").flatMap { RowKeyCollation($0) },
      firstIsDescending: keyColumns.first?["desc"] == 1
    )
  }
}
