internal import CWellspringSQLite

/// A table, an index, a view or a trigger of a schema.
public struct SchemaObject: Hashable, Sendable, FetchableRecord {
  /// The kinds of schema objects.
  public enum Kind: String, Sendable {
    /// A table, possibly virtual.
    case table
    /// An index.
    case index
    /// A view.
    case view
    /// A trigger.
    case trigger
  }

  /// The kind of the object.
  public let kind: Kind

  /// The name of the object. U+FFFD replaces bytes that are not UTF-8, here and in the other texts.
  public let name: String

  /// The table or view that the object belongs to; for a table or a view, its own name.
  public let tableName: String

  /// The statement that created the object; `nil` for an index that SQLite created for a
  /// constraint.
  public let sql: String?

  /// Whether ``sql`` may differ from the bytes in the file, so that it must not be run.
  var mayBeRepaired: Bool { sql?.mayBeRepaired ?? false }

  /// Decodes a row of SQLite's schema table.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT` when the row has an unknown kind, and
  ///   ``RowDecodingError`` when it has no name.
  public init(row: Row) throws {
    let type = row.schemaText("type") ?? ""
    sql = row.schemaText("sql")
    // SQLite itself goes by the statement.
    guard let kind = Kind(rawValue: type.asciiLowercased) ?? sql.flatMap(Kind.init(creating:))
    else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "unknown kind of schema object: \(type)"
      )
    }
    self.kind = kind
    name = try row.schemaText("name") ?? row.decode(forColumn: "name")
    tableName = try row.schemaText("tbl_name") ?? row.decode(forColumn: "tbl_name")
  }
}

extension SchemaObject.Kind {
  /// The kind of object that a statement of the schema creates.
  fileprivate init?(creating sql: String) {
    let words = sql.split(maxSplits: 3, whereSeparator: \.isWhitespace).prefix(3)
    guard words.first?.lowercased() == "create",
      let kind = words.dropFirst().lazy.compactMap({ Self(rawValue: $0.lowercased()) }).first
    else { return nil }
    self = kind
  }
}

extension SchemaObject {
  /// The statement that created the object, with the semicolon that ends it; `nil` for an index
  /// that SQLite created for a constraint.
  public var statement: String? { sql.map(Self.statement) }

  /// Returns SQL with the semicolon that ends it.
  ///
  /// The SQL of a view or an index may end with a comment, and a semicolon would belong to it. In a
  /// hostile file, further statements may follow, which SQLite does not read: they are left out, so
  /// that a program that runs the dump does not run them.
  static func statement(_ sql: String) -> String {
    let bytes = Array(sql.utf8)
    for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: ";") {
      let start = String(decoding: bytes[...offset], as: UTF8.self)
      if sqlite3_complete(start) != 0 { return start }
    }
    let candidates = ["", "\n", "*/"].map { "\(sql)\($0);" }
    return candidates.first { sqlite3_complete($0) != 0 } ?? candidates[0]
  }
}

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
