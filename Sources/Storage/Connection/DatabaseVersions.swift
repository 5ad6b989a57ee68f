internal import CWellspringSQLite

/// Reads the version numbers that SQLite keeps of each database of a connection.
///
/// They are read several times for each commit. So the statements bypass ``Statement``, its cache,
/// its recording and its checks.
final class DatabaseVersions {
  private let connection: OpaquePointer
  private let cancellation: Cancellation
  private let attached: AttachedDatabases
  // An access to a connection has one thread, and nothing calls back while these are set.
  @exclusivity(unchecked) private var dataVersionStatement: OpaquePointer?
  @exclusivity(unchecked) private var schemaVersionStatement: OpaquePointer?
  /// The statements for `temp` and the attached databases, by their SQL.
  private var otherStatements: [String: OpaquePointer] = [:]
  /// The schema versions of `main` and the attached databases when the schemas were last read.
  private var lastSchemaVersions: [Int64] = []

  init(connection: OpaquePointer, cancellation: Cancellation) {
    self.connection = connection
    self.cancellation = cancellation
    attached = AttachedDatabases(connection: connection)
  }

  /// Returns the data version of `main`, which changes when another connection has committed.
  /// https://www.sqlite.org/pragma.html#pragma_data_version
  func dataVersion() throws -> Int64 {
    try read(prepare(&dataVersionStatement, "PRAGMA data_version"))
  }

  /// Returns the data versions of the attached databases.
  func attachedDataVersions() throws -> [Int64] {
    try attached.names.map { name in
      let sql = "PRAGMA \(name.quotedDatabaseIdentifier).data_version"
      return try read(prepare(&otherStatements[sql], sql))
    }
  }

  /// Returns the schema version of `main`, which changes with each change of its schema.
  func schemaVersion() throws -> Int64 {
    try read(prepare(&schemaVersionStatement, "PRAGMA schema_version"))
  }

  /// Returns the schema version of `temp`, which changes with each change of the temporary schema.
  func temporarySchemaVersion() throws -> Int64 {
    let sql = "PRAGMA temp.schema_version"
    return try read(prepare(&otherStatements[sql], sql))
  }

  /// Reads the schema versions of `main` and the attached databases, so that the running
  /// transaction has its snapshot of all of them. Calls `readSchemas` when one has changed since
  /// its last call.
  func takeSnapshots(onSchemaChange readSchemas: () throws -> Void) throws {
    let version = try schemaVersion()
    let names = attached.names
    if names.isEmpty, lastSchemaVersions.count == 1, lastSchemaVersions[0] == version { return }
    let versions =
      try [version]
      + names.map { name in
        let sql = "PRAGMA \(name.quotedDatabaseIdentifier).schema_version"
        return try read(prepare(&otherStatements[sql], sql))
      }
    guard versions != lastSchemaVersions else { return }
    try readSchemas()
    lastSchemaVersions = versions
  }

  /// Returns whether a statement is one of those that read versions.
  func owns(_ statement: OpaquePointer) -> Bool {
    statement == schemaVersionStatement || statement == dataVersionStatement
      || otherStatements.values.contains(statement)
  }

  /// Finalizes the statements.
  func close() {
    for statement in otherStatements.values { sqlite3_finalize(statement) }
    otherStatements = [:]
    sqlite3_finalize(dataVersionStatement)
    sqlite3_finalize(schemaVersionStatement)
    dataVersionStatement = nil
    schemaVersionStatement = nil
  }

  /// Returns a statement, and compiles it unless it was compiled before.
  private func prepare(_ statement: inout OpaquePointer?, _ sql: String) throws -> OpaquePointer {
    if let statement { return statement }
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = sqlite3_prepare_v3(connection, sql, -1, flags, &statement, nil)
    guard code == SQLITE_OK, let statement else {
      try checkInterruption(code)
      throw DatabaseError(code: code, connection: connection, sql: sql)
    }
    return statement
  }

  // While the statement runs, a tracer may ask for it: no access to a property is under way.
  private func read(_ statement: OpaquePointer) throws -> Int64 {
    let code = sqlite3_step(statement)
    let value = sqlite3_column_int64(statement, 0)
    sqlite3_reset(statement)
    guard code == SQLITE_ROW else {
      try checkInterruption(code)
      let sql = sqlite3_sql(statement).map { String(cString: $0) }
      throw DatabaseError(code: code, connection: connection, sql: sql)
    }
    return value
  }

  /// Throws the error of the cancellation if that has stopped SQLite.
  private func checkInterruption(_ code: Int32) throws {
    if code & 0xFF == SQLITE_INTERRUPT { try cancellation.check() }
  }
}
