internal import CWellspringSQLite

/// Reads numbers that SQLite keeps of a file, several times for each commit: with statements of its own,
/// around which nothing is recorded, looked up or checked.
final class HeaderPragmas {
  private let connection: OpaquePointer
  private var dataVersionStatement: OpaquePointer?
  private var schemaVersionStatement: OpaquePointer?
  /// By their SQL.
  private var attachedStatements: [String: OpaquePointer] = [:]
  /// The versions of the schemas that were learned last.
  private var lastSchemaVersions: [Int64] = []

  init(connection: OpaquePointer) {
    self.connection = connection
  }

  /// The number that moves when another connection has committed.
  /// https://www.sqlite.org/pragma.html#pragma_data_version
  func dataVersion() throws -> Int64 {
    try read(&dataVersionStatement, "PRAGMA data_version")
  }

  /// The number that moves with each change of the schema of `main`.
  func schemaVersion() throws -> Int64 {
    try read(&schemaVersionStatement, "PRAGMA schema_version")
  }

  /// The journal mode of `main`, in lower case. It is read by a statement that runs to its end.
  func journalMode() throws -> String {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let sql = "PRAGMA main.journal_mode"
    let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    guard code == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW,
      let text = sqlite3_column_text(statement, 0)
    else { throw DatabaseError(code: code, connection: connection, sql: sql) }
    let mode = String(cString: text)
    sqlite3_step(statement)
    return mode
  }

  /// The data versions of the attached databases.
  func attachedDataVersions() throws -> [Int64] {
    try attachedNames.map { name in
      let sql = "PRAGMA \(name.quotedDatabaseIdentifier).data_version"
      return try read(&attachedStatements[sql], sql)
    }
  }

  /// The number that moves with each change of the temporary schema.
  func temporarySchemaVersion() throws -> Int64 {
    let sql = "PRAGMA temp.schema_version"
    return try read(&attachedStatements[sql], sql)
  }

  /// Reads each database of the connection, attached ones included, so that the running transaction has
  /// its snapshot of all of them. `learn` is called when some schema is another one than it learned last.
  func touchAll(learningSchemas learn: () throws -> Void) throws {
    let version = try schemaVersion()
    let names = attachedNames
    if names.isEmpty, lastSchemaVersions.count == 1, lastSchemaVersions[0] == version { return }
    let versions =
      try [version]
      + names.map { name in
        let sql = "PRAGMA \(name.quotedDatabaseIdentifier).schema_version"
        return try read(&attachedStatements[sql], sql)
      }
    guard versions != lastSchemaVersions else { return }
    try learn()
    lastSchemaVersions = versions
  }

  /// Whether databases are attached.
  var hasAttachedDatabases: Bool { sqlite3_db_name(connection, 2) != nil }

  /// The names of the attached databases.
  var attachedNames: [String] {
    var names: [String] = []
    // 0 is `main`, 1 is `temp`.
    var index: Int32 = 2
    while let name = sqlite3_db_name(connection, index) {
      names.append(String(cString: name))
      index += 1
    }
    return names
  }

  /// The paths of the attached databases that have a file.
  var attachedFiles: [String] {
    attachedNames.compactMap { name in
      guard let path = sqlite3_db_filename(connection, name) else { return nil }
      return path.pointee == 0 ? nil : String(cString: path)
    }
  }

  /// Finalizes the statements.
  func close() {
    for statement in attachedStatements.values { sqlite3_finalize(statement) }
    attachedStatements = [:]
    sqlite3_finalize(dataVersionStatement)
    sqlite3_finalize(schemaVersionStatement)
    dataVersionStatement = nil
    schemaVersionStatement = nil
  }

  private func read(_ statement: inout OpaquePointer?, _ sql: String) throws -> Int64 {
    if statement == nil {
      let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
      let code = sqlite3_prepare_v3(connection, sql, -1, flags, &statement, nil)
      guard code == SQLITE_OK else {
        throw DatabaseError(code: code, connection: connection, sql: sql)
      }
    }
    let code = sqlite3_step(statement)
    let value = sqlite3_column_int64(statement, 0)
    sqlite3_reset(statement)
    guard code == SQLITE_ROW else {
      throw DatabaseError(code: code, connection: connection, sql: sql)
    }
    return value
  }
}
