import CWellspringSQLite
import Dispatch
import Foundation
import Storage
import WellspringSystem

/// Executes planned transactions in one of the styles that application code uses.
struct SimulatedWriter {
  enum Style: Hashable, CaseIterable, Sendable {
    /// `pool.write`.
    case write
    case asyncWrite
    /// `pool.write` while a changeset is recorded, which takes the preupdate hook.
    case recording
    /// Transactions and savepoints with `inTransaction` and `inSavepoint`.
    case closures
    /// `BEGIN` and `COMMIT` as statements.
    case statements
    /// Each statement in an implicit transaction.
    case autocommit
    /// Through `sqlite3_exec` on the connection's handle.
    case rawHandle
    /// Through `sqlite3_exec`, each statement followed by a transaction that rolls back, in one
    /// call.
    case rawScript
  }

  struct Undone: Error {}

  let pool: DatabasePool
  /// Called in the middle of a transaction, in some styles.
  let midway: () -> Void
  /// Called after each statement that may have committed. `isAnnounced` is `false` where the
  /// library may announce the commit later: after statements of the raw handle.
  let didRun: (_ isAnnounced: Bool) throws -> Void

  func run(_ plan: TransactionPlan, _ style: Style) throws {
    switch style {
    case .write:
      try? pool.write { db in try Self.run(plan, db, midway: midway) }
    case .asyncWrite:
      let pool = pool
      waitFor { try? await pool.write { db in try Self.run(plan, db) } }
    case .recording:
      try? pool.write { db in _ = try db.recordChangeset { try Self.run(plan, db) } }
    case .closures:
      try? pool.writeWithoutTransaction { db in
        try db.inTransaction {
          try Self.runNested(plan.parts, db)
          if plan.ending == .error { throw Undone() }
          return plan.ending == .commit ? .commit : .rollback
        }
      }
    case .statements:
      try pool.writeWithoutTransaction { db in
        try db.execute(sql: plan.steps.count % 2 == 0 ? "BEGIN" : "BEGIN IMMEDIATE")
        try Self.runAll(plan, db, midway) { try db.execute(sql: $0) }
        end(plan) { try db.execute(sql: $0) }
        try didRun(true)
      }
    case .autocommit:
      try pool.writeWithoutTransaction { db in
        for step in plan.steps {
          try? Self.run(step, db) { sql in
            // A statement that does not run to its end commits when it is reset.
            if sql.contains("RETURNING") { return _ = try DatabaseValue.fetchOne(db, sql: sql) }
            try db.execute(sql: sql)
          }
          try didRun(true)
        }
        // If the release of the outermost savepoint failed, a transaction is still open.
        try? db.execute(sql: "ROLLBACK")
      }
    case .rawHandle:
      try pool.writeWithoutTransaction { db in
        try Self.execute("BEGIN", db)
        try Self.runAll(plan, db, midway) { try Self.execute($0, db) }
        end(plan) { try Self.execute($0, db) }
        try didRun(false)
      }
    case .rawScript:
      try pool.writeWithoutTransaction { db in
        for step in plan.steps {
          guard case .statement(let statement) = step else { continue }
          try? Self.execute("\(statement.sql); BEGIN; DELETE FROM t0; ROLLBACK", db)
          // The script may have stopped at an error.
          try? Self.execute("ROLLBACK", db)
          try didRun(false)
        }
      }
    }
    try didRun(true)
  }

  private func end(_ plan: TransactionPlan, _ execute: (String) throws -> Void) {
    if plan.ending == .commit {
      do {
        try execute("COMMIT")
      } catch {
        // A deferred foreign key made it fail. After the repairs it succeeds. The delay gives
        // observers time to run, in case the failed attempt was announced by mistake.
        Thread.sleep(forTimeInterval: 0.001)
        for sql in plan.repairs { try? execute(sql) }
        try? execute("COMMIT")
      }
    }
    try? execute("ROLLBACK")
  }

  /// Runs all steps, even if some fail.
  static func run(
    _ plan: TransactionPlan,
    _ db: Database,
    midway: () -> Void = {}
  ) throws {
    try runAll(plan, db, midway) { try db.execute(sql: $0) }
    if plan.ending != .commit { throw Undone() }
  }

  private static func runAll(
    _ plan: TransactionPlan,
    _ db: Database,
    _ midway: () -> Void,
    _ execute: (String) throws -> Void
  ) throws {
    for (index, step) in plan.steps.enumerated() {
      if index == plan.steps.count / 2 { midway() }
      try? run(step, db, execute)
    }
  }

  static func run(
    _ step: TransactionPlan.Step,
    _ db: Database,
    _ execute: (String) throws -> Void
  ) throws {
    if case .blob(let table, let column, let row, let byte) = step {
      try writeBlob(table, column, row, byte, db)
    } else if let sql = step.sql {
      try execute(sql)
    }
  }

  private static func runNested(_ parts: [TransactionPlan.Part], _ db: Database) throws {
    for part in parts {
      switch part {
      case .statement(let statement): try? db.execute(sql: statement.sql)
      case .blob(let table, let column, let row, let byte):
        try? writeBlob(table, column, row, byte, db)
      case .savepoint(_, let first, let undoFirst, let second, let undoSecond):
        try db.inSavepoint {
          try runNested(first, db)
          return undoFirst ? .rollback : .commit
        }
        try? db.inSavepoint {
          try runNested(second, db)
          if undoSecond { throw Undone() }
          return .commit
        }
      }
    }
  }

  private static func execute(_ sql: String, _ db: Database) throws {
    let code = sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil)
    if code != SQLITE_OK { throw Undone() }
  }

  private static func writeBlob(
    _ table: TableReference,
    _ column: String,
    _ row: Int64,
    _ byte: UInt8,
    _ db: Database
  ) throws {
    var blob: OpaquePointer?
    let opened = sqlite3_blob_open(
      db.sqliteConnection,
      table.schema,
      table.name,
      column,
      row,
      1,
      &blob
    )
    defer { sqlite3_blob_close(blob) }
    guard opened == SQLITE_OK,
      withUnsafeBytes(of: byte, { sqlite3_blob_write(blob, $0.baseAddress, 1, 0) }) == SQLITE_OK
    else { throw Undone() }
  }
}

/// Runs async code and blocks the calling thread until it has finished. Must not be called on a
/// thread of Swift's pool.
func waitFor(_ body: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task {
    await body()
    done.signal()
  }
  done.wait()
}
