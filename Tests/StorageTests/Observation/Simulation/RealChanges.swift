import Storage

/// The rows of all tables at some moment of a transaction.
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

/// What a transaction has changed, found by comparing rows: what the hooks should have told.
struct RealChanges {
  private struct Table {
    var columns: Set<String> = []
    var rows: Set<Int64>? = []
    var rowsCameOrWent = false

    static let whole = Table(columns: [], rows: nil, rowsCameOrWent: true)
  }

  private var tables: [TableReference: Table] = [:]
  private var isEverything = false
  /// Whether SQLite's count of changes differs from what its hooks told: then anything may have
  /// changed, even if that is undone by a savepoint.
  private var hasUnreportedRows = false

  /// Adds what a statement has changed.
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
      // Triggers can change a row and change it back, which no comparison finds.
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
    // So many are not kept.
    if let count = table.rows?.count, count >= 1000 { table.rows = nil }
    tables[name] = table
  }

  /// Adds a statement that failed. The rows that it changed first were reported, and their undoing
  /// was not.
  mutating func addFailure() { hasUnreportedRows = true }

  // The rows of full-text indexes and R-trees are counted and not reported.
  private func reachesVirtual(_ table: TableReference, _ schema: SimulatedSchema) -> Bool {
    schema.reach(of: table).contains { schema.table($0)?.isVirtual == true }
  }

  /// Goes back to what had changed at a savepoint.
  mutating func rollBack(to savepoint: RealChanges) {
    tables = savepoint.tables
    isEverything = savepoint.isEverything
  }

  /// Whether a probe may depend on something that has changed.
  func touch(_ probe: Probe, _ schema: SimulatedSchema) -> Bool {
    guard !isEverything, !hasUnreportedRows, let parts = probe.parts else { return true }
    return parts.contains { name, part in
      guard let changed = tables[name] else { return false }
      // The table may have been made anew since the probe was.
      let table = schema.table(name)
      var (columns, rows) = (part.columns, part.rows)
      // An index that helps to find rows is read with all of its columns, and a generated column
      // stands for any, computed by instructions that hide which row is looked up.
      let readsGenerated = table?.generated.isDisjoint(with: columns ?? []) == false
      if readsGenerated || table?.hasIndexes != false || table?.kind == .withoutRowID {
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
