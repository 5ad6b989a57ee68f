import Foundation
import Storage
import TestSupport

@testable import StorageTestSupport

extension Simulation {
  var statements: StatementGenerator {
    let lookedUp = observers.flatMap { observer in
      (observer.probe.parts ?? [:]).filter { $0.value.rows != nil }.keys
    }
    return StatementGenerator(schema: world.schema, lookedUp: lookedUp)
  }

  func runTransaction(in pool: DatabasePool, _ place: String) throws {
    let schemas: Set<String> = place == "pool" && random.chance(20) ? ["main", "aux"] : ["main"]
    let plan = TransactionPlan.random(
      statements,
      schemas: schemas,
      allowsSchemaChanges: true,
      isShort: random.chance(25),
      nextValue: nextValue,
      &random
    )
    let style = random.pick(SimulatedWriter.Style.allCases)!
    note("\(style) in \(place), \(plan.ending):")
    noteSteps(plan)
    let oracle = world.oracle
    let addsObserver = random.chance(50)
    let writer = SimulatedWriter(pool: pool) {
      guard addsObserver else { return }
      if self.observers.count >= self.world.maximumObservers { self.cancelObserver() }
      self.startObserver(of: plan.tables)
    } didRun: { isAnnounced in
      try oracle.noteCommit(isAnnounced: isAnnounced)
    }
    try writer.run(plan, style)
    try didRun(plan)
  }

  func noteSteps(_ plan: TransactionPlan) {
    step += plan.steps.count
    counts.transactions += 1
    // A pause now and then lets observers catch up, so that they don't only see coalesced commits.
    if random.chance(30) { Thread.sleep(forTimeInterval: 0.0005) }
    for part in plan.steps { note("  \(part.sql ?? "\(part)")") }
  }

  private func didRun(_ plan: TransactionPlan) throws {
    let changesSchema = plan.steps.contains { step in
      if case .statement(let statement) = step { statement.effect == .everything } else { false }
    }
    if changesSchema { try world.reloadSchema() }
  }

  func runInShell() throws {
    let plan = TransactionPlan.random(
      statements,
      allowsSchemaChanges: true,
      nextValue: nextValue,
      &random
    )
    hasForeignCommits = true
    let isTransaction = random.chance(60)
    note("sqlite3\(isTransaction ? ", one transaction, \(plan.ending)" : ""):")
    noteSteps(plan)
    let sql = plan.steps.compactMap(\.sql)
    if isTransaction {
      let end = plan.ending == .commit ? ["COMMIT", "ROLLBACK"] : ["ROLLBACK"]
      world.shell.runAndWait((["BEGIN"] + sql + end).joined(separator: ";\n"))
      try world.oracle.noteCommit()
    } else {
      for statement in sql {
        world.shell.runAndWait(statement)
        try world.oracle.noteCommit()
      }
      // If the release of the outermost savepoint failed, a transaction is still open.
      world.shell.runAndWait("ROLLBACK")
    }
    try didRun(plan)
  }

  /// Runs a maintenance statement, which changes no row or hardly any.
  func maintain() throws {
    let sql = random.pick([
      "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", "REINDEX",
      world.isAnalyzed ? "ANALYZE" : "REINDEX",
    ])!
    note(sql)
    hasForeignCommits = true
    try world.pool.writeWithoutTransaction { db in try? db.execute(sql: sql) }
    try world.oracle.noteCommit()
  }
}
