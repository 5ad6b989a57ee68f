extension Database {
  /// The columns of a table or a view, from left to right.
  ///
  ///     let names = try db.columns(in: "player").map(\.name)
  ///
  /// - Throws: ``DatabaseError`` when there is no such table.
  public func columns(in table: String) throws -> [ColumnInfo] {
    try tableInfo(table).columns
  }

  /// The primary key of a table.
  ///
  ///     let key = try db.primaryKey("player").columns
  ///
  /// - Throws: ``DatabaseError`` when there is no such table.
  public func primaryKey(_ table: String) throws -> PrimaryKeyInfo {
    try tableInfo(table).primaryKey
  }

  /// Whether at most one row of a table has given values in some columns.
  ///
  /// - Throws: ``DatabaseError`` when there is no such table.
  public func table(
    _ table: String,
    hasUniqueKey columns: some Sequence<String>
  ) throws -> Bool {
    try tableInfo(table).isUniqueKey(columns)
  }

  /// What is known of a table or a view: looked up once for each version of the schema.
  func tableInfo(_ table: String) throws -> TableInfo {
    checkAccess()
    let version = SchemaCache.Version(
      main: try pragmas.schemaVersion(),
      temp: try pragmas.temporarySchemaVersion()
    )
    if let known = schemaCache.table(table, at: version) { return known }
    // What this reads is not what an observation reads.
    let recorder = regionRecorder
    regionRecorder = nil
    defer { regionRecorder = recorder }
    let (info, schema) = try loadTableInfo(table)
    // Attached files have versions of their own.
    if ["main", "temp"].contains(schema) { schemaCache.insert(info, table) }
    return info
  }

  private func loadTableInfo(_ table: String) throws -> (TableInfo, schema: String) {
    let columns = try Row.fetchAll(
      self,
      sql: "SELECT * FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid",
      arguments: [table]
    ).map(ColumnInfo.init)
    guard !columns.isEmpty else {
      throw DatabaseError(resultCode: .SQLITE_ERROR, message: "no such table: \(table)")
    }
    // SQLite looks a name up in `temp`, in `main`, and in attached files in their order.
    let description = try Row.fetchOne(
      self,
      sql: """
        SELECT list.schema, list.type, list.wr FROM pragma_table_list(?) AS list
        JOIN pragma_database_list AS file ON file.name = list.schema
        ORDER BY file.name <> 'temp', file.seq LIMIT 1
        """,
      arguments: [table]
    )
    let indexes = try String.fetchAll(
      self,
      sql: #"SELECT name FROM pragma_index_list(?) WHERE "unique" AND NOT partial"#,
      arguments: [table]
    )
    let keys = try indexes.map { index in
      try String?.fetchAll(self, sql: "SELECT name FROM pragma_index_info(?)", arguments: [index])
    }
    let info = TableInfo(
      columns: columns,
      primaryKey: PrimaryKeyInfo(columns: columns, tableHasRowID: description?["wr"] != true),
      uniqueKeys: keys.compactMap { $0.contains(nil) ? nil : $0.compactMap(\.self) }
    )
    return (info, description?["schema"] ?? "main")
  }
}
