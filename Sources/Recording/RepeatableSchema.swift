internal import CWellspringSQLite
package import Storage

/// The properties of a schema that repeating recorded transactions needs. They are kept while the
/// schema stays the same.
package final class RepeatableSchema {
  /// The numbers of the schemas of `main` and `temp`. The losses of a ``SchemaVersion`` grow with
  /// each change of an option, and so with each repeated transaction.
  fileprivate let versions: [Int64]
  /// The tables by their names.
  package let tables: [String: RecordableTable]
  /// The effects that the schema may add to a statement.
  let sideEffects: Set<SideEffect>

  fileprivate init(_ db: Database, versions: [Int64]) throws {
    self.versions = versions
    tables = Dictionary(try RecordableTable.all(db).map { ($0.name, $0) }) { first, _ in first }
    let found = try Row.fetchOne(
      db,
      sql: """
        SELECT total(type = 'trigger'), total(sql LIKE '%REFERENCES%'),
          total(sql LIKE 'CREATE VIRTUAL%'), total(sql LIKE '%CHECK%')
        FROM (SELECT type, sql FROM main.sqlite_schema
          UNION ALL SELECT type, sql FROM temp.sqlite_schema)
        """
    )
    sideEffects = Set(
      SideEffect.allCases.enumerated().filter { found?[$0.offset] as Double? != 0 }.map(\.element)
    )
  }
}

/// Effects that a statement's text does not name, or that prevent a named effect.
enum SideEffect: CaseIterable {
  // The order is that of the query above.
  case triggers, foreignKeys, protection, checks
}

extension Database {
  /// Returns the properties of the schema that repeating needs.
  ///
  /// - Parameter isCommitted: Whether the running transaction has not changed the schema. Otherwise
  ///   the schema is not kept, because another one may get the same version after a rollback.
  /// - Returns: The schema.
  /// - Throws: ``DatabaseError``.
  package func repeatableSchema(isCommitted: Bool) throws -> RepeatableSchema {
    let current = try [versions.schemaNumber(), versions.temporarySchemaVersion().number]
    if isCommitted, let known = knownSchemaToRepeat as? RepeatableSchema,
      known.versions == current
    {
      return known
    }
    let schema = try RepeatableSchema(self, versions: current)
    knownSchemaToRepeat = isCommitted ? schema : nil
    return schema
  }
}

extension Database {
  /// Runs a closure in which statements change exactly the rows that they name: without triggers,
  /// foreign keys and checks, and with access to the tables behind virtual tables.
  ///
  /// The transaction must have nothing left to check when it begins.
  ///
  /// - Parameters:
  ///   - schema: The present schema. Options that do not matter for it stay as they are, because
  ///     each change of an option makes SQLite compile all statements again.
  ///   - body: Calls its argument before it changes the schema.
  /// - Returns: The result of `body`.
  /// - Throws: The errors of `body`.
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

  /// How many rows the last statement has changed, without changes by triggers.
  package var lastChangeCount: Int { Int(sqlite3_changes64(sqliteConnection)) }
}
