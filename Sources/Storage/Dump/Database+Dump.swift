extension Database {
  /// Writes the rows of SQL statements, one statement after the other.
  ///
  ///     try db.dumpSQL("SELECT * FROM player WHERE score > \(100)", format: .json())
  ///     // [{"id":1,"name":"Arthur","score":500}]
  ///
  /// - Parameters:
  ///   - sql: The statements. All of them are executed, including statements that write.
  ///   - format: The format of the rows.
  ///   - stream: An object that receives the text; by default, the text goes to the standard
  ///     output.
  /// - Throws: ``DatabaseError``.
  public func dumpSQL(
    _ sql: SQL,
    format: some DumpFormat = .debug(),
    to stream: (any TextOutputStream)? = nil
  ) throws {
    try dump(to: stream) { output in
      let (sql, arguments) = try sql.build(self)
      let statements = try allStatements(sql: sql, arguments: arguments)
      while let statement = try statements.next() {
        try dump(statement, format, to: &output)
      }
    }
  }

  /// Writes the rows of a request.
  ///
  ///     try db.dumpRequest(Player.order { $0.name }, format: .list())
  ///     // 1|Arthur|500
  ///     // 2|Barbara|1000
  ///
  /// The associated rows of `including(all:)` follow, under the name of the association:
  ///
  ///     try db.dumpRequest(Team.including(all: Team.players))
  ///     // 1|Reds
  ///     //
  ///     // players
  ///     // 1|1|Arthur|500
  ///     // 2|1|Barbara|1000
  ///
  /// - Throws: ``DatabaseError``.
  public func dumpRequest(
    _ request: some FetchRequest,
    format: some DumpFormat = .debug(),
    to stream: (any TextOutputStream)? = nil
  ) throws {
    try dump(to: stream) { output in
      try dump(request.makePreparedRequest(self), format, to: &output)
    }
  }

  /// Writes the rows of tables and views.
  ///
  ///     try db.dumpTables(["player", "team"])
  ///     // player
  ///     // 1|Arthur|500
  ///     // 2|Barbara|1000
  ///     //
  ///     // team
  ///     // 1|Reds
  ///
  /// The rows of a table are in the order of its primary key, the rows of a view in its own order.
  ///
  /// - Parameters:
  ///   - tables: The names of the tables and views.
  ///   - format: The format of the rows.
  ///   - tableHeader: Whether to write each table's name above its rows.
  ///   - stableOrder: Whether to sort the rows of views by all columns, so that equal contents give
  ///     equal texts.
  ///   - stream: An object that receives the text; by default, the text goes to the standard
  ///     output.
  /// - Throws: ``DatabaseError``.
  public func dumpTables(
    _ tables: [String],
    format: some DumpFormat = .debug(),
    tableHeader: DumpTableHeader = .automatic,
    stableOrder: Bool = false,
    to stream: (any TextOutputStream)? = nil
  ) throws {
    try dump(to: stream) { output in
      for (index, table) in tables.enumerated() {
        if index > 0 { output.margin() }
        if tableHeader.isShown(over: tables.count) { output.writeLine(table) }
        try dump(table, format, stableOrder: stableOrder, to: &output)
      }
    }
  }

  /// Writes the schema, and the rows of all tables.
  ///
  ///     try db.dumpContent()
  ///     // sqlite_master
  ///     // CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, score INTEGER);
  ///     //
  ///     // player
  ///     // 1|Arthur|500
  ///
  /// SQLite's internal tables, and the tables behind a virtual table, are omitted. So are the rows
  /// of a table whose name is not valid UTF-8.
  ///
  /// - Throws: ``DatabaseError``.
  public func dumpContent(
    format: some DumpFormat = .debug(),
    to stream: (any TextOutputStream)? = nil
  ) throws {
    try dump(to: stream) { output in
      output.writeLine("sqlite_master")
      try writeSchema(to: &output)
      let tables = try Row.fetchAll(
        self,
        sql: """
          SELECT name FROM pragma_table_list
          WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          ORDER BY name COLLATE NOCASE
          """
      )
      for table in tables.compactMap({ $0.schemaText("name") }) {
        output.margin()
        output.writeLine(table)
        // Such a name cannot be written into a statement.
        if table.mayBeRepaired {
          output.writeLine("(the name is not valid UTF-8)")
          continue
        }
        try dump(table, format, stableOrder: true, to: &output)
      }
    }
  }

  /// Writes the statements that create the schema.
  ///
  ///     try db.dumpSchema()
  ///     // CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, score INTEGER);
  ///
  /// - Throws: ``DatabaseError``.
  public func dumpSchema(to stream: (any TextOutputStream)? = nil) throws {
    try dump(to: stream) { try writeSchema(to: &$0) }
  }

  // MARK: Parts

  private func dump(
    to stream: (any TextOutputStream)?,
    _ body: (inout DumpStream) throws -> Void
  ) throws {
    var output = DumpStream(stream)
    // The output before an error helps to find the error.
    defer { output.flush() }
    try body(&output)
  }

  private func dump(
    _ statement: Statement,
    _ format: some DumpFormat,
    to output: inout DumpStream
  ) throws {
    try dump(PreparedRequest(statement: statement), format, to: &output)
  }

  /// Writes the rows, and then the associated rows of each association.
  private func dump(
    _ request: PreparedRequest,
    _ format: some DumpFormat,
    path: [String] = [],
    to output: inout DumpStream
  ) throws {
    let statement = request.statement
    guard !statement.columnNames.isEmpty else { return try statement.execute() }
    var rowFormat = format
    var keys = request.prefetches.map { PrefetchKeys($0, self) }
    let rows = try Row.fetchCursor(statement)
    while let row = try rows.next() {
      try rowFormat.write(DumpedRow(statement, hiddenCount: request.hiddenCount), to: &output)
      for (index, prefetch) in request.prefetches.enumerated() {
        _ = try keys[index].insert(prefetch.columns.map { row.databaseValue(at: $0.index) })
      }
    }
    rowFormat.finish(to: &output)
    for (prefetch, keys) in zip(request.prefetches, keys) {
      let path = path + prefetch.scope + [prefetch.key]
      output.margin()
      output.writeLine(path.joined(separator: "."))
      let query = prefetch.query(keys)
      let associated = try query.prepare(self, groupedBy: prefetch.grouping).request
      try dump(associated, format, path: path, to: &output)
    }
  }

  private func dump(
    _ table: String,
    _ format: some DumpFormat,
    stableOrder: Bool,
    to output: inout DumpStream
  ) throws {
    let info = try tableInfo(table)
    let key = info.primaryKey
    let order: [String] =
      if info.kind == .view {
        stableOrder ? info.columns.indices.map { String($0 + 1) } : []
      } else if key.tableHasRowID || !key.isRowID {
        key.columns.map(\.quotedDatabaseIdentifier)
      } else {
        []
      }
    let clause = order.isEmpty ? "" : " ORDER BY \(order.joined(separator: ", "))"
    let sql = "SELECT * FROM \(table.quotedDatabaseIdentifier)\(clause)"
    try dump(makeStatement(sql: sql), format, to: &output)
  }

  private func writeSchema(to output: inout DumpStream) throws {
    let statements = try Row.fetchCursor(
      self,
      sql: """
        SELECT sql FROM sqlite_master AS object
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          AND NOT EXISTS (
            SELECT 1 FROM pragma_table_list
            WHERE schema = 'main' AND name = object.name AND type = 'shadow'
          )
        ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'view' THEN 1 ELSE 2 END,
          tbl_name COLLATE NOCASE, name COLLATE NOCASE
        """
    )
    while let row = try statements.next() {
      if let sql = row.schemaText("sql") { output.writeLine(SchemaObject.statement(sql)) }
    }
  }
}
