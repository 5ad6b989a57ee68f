import Storage

/// The rows of all tables at one moment of a transaction.
struct ContentSnapshot {
  typealias Rows = [DatabaseValue: [String: DatabaseValue]]

  fileprivate let tables: [TableReference: Rows]
  /// The keys of the rows that meet conditions, by table and condition.
  fileprivate let matching: [TableReference: [String: Set<DatabaseValue>]]

  /// Reads the rows.
  ///
  /// - Parameters:
  ///   - db: The connection of the transaction.
  ///   - schema: The tables.
  ///   - conditions: Conditions, by table. SQLite says which rows meet them.
  /// - Throws: The error of a query.
  init(
    _ db: Database,
    _ schema: SimulatedSchema,
    _ conditions: [TableReference: Set<String>]
  ) throws {
    var matching: [TableReference: [String: Set<DatabaseValue>]] = [:]
    var tables: [TableReference: Rows] = [:]
    for table in schema.ordinaryTables {
      var rows: Rows = [:]
      for row in try Row.fetchAll(db, sql: "SELECT \(table.key) AS _key, * FROM \(table.sql)") {
        rows[row.databaseValue(at: 0)] = Dictionary(
          uniqueKeysWithValues: zip(row.columnNames, row.databaseValues).dropFirst()
        )
      }
      tables[table.reference] = rows
      for condition in conditions[table.reference] ?? [] {
        // The table may have been made again without a column.
        let keys = try? DatabaseValue.fetchAll(
          db,
          sql: "SELECT \(table.key) FROM \(table.sql) WHERE \(condition)"
        )
        matching[table.reference, default: [:]][condition] = keys.map { Set($0) }
      }
    }
    self.tables = tables
    self.matching = matching
  }
}

/// The changes of a transaction, found by comparing rows. The hooks should report them.
struct RealChanges {
  private struct Table {
    var columns: Set<String> = []
    var rows: Set<Int64>? = []
    var rowsCameOrWent = false
    /// How many changes of rows there were; `nil` if any row may have changed.
    var count: Int? = 0
    /// The conditions that a changed row meets before or after its change.
    var conditions: Set<String> = []

    static let whole = Table(columns: [], rows: nil, rowsCameOrWent: true, count: nil)

    /// Whether no changed row meets a condition.
    func excludes(_ condition: String) -> Bool {
      // The library does not read the values of this many rows. The hooks report some rows more
      // often than they change.
      (count.map { $0 < 400 } ?? false) && !conditions.contains(condition)
    }
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
      for (name, old) in before.tables {
        let new = after.tables[name] ?? [:]
        compare(name, old, new)
        noteConditions(name, before, after) { old[$0] != new[$0] }
      }
      // A trigger can change a row and change it back. Comparing rows does not find that.
      for table in schema.reachBeyond(table) { tables[table] = .whole }
    }
  }

  private mutating func noteConditions(
    _ name: TableReference,
    _ before: ContentSnapshot,
    _ after: ContentSnapshot,
    _ hasChanged: (DatabaseValue) -> Bool
  ) {
    let conditions = (before.matching[name] ?? [:]).merging(after.matching[name] ?? [:]) {
      $0.union($1)
    }
    for (condition, keys) in conditions where keys.contains(where: hasChanged) {
      tables[name, default: Table()].conditions.insert(condition)
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
      table.count? += 1
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
  ///
  /// - Parameters:
  ///   - probe: The probe.
  ///   - schema: The tables.
  ///   - argumentsAreConstant: Whether the library knows that all runs have the same arguments.
  ///     Otherwise, the bounds of ranges do not count.
  /// - Returns: Whether it must run again.
  func touch(
    _ probe: Probe,
    _ schema: SimulatedSchema,
    argumentsAreConstant: Bool
  ) -> Bool {
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
      // Without row ids, an index leads to rows by their keys, which may be the keys of other rows.
      if let condition = part.condition, argumentsAreConstant || !condition.isRange, let table,
        !table.hidesValues, table.kind != .withoutRowID || !table.hasIndexes,
        table.kind == .keyed || !condition.hasPrefix("\(table.key) "), changed.excludes(condition)
      {
        return false
      }
      return true
    }
  }
}

extension String {
  /// Whether a condition compares by more than equality.
  fileprivate var isRange: Bool { contains { "<>".contains($0) } || contains("BETWEEN") }
}
