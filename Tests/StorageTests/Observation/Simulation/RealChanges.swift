import Storage

/// The rows of all tables at one moment of a transaction.
struct ContentSnapshot {
  typealias Rows = [DatabaseValue: [String: DatabaseValue]]

  fileprivate let tables: [TableReference: Rows]

  init(_ db: Database, _ schema: SimulatedSchema) throws {
    var tables: [TableReference: Rows] = [:]
    for table in schema.ordinaryTables {
      var rows: Rows = [:]
      for row in try Row.fetchAll(db, sql: "SELECT \(table.key) AS _key, * FROM \(table.sql)") {
        rows[row.databaseValue(at: 0)] = Dictionary(
          uniqueKeysWithValues: zip(row.columnNames, row.databaseValues).dropFirst()
        )
      }
      tables[table.reference] = rows
    }
    self.tables = tables
  }
}

/// The changes of a transaction, found by comparing rows: what the hooks should report.
struct RealChanges {
  private struct Table {
    var columns: Set<String> = []
    var rows: Set<Int64>? = []
    var rowsCameOrWent = false

    static let whole = Table(columns: [], rows: nil, rowsCameOrWent: true)
  }

  private var tables: [TableReference: Table] = [:]
  private var isEverything = false
  /// Whether SQLite's count of changes differs from the events of its hooks. The library then
  /// assumes that anything may have changed, even after a rollback to a savepoint.
  private var hasUnreportedRows = false

  /// Adds the changes of a statement.
  mutating func add(
    _ effect: PlannedStatement.Effect,
    from before: ContentSnapshot,
    to after: ContentSnapshot,
    _ schema: SimulatedSchema
  ) {
    switch effect {
    case .everything:
      isEverything = true
    case .rewrites(let table):
      if reachesVirtual(table, schema) { hasUnreportedRows = true }
      for table in schema.reach(of: table) { tables[table] = .whole }
    case .compared(let table):
      if reachesVirtual(table, schema) { hasUnreportedRows = true }
      for (name, old) in before.tables { compare(name, old, after.tables[name] ?? [:]) }
      // A trigger can change a row and change it back. Comparing rows does not find that.
      for table in schema.reachBeyond(table) { tables[table] = .whole }
    }
  }

  private mutating func compare(
    _ name: TableReference,
    _ old: ContentSnapshot.Rows,
    _ new: ContentSnapshot.Rows
  ) {
    guard old != new else { return }
    var table = tables[name] ?? Table()
    for key in Set(old.keys).union(new.keys) where old[key] != new[key] {
      if case .int64(let row) = key.storage { table.rows?.insert(row) }
      guard let before = old[key], let after = new[key] else {
        table.rowsCameOrWent = true
        continue
      }
      for (column, value) in before where after[column] != value { table.columns.insert(column) }
    }
    // The library does not keep this many row ids.
    if let count = table.rows?.count, count >= 1000 { table.rows = nil }
    tables[name] = table
  }

  /// Adds a statement that failed. The hooks reported the rows that it changed first, but not that
  /// SQLite undid these changes.
  mutating func addFailure() { hasUnreportedRows = true }

  // SQLite counts the changed rows of full-text indexes and R-trees, but does not report them.
  private func reachesVirtual(_ table: TableReference, _ schema: SimulatedSchema) -> Bool {
    schema.reach(of: table).contains { schema.table($0)?.isVirtual == true }
  }

  /// Restores the changes as they were at a savepoint.
  mutating func rollBack(to savepoint: RealChanges) {
    tables = savepoint.tables
    isEverything = savepoint.isEverything
  }

  /// Whether a probe may depend on something that has changed.
  func touch(_ probe: Probe, _ schema: SimulatedSchema) -> Bool {
    guard !isEverything, !hasUnreportedRows, let parts = probe.parts else { return true }
    return parts.contains { name, part in
      // A full-text index without its content may read anything.
      if schema.table(name)?.kind == .externalFullText,
        schema.table(SimulatedSchema.content)?.isOrdinary != true
      {
        return true
      }
      guard let changed = tables[name] else { return false }
      // The table may have been recreated after the probe was generated.
      let table = schema.table(name)
      var (columns, rows) = (part.columns, part.rows)
      // A query that uses an index reads all columns of the index, unless it only counts rows. A
      // generated column may read any column, and the instructions that compute it hide which row
      // is looked up.
      let readsGenerated = table?.generated.isDisjoint(with: columns ?? []) == false
      let usesIndex = table?.hasIndexes != false && !part.isCounted
      if readsGenerated || usesIndex || table?.kind == .withoutRowID {
        columns = nil
      }
      if readsGenerated || table?.kind == .withoutRowID || table?.key != part.key { rows = nil }
      if !changed.rowsCameOrWent, let columns, columns.isDisjoint(with: changed.columns) {
        return false
      }
      if let changedRows = changed.rows, let rows, rows.isDisjoint(with: changedRows) {
        return false
      }
      return true
    }
  }
}
