/// Something that a schema holds: a table, an index, a view or a trigger.
public struct SchemaObject: Hashable, Sendable, FetchableRecord {
  /// What there is in a schema.
  public enum Kind: String, Sendable {
    /// A table, virtual ones included.
    case table
    /// An index.
    case index
    /// A view.
    case view
    /// A trigger.
    case trigger
  }

  /// What it is.
  public let kind: Kind

  /// Its name.
  public let name: String

  /// The table or view that it belongs to: for a table or a view its own name.
  public let tableName: String

  /// The statement that has created it; `nil` for an index that SQLite has made for a constraint.
  public let sql: String?

  /// Makes an object of a row of SQLite's schema table.
  public init(row: Row) throws {
    guard let kind = Kind(rawValue: row["type"]) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "unknown kind of schema object: \(row["type"] as String)"
      )
    }
    self.kind = kind
    name = row["name"]
    tableName = row["tbl_name"]
    sql = row["sql"]
  }
}

extension Database {
  /// What the schema holds, in the order of its creation, without SQLite's own tables.
  ///
  ///     let tables = try db.schemaObjects(.table).map(\.name)
  ///
  /// - Parameters:
  ///   - kind: What is asked for; all unless given.
  ///   - schema: The database: `main` unless given.
  /// - Returns: The objects.
  /// - Throws: ``DatabaseError`` when there is no such database.
  public func schemaObjects(
    _ kind: SchemaObject.Kind? = nil,
    in schema: String = "main"
  ) throws -> [SchemaObject] {
    let objects = try lookUp(\.objects, schema) {
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

  /// The triggers of a table or a view, those of the connection alone included.
  ///
  ///     let names = try db.triggers(on: "player").map(\.name)
  ///
  /// - Throws: ``DatabaseError`` when there is no such table.
  public func triggers(on table: String) throws -> [SchemaObject] {
    let schema = try tableInfo(table).schema
    return try Set([schema, "temp"]).sorted().flatMap { schema in
      try schemaObjects(.trigger, in: schema).filter {
        $0.tableName.asciiLowercased == table.asciiLowercased
      }
    }
  }
}

// MARK: - Existence

extension Database {
  /// Whether there is a table of a name, in whatever case.
  ///
  ///     if try !db.tableExists("player") { try createSchema(db) }
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - schema: The database that is looked at; all of the connection unless given.
  /// - Returns: Whether there is one.
  /// - Throws: ``DatabaseError`` when there is no such database.
  public func tableExists(_ name: String, in schema: String? = nil) throws -> Bool {
    try exists(.table, name, in: schema)
  }

  /// Whether there is a view of a name, in whatever case.
  ///
  /// - Throws: ``DatabaseError`` when there is no such database.
  public func viewExists(_ name: String, in schema: String? = nil) throws -> Bool {
    try exists(.view, name, in: schema)
  }

  /// Whether there is an index of a name, in whatever case.
  ///
  /// - Throws: ``DatabaseError`` when there is no such database.
  public func indexExists(_ name: String, in schema: String? = nil) throws -> Bool {
    try exists(.index, name, in: schema)
  }

  /// Whether there is a trigger of a name, in whatever case.
  ///
  /// - Throws: ``DatabaseError`` when there is no such database.
  public func triggerExists(_ name: String, in schema: String? = nil) throws -> Bool {
    try exists(.trigger, name, in: schema)
  }

  private func exists(_ kind: SchemaObject.Kind, _ name: String, in schema: String?) throws -> Bool
  {
    let name = name.asciiLowercased
    let schemas = schema.map { [$0] } ?? ["main", "temp"] + pragmas.attachedNames
    return try schemas.contains { schema in
      try schemaObjects(kind, in: schema).contains { $0.name.asciiLowercased == name }
    }
  }
}
