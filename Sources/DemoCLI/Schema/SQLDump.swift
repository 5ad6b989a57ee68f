internal import Foundation
internal import Storage

/// Writes SQL statements that make tables and their rows again.
struct SQLDump {
  var output: BufferedOutput

  /// Writes one transaction with all objects of a schema.
  ///
  /// The statements of a virtual table's shadow tables come instead of its own rows, and its entry
  /// in the schema is written directly: creating it would create the shadow tables.
  mutating func write(_ schema: FileSchema, _ db: Database) throws {
    append("PRAGMA foreign_keys = OFF;\nBEGIN;\n")
    let tables = schema.objects.filter { $0.kind == .table }
    let virtual = tables.filter { Self.isVirtual($0) }
    for table in tables where !Self.isVirtual(table) { try write(table, db) }
    if !virtual.isEmpty { try write(virtual: virtual, schema, db) }
    try writeSequences(of: tables, db)
    for object in schema.objects where object.kind != .table {
      try writeStatement(of: object, db)
    }
    append("COMMIT;\n")
    try output.flush()
  }

  private static func isVirtual(_ table: SchemaObject) -> Bool {
    table.sql?.uppercased().hasPrefix("CREATE VIRTUAL") ?? false
  }

  private mutating func write(_ table: SchemaObject, _ db: Database) throws {
    guard table.sql != nil else { return }
    try writeStatement(of: table, db)
    try writeRows(of: table.name, db)
  }

  /// Writes the statement that made an object with its own bytes, which may not be UTF-8.
  private mutating func writeStatement(of object: SchemaObject, _ db: Database) throws {
    guard object.sql != nil else { return }
    let sql = try Data.fetchOne(
      db,
      sql: "SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?",
      arguments: [object.kind.rawValue, object.name]
    )
    guard let sql else {
      throw ToolError(
        "the name of the \(object.kind) \(object.name) is not valid UTF-8: use .dump of sqlite3"
      )
    }
    output.bytes += sql
    append(";\n")
  }

  private mutating func writeRows(of table: String, _ db: Database) throws {
    let columns = try db.columns(in: table)
    let stored = columns.filter { !$0.isGenerated }.map(\.name.quotedDatabaseIdentifier)
    guard !stored.isEmpty else { return }
    let list = stored.joined(separator: ", ")
    let names = stored.count == columns.count ? "" : " (\(list))"
    let start = "INSERT INTO \(table.quotedDatabaseIdentifier)\(names) VALUES ("
    let rows = try Row.fetchCursor(db, sql: "SELECT \(list) FROM \(table.quotedDatabaseIdentifier)")
    while let row = try rows.next() {
      append(start)
      append(row.databaseValues.map(Self.literal).joined(separator: ", "))
      append(");\n")
      try output.writeIfFull()
    }
  }

  private mutating func write(
    virtual tables: [SchemaObject],
    _ schema: FileSchema,
    _ db: Database
  ) throws {
    for shadow in try db.schemaObjects() where shadow.kind == .table {
      let belongs = tables.contains { shadow.name.hasPrefix($0.name + "_") }
      if schema.shadowTables.contains(shadow.name), belongs { try write(shadow, db) }
    }
    append("-- A defensive connection refuses this: newer shells need .dbconfig defensive off.\n")
    append("PRAGMA writable_schema = ON;\n")
    for table in tables {
      let name = Self.literal(table.name.databaseValue)
      append("INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (")
      append("'table', \(name), \(name), 0, \(Self.literal(table.sql.databaseValue)));\n")
    }
    append("PRAGMA writable_schema = RESET;\n")
  }

  /// Writes the highest row ids of tables with `AUTOINCREMENT`.
  private mutating func writeSequences(of tables: [SchemaObject], _ db: Database) throws {
    let name = "SELECT name FROM sqlite_schema WHERE name = 'sqlite_sequence'"
    guard try String.fetchOne(db, sql: name) != nil else { return }
    let names = Set(tables.map(\.name))
    for row in try Row.fetchAll(db, sql: "SELECT name, seq FROM sqlite_sequence") {
      let values = row.databaseValues
      guard case .string(let name) = values[0].storage, names.contains(name) else { continue }
      append("DELETE FROM sqlite_sequence WHERE name = \(Self.literal(values[0]));\n")
      append("INSERT INTO sqlite_sequence (name, seq) VALUES (")
      append("\(values.map(Self.literal).joined(separator: ", ")));\n")
    }
  }

  private mutating func append(_ text: String) {
    output.bytes += text.utf8
  }

  /// Returns the value as an SQL literal.
  private static func literal(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .null: "NULL"
    case .int64(let value): "\(value)"
    case .double(.infinity): "1e999"
    case .double(-.infinity): "-1e999"
    case .double(let value): "\(value)"
    case .string(let value):
      // A literal ends at a NUL character.
      value.utf8.contains(0)
        ? "CAST(\(hexadecimal(value.utf8)) AS TEXT)"
        : "'\(value.replacing("'", with: "''"))'"
    case .blob(let data): hexadecimal(data)
    }
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    "x'\(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'"
  }
}
