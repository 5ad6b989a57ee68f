extension Database {
  /// Returns the objects of a schema in the order of their creation, without SQLite's own tables.
  ///
  ///     let tables = try db.schemaObjects(.table).map(\.name)
  ///
  /// - Parameters:
  ///   - kind: The kind of objects to return; all kinds by default.
  ///   - schema: The database; `main` by default.
  /// - Returns: The objects.
  /// - Throws: ``DatabaseError`` when the database does not exist.
  public func schemaObjects(
    _ kind: SchemaObject.Kind? = nil,
    in schema: String = "main"
  ) throws -> [SchemaObject] {
    let objects = try lookUp(\.objects, schema) {
      try checkSchema(schema)
      let objects = try SchemaObject.fetchAll(
        self,
        sql: """
          SELECT type, name, tbl_name, sql FROM \(schema.quotedDatabaseIdentifier).sqlite_master \
          WHERE type <> 'table' OR name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
          """
      )
      return (objects, schema)
    }
    return kind.map { kind in objects.filter { $0.kind == kind } } ?? objects
  }

  /// Returns the triggers of a table or a view, including temporary ones.
  ///
  ///     let names = try db.triggers(on: "player").map(\.name)
  ///
  /// - Throws: ``DatabaseError`` when the table does not exist.
  public func triggers(on table: String) throws -> [SchemaObject] {
    let schema = try tableInfo(table).schema
    return try Set([schema, "temp"]).sorted().flatMap { schema in
      try schemaObjects(.trigger, in: schema).filter {
        $0.tableName.asciiLowercased == table.asciiLowercased
      }
    }
  }
}

extension Database {
  /// Returns whether a table exists, ignoring the case of its name. SQLite's own tables, such as
  /// `sqlite_stat1`, count too.
  ///
  ///     if try !db.tableExists("player") { try createSchema(db) }
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - schema: The database to look in; all databases of the connection by default.
  /// - Returns: Whether the table exists.
  /// - Throws: ``DatabaseError`` when the database does not exist.
  public func tableExists(_ name: String, in schema: String? = nil) throws -> Bool {
    try exists(.table, name, in: schema)
  }

  /// Returns whether a view exists, ignoring the case of its name.
  ///
  /// - Throws: ``DatabaseError`` when the database does not exist.
  public func viewExists(_ name: String, in schema: String? = nil) throws -> Bool {
    try exists(.view, name, in: schema)
  }

  /// Returns whether an index exists, ignoring the case of its name.
  ///
  /// - Throws: ``DatabaseError`` when the database does not exist.
  public func indexExists(_ name: String, in schema: String? = nil) throws -> Bool {
    try exists(.index, name, in: schema)
  }

  /// Returns whether a trigger exists, ignoring the case of its name.
  ///
  /// - Throws: ``DatabaseError`` when the database does not exist.
  public func triggerExists(_ name: String, in schema: String? = nil) throws -> Bool {
    try exists(.trigger, name, in: schema)
  }

  @inline(never)
  private func exists(_ kind: SchemaObject.Kind, _ name: String, in schema: String?) throws -> Bool
  {
    let name = name.asciiLowercased
    let schemas = schema.map { [$0] } ?? ["main", "temp"] + attached.names
    return try schemas.contains { schema in
      let objects = try schemaObjects(kind, in: schema)
      if objects.contains(where: { $0.name.asciiLowercased == name }) { return true }
      guard kind == .table, name.hasPrefix("sqlite_") else { return false }
      return try internalTableExists(name, in: schema)
    }
  }

  /// Returns whether SQLite has made a table of its own, which ``schemaObjects(_:in:)`` leaves out.
  private func internalTableExists(_ name: String, in schema: String) throws -> Bool {
    let master = schema.asciiLowercased == "temp" ? "sqlite_temp_" : "sqlite_"
    if ["\(master)master", "\(master)schema"].contains(name) { return true }
    return try unrecorded {
      try Bool.fetchOne(
        self,
        sql: """
          SELECT EXISTS (SELECT 1 FROM \(schema.quotedDatabaseIdentifier).sqlite_master \
          WHERE type = 'table' AND lower(name) = ?)
          """,
        arguments: [name]
      ) ?? false
    }
  }
}
