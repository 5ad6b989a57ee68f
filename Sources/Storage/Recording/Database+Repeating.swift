internal import CWellspringSQLite

extension Database {
  /// Runs a closure in which statements change exactly the rows that they name: without triggers,
  /// foreign keys and checks, and with access to the tables behind virtual tables.
  ///
  /// The transaction must have nothing left to check when it begins.
  ///
  /// - Throws: What `body` throws.
  package func withoutSideEffects<Result>(_ body: () throws -> Result) throws -> Result {
    let options = [
      SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_FKEY, SQLITE_DBCONFIG_DEFENSIVE,
    ]
    let outer = options.map { setOption($0, -1) }
    let checks = try Bool.fetchOne(self, sql: "PRAGMA ignore_check_constraints") ?? false
    for option in options { _ = setOption(option, 0) }
    try setChecks(ignored: true)
    defer {
      for (option, value) in zip(options, outer) { _ = setOption(option, value) }
      try? setChecks(ignored: checks)
    }
    return try body()
  }

  /// Sets whether checks are ignored, behind the back of the observations: as a statement, the
  /// pragma would count as a change of everything.
  private func setChecks(ignored: Bool) throws {
    let (code, _) = authorizer.record {
      sqlite3_exec(
        sqliteConnection,
        "PRAGMA ignore_check_constraints = \(ignored ? "ON" : "OFF")",
        nil,
        nil,
        nil
      )
    }
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: sqliteConnection) }
  }

  /// Sets an option of the connection, unless the value is negative, and returns its value.
  private func setOption(_ option: Int32, _ value: Int32) -> Int32 {
    wellspring_db_config_value(sqliteConnection, option, value)
  }

  /// How many rows the last statement has changed, without those of triggers.
  package var lastChangeCount: Int { Int(sqlite3_changes64(sqliteConnection)) }
}
