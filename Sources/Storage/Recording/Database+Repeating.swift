internal import CWellspringSQLite

extension Database {
  /// Runs a closure in which statements change exactly the rows that they name: without triggers,
  /// foreign keys and checks, and with access to the tables behind virtual tables.
  ///
  /// The transaction must have nothing left to check when it begins.
  ///
  /// - Parameters:
  ///   - schema: The present schema. What it has no use for is left as it is, because each change
  ///     of an option makes SQLite compile all statements again.
  ///   - body: Calls its argument before it changes the schema.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  package func withoutSideEffects<Result>(
    of schema: RepeatableSchema,
    _ body: (_ schemaWillChange: () throws -> Void) throws -> Result
  ) throws -> Result {
    var outer: [(option: Int32, value: Int32)] = []
    var checks: Bool?
    func avoid(_ effects: Set<SideEffect>) throws {
      for effect in effects {
        switch effect {
        case .triggers: avoid(SQLITE_DBCONFIG_ENABLE_TRIGGER)
        case .foreignKeys: avoid(SQLITE_DBCONFIG_ENABLE_FKEY)
        case .protection: avoid(SQLITE_DBCONFIG_DEFENSIVE)
        case .checks:
          guard checks == nil else { break }
          checks = try Bool.fetchOne(self, sql: "PRAGMA ignore_check_constraints") ?? false
          try setChecks(ignored: true)
        }
      }
    }
    func avoid(_ option: Int32) {
      guard !outer.contains(where: { $0.option == option }) else { return }
      outer.append((option, setOption(option, -1)))
      _ = setOption(option, 0)
    }
    defer {
      for (option, value) in outer { _ = setOption(option, value) }
      if let checks { try? setChecks(ignored: checks) }
    }
    try avoid(schema.sideEffects)
    return try body { try avoid(Set(SideEffect.allCases)) }
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
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Sets an option of the connection, unless the value is negative, and returns its value.
  private func setOption(_ option: Int32, _ value: Int32) -> Int32 {
    wellspring_db_config_value(sqliteConnection, option, value)
  }

  /// How many rows the last statement has changed, without those of triggers.
  package var lastChangeCount: Int { Int(sqlite3_changes64(sqliteConnection)) }
}
