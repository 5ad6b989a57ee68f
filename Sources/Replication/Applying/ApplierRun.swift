internal import Recording
internal import Storage

/// Repeats the items of recorded transactions on one connection, and keeps the statements.
final class ApplierRun {
  private let db: Database
  /// The tables by their names as recorded, as long as the schema stays the same.
  private var targets: [RecordedTable: ApplierTarget] = [:]
  /// The schema; `nil` after it has changed.
  private var schema: RepeatableSchema?
  private let schemaWillChange: () throws -> Void

  /// - Parameters:
  ///   - db: The connection, inside a transaction.
  ///   - schema: The present schema.
  ///   - schemaWillChange: Called before the schema changes.
  init(_ db: Database, _ schema: RepeatableSchema, _ schemaWillChange: @escaping () throws -> Void)
  {
    self.db = db
    self.schema = schema
    self.schemaWillChange = schemaWillChange
  }

  func apply(_ item: RecordedItem) throws {
    switch item {
    case .insert(let table, let rowID, let values):
      let target = try target(table)
      let key: [RecordedValue] = rowID.map { [.integer($0)] } ?? []
      try run(try target.insertion(db), key + values, table)
    case .update(let table, let key, let newRowID, let changes):
      let target = try target(table)
      let rowID: [RecordedValue] = newRowID.map { [.integer($0)] } ?? []
      let statement = try target.update(
        db,
        columns: changes.map(\.column),
        setsRowID: newRowID != nil
      )
      try run(statement, rowID + changes.map(\.value) + key.values, table)
    case .delete(let table, let key):
      try run(try target(table).deletion(db), key.values, table)
    case .schema(let sql):
      try changeSchema(sql)
    case .sequences(let names, let rows):
      try setSequences(names, rows)
    case .userVersion(let value):
      try attempt("user_version") { try db.execute(sql: "PRAGMA main.user_version = \(value)") }
    case .applicationID(let value):
      try attempt("application_id") {
        try db.execute(sql: "PRAGMA main.application_id = \(value)")
      }
    case .snapshotNeeded(let reason):
      throw Divergence.snapshotNeeded(reason: reason)
    }
  }

  private func run(
    _ statement: Statement,
    _ values: [RecordedValue],
    _ table: RecordedTable
  ) throws {
    do {
      try statement.execute(arguments: PositionalArguments(values))
    } catch let error as DatabaseError where !error.isOfMachine {
      throw Divergence.refused(step: "a row of \(table.name)", message: "\(error)")
    }
    let count = db.lastChangeCount
    guard count == 1 else { throw Divergence.rowCount(table: table.name, changed: count) }
  }

  private func attempt(_ step: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError where !error.isOfMachine {
      throw Divergence.refused(step: step, message: "\(error)")
    }
  }

  private func changeSchema(_ sql: String) throws {
    // A dropped table must not be in use.
    targets = [:]
    schema = nil
    try schemaWillChange()
    try attempt(sql) { try db.execute(sql: sql) }
  }

  private func target(_ table: RecordedTable) throws -> ApplierTarget {
    if let known = targets[table] { return known }
    let schema = try self.schema ?? db.repeatableSchema(isCommitted: false)
    self.schema = schema
    guard let found = schema.tables[table.name], found.table == table else {
      throw Divergence.table(table.name)
    }
    let target = ApplierTarget(found)
    targets[table] = target
    return target
  }

  private func setSequences(_ names: [RecordedValue]?, _ rows: [RecordedSequence]) throws {
    try attempt("sqlite_sequence") {
      if let names {
        for name in names {
          try db.execute(
            sql: "DELETE FROM main.sqlite_sequence WHERE name IS ?",
            arguments: PositionalArguments([name])
          )
        }
      } else {
        try db.execute(sql: "DELETE FROM main.sqlite_sequence")
      }
      for row in rows {
        try db.execute(
          sql: "INSERT INTO main.sqlite_sequence (rowid, name, seq) VALUES (?, ?, ?)",
          arguments: PositionalArguments([.integer(row.rowID), row.name, row.value])
        )
      }
    }
  }
}

extension DatabaseError {
  /// Whether the machine has failed, and not the step: it may succeed later.
  fileprivate var isOfMachine: Bool {
    switch resultCode.primaryResultCode {
    case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_NOMEM, .SQLITE_BUSY, .SQLITE_LOCKED,
      .SQLITE_INTERRUPT, .SQLITE_CANTOPEN:
      true
    default: false
    }
  }
}

extension RecordedKey {
  /// The values that identify the row.
  fileprivate var values: [RecordedValue] {
    switch self {
    case .rowID(let rowID): [.integer(rowID)]
    case .columns(let values): values
    }
  }
}
