internal import CommandLineSupport
internal import FoundationEssentials
internal import Storage

/// Writes SQL statements that make tables and their rows again.
struct SQLDump {
  var output: BufferedOutput

  /// Writes one transaction with all objects of a schema.
  ///
  /// The statements of a virtual table's shadow tables come instead of its own rows, and its entry
  /// in the schema is written directly: creating it would create the shadow tables.
  mutating func write(_ schema: FileSchema, _ db: Database) throws {
    // A database with another encoding has texts that UTF-8 cannot represent.
    let encoding = try String.fetchOne(db, sql: "PRAGMA encoding") ?? "UTF-8"
    if encoding != "UTF-8" { append("PRAGMA encoding = '\(encoding)';\n") }
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
    guard let sql = object.sql, let statement = object.statement else { return }
    let bytes = try Data.fetchOne(
      db,
      sql: "SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?",
      arguments: [object.kind.rawValue, object.name]
    )
    guard let bytes else {
      throw ToolError(
        "the name of the \(object.kind) \(object.name) is not valid UTF-8: use .dump of sqlite3"
      )
    }
    // The text of the statement has other characters where the bytes are not UTF-8, but the same
    // semicolons.
    let semicolon = UInt8(ascii: ";")
    let count = statement.utf8.count { $0 == semicolon }
    let places = bytes.indices.filter { bytes[$0] == semicolon }
    if places.count >= count {
      append(bytes: bytes[...places[count - 1]])
    } else {
      append(bytes: bytes + statement.utf8.dropFirst(sql.utf8.count))
    }
    append("\n")
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
      for index in 0..<stored.count {
        if index > 0 { append(", ") }
        append(try row.decode(ScriptLiteral.self, atIndex: index).text)
      }
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
      let name = ScriptLiteral(table.name.databaseValue).text
      append("INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (")
      append("'table', \(name), \(name), 0, \(ScriptLiteral(table.sql.databaseValue).text));\n")
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
      let literals = values.map { ScriptLiteral($0).text }
      append("DELETE FROM sqlite_sequence WHERE name = \(literals[0]);\n")
      append("INSERT INTO sqlite_sequence (name, seq) VALUES (")
      append("\(literals.joined(separator: ", ")));\n")
    }
  }

  /// Adds text to the output.
  ///
  /// The `sqlite3` shell removes one carriage return at the end of a line. Names and the statements
  /// of the schema may have some, so each gets a second one.
  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  private mutating func append(bytes: some Sequence<UInt8>) {
    Array(bytes).withUnsafeBufferPointer { append($0) }
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.hasByte(13) else {
      output.bytes.append(contentsOf: bytes)
      return
    }
    var last: UInt8 = 0
    for byte in bytes {
      if byte == 10, last == 13 { output.bytes.append(13) }
      output.bytes.append(byte)
      last = byte
    }
  }
}

/// A value as SQL in a script.
private struct ScriptLiteral: DatabaseValueConvertible {
  let text: String

  init(_ value: DatabaseValue) { text = value.sqlLiteral(in: .script) }

  static func fromDatabaseValue(_ value: DatabaseValue) -> ScriptLiteral? { ScriptLiteral(value) }

  static func fromColumnValue(_ column: ColumnValue) -> ScriptLiteral? {
    ScriptLiteral(text: column.sqlLiteral(in: .script))
  }

  private init(text: String) { self.text = text }

  var databaseValue: DatabaseValue { text.databaseValue }
}
