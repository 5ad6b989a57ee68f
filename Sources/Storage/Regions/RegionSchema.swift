internal import WellspringPlatform

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
    /// The generated columns. SQLite does not report the columns that they are computed from.
    var generatedColumns: Set<ColumnName> = []
    /// The `CREATE` statement of a virtual table.
    var sql = ""
  }

  /// The root page of a b-tree, with the index of its database in the connection.
  struct Root: Hashable {
    let database: Int
    let page: Int
  }

  /// The content of a b-tree: a table or an index.
  struct Content {
    let table: TableName
    /// The columns of the table in the order in which they are stored, followed by the virtual
    /// ones; or the columns of the index, `nil` when it has expressions.
    let columns: [ColumnName]?
    let isIndex: Bool
  }

  /// The schema version of each database, by its name in the connection.
  let versions: [String: Int64]
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

  /// Returns what a query over a virtual table reads.
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

  /// Returns the schema versions of all databases of a connection, by name.
  static func versions(_ db: Database) throws -> [String: Int64] {
    var versions: [String: Int64] = [:]
    for name in try String.fetchAll(db, sql: "SELECT name FROM pragma_database_list") {
      versions[name.asciiLowercased] = try Int64.fetchOne(
        db,
        sql: "PRAGMA \(name.quotedDatabaseIdentifier).schema_version"
      )
    }
    return versions
  }

  init(_ db: Database, versions: [String: Int64]) throws {
    self.versions = versions
    let databases = try Row.fetchAll(db, sql: "SELECT seq, name FROM pragma_database_list")
    let tableList = try Row.fetchAll(
      db,
      sql: "SELECT schema, name, type, wr FROM pragma_table_list"
    )
    for row in tableList {
      let name = try TableName(schema: row["schema"], name: row.decode(forColumn: "name"))
      let kind: Kind =
        switch row["type"] as String {
        case "view": .view
        case "virtual": .virtual
        case "shadow": .shadow
        default: .table
        }
      tables[name] = Table(name: name, kind: kind, isWithoutRowID: row["wr"])
    }
    for database in databases {
      try load(database: database["seq"], schema: database["name"], db)
    }
  }

  private mutating func load(database: Int, schema: String, _ db: Database) throws {
    let entries = try Row.fetchAll(
      db,
      sql: """
        SELECT type, name, tbl_name, rootpage, sql FROM \(schema.quotedDatabaseIdentifier).sqlite_master
        WHERE type IN ('table', 'index')
        """
    )
    // Tables come first, because an index belongs to a table.
    for entry in entries where entry["type"] == "table" {
      let table = try entry.decode(String.self, forColumn: "name")
      let name = TableName(schema: schema, name: table)
      let columns = try Row.fetchAll(
        db,
        sql: "SELECT name, hidden FROM pragma_table_xinfo(?, ?)",
        arguments: [table, schema]
      )
      let names = try columns.map { try ColumnName($0.decode(forColumn: "name")) }
      let kinds = columns.map { $0["hidden"] as Int }
      tables[name]?.columns = names
      tables[name]?.generatedColumns =
        Fault.isOn(.loadedColumns) ? [] : Set(zip(names, kinds).filter { $1 >= 2 }.map(\.0))
      tables[name]?.sql = try entry.decodeIfPresent(forColumn: "sql") ?? ""
      if let page = try entry.decode(Int?.self, forColumn: "rootpage"), page > 0 {
        contents[Root(database: database, page: page)] = Content(
          table: name,
          columns: zip(names, kinds).filter { $1 != 2 }.map(\.0)
            + zip(names, kinds).filter { $1 == 2 }.map(\.0),
          isIndex: false
        )
      }
    }
    for entry in entries where entry["type"] == "index" {
      let table = try TableName(schema: schema, name: entry.decode(forColumn: "tbl_name"))
      let columns = try Row.fetchAll(
        db,
        sql: "SELECT cid, name FROM pragma_index_xinfo(?, ?)",
        arguments: [try entry.decode(String.self, forColumn: "name"), schema]
      )
      let hasExpressions = columns.contains { $0["cid"] == -2 }
      let names = try columns.compactMap {
        try $0.decode(String?.self, forColumn: "name").map { ColumnName($0) }
      }
      guard let page = try entry.decode(Int?.self, forColumn: "rootpage"), page > 0 else {
        continue
      }
      contents[Root(database: database, page: page)] = Content(
        table: table,
        columns: hasExpressions ? nil : names,
        isIndex: true
      )
    }
  }
}
