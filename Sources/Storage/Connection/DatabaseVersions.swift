internal import CWellspringSQLite

/// The version of a database's schema, as one connection has seen it.
///
/// Equal versions mean equal schemas. Versions may differ without a reason: SQLite lets statements
/// expire for other reasons too.
package struct SchemaVersion: Hashable, Sendable {
  /// SQLite's number, which shows the changes of all connections. A rollback sets it back, so that
  /// two schemas may have the same number.
  package let number: Int64
  /// A number that grows whenever a change of any schema of the connection is undone.
  package let losses: Int
}

/// Reads the version numbers that SQLite keeps of each database of a connection.
///
/// They are read several times for each commit. So the statements bypass ``Statement``, its cache,
/// its recording and its checks.
package final class DatabaseVersions {
  private let connection: OpaquePointer
  private let cancellation: Cancellation
  private let attached: AttachedDatabases
  // An access to a connection has one thread, and nothing calls back while these are set.
  @exclusivity(unchecked) private var dataVersionStatement: OpaquePointer?
  @exclusivity(unchecked) private var schemaVersionStatement: OpaquePointer?
  /// The statements for `temp` and the attached databases, by their SQL.
  private var otherStatements: [String: OpaquePointer] = [:]
  /// The schema versions of `main` and the attached databases when the schemas were last read.
  private var lastSchemaVersions: [SchemaVersion] = []
  /// How often the schema may have been set back without a sign of SQLite.
  @exclusivity(unchecked) private var unseenLosses = 0
  /// Whether the running transaction may be rolled back without a sign of SQLite.
  @exclusivity(unchecked) private var missesLosses = false

  init(connection: OpaquePointer, cancellation: Cancellation) {
    self.connection = connection
    self.cancellation = cancellation
    attached = AttachedDatabases(connection: connection)
  }

  /// Returns the data version of `main`, which changes when another connection has committed.
  /// https://www.sqlite.org/pragma.html#pragma_data_version
  package func dataVersion() throws -> Int64 {
    try read(prepare(&dataVersionStatement, "PRAGMA data_version"))
  }

  /// Returns the data versions of the attached databases.
  func attachedDataVersions() throws -> [Int64] {
    try attached.names.map { name in
      let sql = "PRAGMA \(name.quotedDatabaseIdentifier).data_version"
      return try read(prepare(&otherStatements[sql], sql))
    }
  }

  /// Returns the number of the schema of `main` in its file, which grows with each change. A
  /// rollback sets it back, and another change may reach the same number again.
  package func schemaNumber() throws -> Int64 {
    try read(prepare(&schemaVersionStatement, "PRAGMA schema_version"))
  }

  /// Returns the schema version of `main`.
  package func schemaVersion() throws -> SchemaVersion {
    try version(prepare(&schemaVersionStatement, "PRAGMA schema_version"))
  }

  /// Returns the schema version of a database, such as `temp`.
  package func schemaVersion(of name: String) throws -> SchemaVersion {
    if name == "main" { return try schemaVersion() }
    let sql = "PRAGMA \(name.quotedDatabaseIdentifier).schema_version"
    return try version(prepare(&otherStatements[sql], sql))
  }

  /// Returns the schema version of `temp`.
  package func temporarySchemaVersion() throws -> SchemaVersion { try schemaVersion(of: "temp") }

  /// Returns the schema versions of all databases, by their names in lower case.
  func schemaVersions() throws -> [String: SchemaVersion] {
    try attachedSchemaVersions().merging(
      ["main": try schemaVersion(), "temp": try temporarySchemaVersion()]
    ) { $1 }
  }

  /// Returns the schema versions of the attached databases, by their names in lower case.
  func attachedSchemaVersions() throws -> [String: SchemaVersion] {
    var versions: [String: SchemaVersion] = [:]
    for name in attached.names { versions[name.asciiLowercased] = try schemaVersion(of: name) }
    return versions
  }

  /// Notes an `ATTACH` that has failed, or a pragma that sets the number. After such a statement,
  /// the schemas may have changed without a change of the numbers, and SQLite may not notice that a
  /// rollback changes them.
  func schemasMayHaveBeenReset() {
    unseenLosses += 1
    missesLosses = sqlite3_get_autocommit(connection) == 0
  }

  /// Reads the schema versions of `main` and the attached databases, so that the running
  /// transaction has its snapshot of all of them. Calls `readSchemas` when one has changed since
  /// its last call.
  func takeSnapshots(onSchemaChange readSchemas: () throws -> Void) throws {
    let version = try schemaVersion()
    let names = attached.names
    if names.isEmpty, lastSchemaVersions.count == 1, lastSchemaVersions[0] == version { return }
    let versions = try [version] + names.map(schemaVersion(of:))
    guard versions != lastSchemaVersions else { return }
    try readSchemas()
    // The closure may let all statements expire, which changes the versions.
    lastSchemaVersions = try [schemaVersion()] + names.map(schemaVersion(of:))
  }

  /// Returns whether a statement is one of the statements that read versions.
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

  /// Returns the number that a statement reads, with the number of losses.
  ///
  /// When SQLite undoes a change of any schema, it lets all statements of the connection expire,
  /// and compiles them again when they run.
  private func version(_ statement: OpaquePointer) throws -> SchemaVersion {
    let number = try read(statement)
    if missesLosses {
      unseenLosses += 1
      missesLosses = sqlite3_get_autocommit(connection) == 0
    }
    let losses = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0)
    return SchemaVersion(number: number, losses: Int(losses) + unseenLosses)
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

  /// Throws the error of the cancellation if that has stopped SQLite, or its wait for a lock.
  private func checkInterruption(_ code: Int32) throws {
    if [SQLITE_INTERRUPT, SQLITE_BUSY].contains(code & 0xFF) { try cancellation.check() }
  }
}

extension Database {
  /// Returns those numbers in the file headers of all databases of the connection that a statement
  /// can change without changing a row.
  func headerNumbers() throws -> [Int64] {
    try (["main"] + attached.names).flatMap { name in
      try ["schema_version", "user_version", "application_id"].map { number in
        try Int64.fetchOne(self, sql: "PRAGMA \(name.quotedDatabaseIdentifier).\(number)") ?? 0
      }
    }
  }
}
