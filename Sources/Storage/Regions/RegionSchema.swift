/// What the region analysis needs to know of a connection's schema: what the pages of compiled
/// statements belong to, and what its tables are.
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
    /// In lower case, in their declared order.
    var columns: [String] = []
    /// The columns that are computed from others, which SQLite does not report as read.
    var generatedColumns: Set<String> = []
    /// The `CREATE` statement of a virtual table.
    var sql = ""
  }

  /// Where a b-tree starts: the index of the database in its connection, and the page.
  struct Root: Hashable {
    let database: Int
    let page: Int
  }

  /// What a b-tree holds.
  struct Content {
    let table: TableName
    /// The columns of an index, `nil` when it holds expressions; for a table, all of its columns as
    /// they are stored, with virtual ones behind.
    let columns: [String]?
    let isIndex: Bool
  }

  /// By schema name: SQLite's version of each database's schema.
  let versions: [String: Int64]
  private(set) var tables: [TableName: Table] = [:]
  private(set) var contents: [Root: Content] = [:]

  /// The tables called `name`, in whatever database.
  func tables(named name: String) -> [Table] {
    versions.keys.compactMap { tables[TableName(schema: $0, name: name)] }
  }

  /// The tables in which a virtual table keeps its data.
  func shadowTables(of table: TableName) -> [TableName] {
    let prefix = table.name + "_"
    return tables.values
      .filter {
        $0.kind == .shadow && $0.name.schema == table.schema && $0.name.name.hasPrefix(prefix)
      }
      .map(\.name)
  }

  /// What a query over a virtual table reads.
  func region(ofVirtualTable name: TableName) -> DatabaseRegion {
    // What an external content table adds to the index is not reported; and a table that keeps
    // nothing of its own shows something else, as `fts5vocab` does.
    let shadows = shadowTables(of: name)
    if shadows.isEmpty || tables[name]?.sql.asciiLowercased.contains("content") != false {
      return .fullDatabase
    }
    return shadows.reduce(into: DatabaseRegion(name, .all)) { region, shadow in
      region.formUnion(DatabaseRegion(shadow, .all))
    }
  }

  // MARK: Loading

  /// The versions of the schemas of all databases of a connection.
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
      let name = TableName(schema: row["schema"], name: row["name"])
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
    // Tables first: an index belongs to one.
    for entry in entries where entry["type"] == "table" {
      let name = TableName(schema: schema, name: entry["name"])
      let columns = try Row.fetchAll(
        db,
        sql: "SELECT name, hidden FROM pragma_table_xinfo(?, ?)",
        arguments: [entry["name"] as String, schema]
      )
      let names = columns.map { ($0["name"] as String).asciiLowercased }
      let kinds = columns.map { $0["hidden"] as Int }
      tables[name]?.columns = names
      tables[name]?.generatedColumns = Set(zip(names, kinds).filter { $1 >= 2 }.map(\.0))
      tables[name]?.sql = entry["sql"] ?? ""
      if let page = entry["rootpage"] as Int?, page > 0 {
        contents[Root(database: database, page: page)] = Content(
          table: name,
          columns: zip(names, kinds).filter { $1 != 2 }.map(\.0)
            + zip(names, kinds).filter { $1 == 2 }.map(\.0),
          isIndex: false
        )
      }
    }
    for entry in entries where entry["type"] == "index" {
      let table = TableName(schema: schema, name: entry["tbl_name"])
      let columns = try Row.fetchAll(
        db,
        sql: "SELECT cid, name FROM pragma_index_xinfo(?, ?)",
        arguments: [entry["name"] as String, schema]
      )
      let hasExpressions = columns.contains { $0["cid"] == -2 }
      let names = columns.compactMap { ($0["name"] as String?)?.asciiLowercased }
      guard let page = entry["rootpage"] as Int?, page > 0 else { continue }
      contents[Root(database: database, page: page)] = Content(
        table: table,
        columns: hasExpressions ? nil : names,
        isIndex: true
      )
    }
  }
}
