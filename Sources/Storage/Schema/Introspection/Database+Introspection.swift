// Unless a schema is named, a table is looked up in SQLite's order: in `temp`, in `main`, then in
// the attached databases in the order of their attachment. Results are cached until the schema
// changes, in this process or another one.

extension Database {
  /// Returns the columns of a table or a view, from left to right.
  ///
  ///     let names = try db.columns(in: "player").map(\.name)
  ///
  /// - Parameters:
  ///   - table: The name of the table, in any case.
  ///   - schema: The database that holds the table, such as `temp`; by default, the first one that
  ///     has it.
  /// - Returns: The columns, including generated ones.
  /// - Throws: ``DatabaseError`` when the table does not exist.
  public func columns(in table: String, in schema: String? = nil) throws -> [ColumnInfo] {
    try tableInfo(table, in: schema).columns
  }

  /// Returns the primary key of a table.
  ///
  ///     let key = try db.primaryKey("player").columns
  ///
  /// - Throws: ``DatabaseError`` when the table does not exist, and for a view, unless a
  ///   ``DatabaseSchemaSource`` names its key.
  public func primaryKey(_ table: String, in schema: String? = nil) throws -> PrimaryKeyInfo {
    try tableInfo(table, in: schema).requiredPrimaryKey(table)
  }

  /// Returns whether the given columns identify at most one row of a table: whether they contain
  /// the primary key, the columns of a unique index, or the row id.
  ///
  ///     // CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, email TEXT UNIQUE)
  ///     try db.table("player", hasUniqueKey: ["email"])          // true
  ///     try db.table("player", hasUniqueKey: ["name", "email"])  // true
  ///     try db.table("player", hasUniqueKey: ["name"])           // false
  ///     try db.table("player", hasUniqueKey: ["rowid"])          // true
  ///
  /// - Throws: ``DatabaseError`` when the table does not exist.
  public func table(
    _ table: String,
    hasUniqueKey columns: some Sequence<String>
  ) throws -> Bool {
    try tableInfo(table).hasUniqueKey(within: columns)
  }

  /// Returns the indexes of a table, including the indexes that SQLite creates for unique columns.
  ///
  ///     let unique = try db.indexes(on: "player").filter(\.isUnique)
  ///
  /// A unique index alone does not say that its columns identify a row, because it may cover only
  /// some of the rows: see ``table(_:hasUniqueKey:)``.
  ///
  /// - Throws: ``DatabaseError`` when the table does not exist.
  public func indexes(on table: String, in schema: String? = nil) throws -> [IndexInfo] {
    try lookUp(\.indexes, qualified(table, schema)) {
      let schema = try tableInfo(table, in: schema).schema
      return (try IndexInfo.fetchAll(self, on: table, in: schema), schema)
    }
  }

  /// Returns the foreign keys that a table declares.
  ///
  ///     let parents = try db.foreignKeys(on: "player").map(\.destinationTable)
  ///
  /// - Throws: ``DatabaseError`` when the table does not exist.
  public func foreignKeys(on table: String, in schema: String? = nil) throws -> [ForeignKeyInfo] {
    try lookUp(\.foreignKeys, qualified(table, schema)) {
      let schema = try tableInfo(table, in: schema).schema
      return (try ForeignKeyInfo.fetchAll(self, on: table, in: schema), schema)
    }
  }

  /// Returns the properties of a table or a view that requests and records need.
  func tableInfo(_ table: String, in schema: String? = nil) throws -> TableInfo {
    let name = qualified(table, schema)
    // Every request by key comes here, and a key path would cost it more than the look-up.
    try refreshSchemaCache()
    if let known = schemaCache.content.tables[name] { return known }
    return try lookUp(\.tables, name) {
      let info = try loadTableInfo(table, schema)
      return (info, info.schema)
    }
  }

  private func loadTableInfo(_ table: String, _ schema: String?) throws -> TableInfo {
    if let schema { try checkSchema(schema) }
    // SQLite looks up a name in `temp`, in `main`, then in attached databases in their order.
    let description = try Row.fetchOne(
      self,
      sql: """
        SELECT list.schema, list.type, list.wr FROM pragma_table_list(?1) AS list
        JOIN pragma_database_list AS file ON file.name = list.schema
        WHERE ?2 IS NULL OR list.schema = ?2 COLLATE NOCASE
        ORDER BY file.name <> 'temp', file.seq LIMIT 1
        """,
      arguments: [table, schema]
    )
    // The list has neither the tables that modules offer by their own names, nor other names of the
    // schema's table.
    let listed = try description?.decode(String.self, forColumn: "schema") ?? schema
    var owner = listed ?? "main"
    var declared = try declaredColumns(of: TableName(schema: owner, name: table))
    if declared.isEmpty, listed == nil {
      owner = "temp"
      declared = try declaredColumns(of: TableName(schema: owner, name: table))
    }
    let columns = try declared.filter { !$0.isHidden }.map(ColumnInfo.init)
    guard !columns.isEmpty else {
      let name = schema.map { "\($0).\(table)" } ?? table
      throw DatabaseError(resultCode: .SQLITE_ERROR, message: "no such table: \(name)")
    }
    let indexes = try Row.fetchAll(
      self,
      sql: #"SELECT name, origin FROM pragma_index_list(?, ?) WHERE "unique" AND NOT partial"#,
      arguments: [table, schema]
    )
    let keys = try indexes.map { index in
      try String?.fetchAll(
        self,
        sql: "SELECT name FROM pragma_index_info(?, ?)",
        arguments: [index.decode(String.self, forColumn: "name"), schema]
      )
    }
    let kind = description?.schemaText("type").flatMap(TableInfo.Kind.init) ?? .table
    let view = DatabaseObjectID(schemaName: owner, name: table)
    return TableInfo(
      schema: owner,
      kind: kind,
      columns: columns,
      primaryKey: kind == .view
        ? PrimaryKeyInfo(viewColumns: try columnsForPrimaryKey(inView: view))
        : PrimaryKeyInfo(
          columns: columns,
          tableHasRowID: description?["wr"] != true,
          hasIndex: indexes.contains { $0["origin"] == "pk" }
        ),
      uniqueKeys: keys.compactMap { $0.contains(nil) ? nil : $0.compactMap(\.self) }
    )
  }

  /// Checks that the connection has a database of this name.
  ///
  /// - Throws: ``DatabaseError``.
  func checkSchema(_ name: String) throws {
    let names = ["main", "temp"] + attached.names
    guard names.contains(where: { $0.asciiLowercased == name.asciiLowercased }) else {
      throw DatabaseError(resultCode: .SQLITE_ERROR, message: "no such schema: \(name)")
    }
  }

  private func qualified(_ table: String, _ schema: String?) -> String {
    guard let schema else { return table }
    return "\(schema).\(table)"
  }
}
