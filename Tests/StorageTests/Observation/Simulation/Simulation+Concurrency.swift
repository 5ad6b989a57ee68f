import Dispatch
import Foundation
import Storage
import TestSupport

@testable import StorageTestSupport

extension Simulation {
  /// Runs transactions of both pools and of the other process at the same time.
  ///
  /// The order of their commits is unknown. Only the numbers of the values delivered meanwhile are
  /// checked; the last values are checked as always.
  func runConcurrently() throws {
    try settle()
    hasForeignCommits = true
    note("at the same time:")
    let group = DispatchGroup()
    for (pool, place) in [(world.pool, "pool"), (world.otherPool, "other pool")] {
      let work = (0..<random.number(in: 1..<5)).map { _ in
        let style = random.pick(SimulatedWriter.Style.allCases)!
        note("\(style) in \(place):")
        return (style, concurrentPlan(schemas: random.chance(30) ? ["main", "aux"] : ["main"]))
      }
      start(in: group) {
        let writer = SimulatedWriter(pool: pool, midway: {}, didRun: { _ in })
        // A write that finds the file locked is dropped.
        for (style, plan) in work { try? writer.run(plan, style) }
      }
    }
    var script: [String] = []
    for _ in 0..<random.number(in: 1..<5) {
      note("sqlite3:")
      let plan = concurrentPlan(schemas: ["main"])
      let sql = plan.steps.compactMap(\.sql)
      script +=
        random.chance(50)
        ? sql : ["BEGIN IMMEDIATE"] + sql + [plan.ending == .commit ? "COMMIT" : "ROLLBACK"]
      // A failed commit may have left a transaction open.
      script.append("ROLLBACK")
      if random.chance(20) { script.append("PRAGMA wal_checkpoint(TRUNCATE)") }
    }
    for (_, reader) in world.readers where random.chance(30) {
      start(in: group) { try? reader.quiesce() }
    }
    let sql = script.joined(separator: ";\n")
    let shell = world.shell
    start(in: group) { shell.runAndWait(sql) }
    group.wait()
    try world.oracle.noteCommit()
    try settle(afterUnknownCommits: true)
  }

  private func concurrentPlan(schemas: Set<String>) -> TransactionPlan {
    let plan = TransactionPlan.random(
      statements,
      schemas: schemas,
      allowsSchemaChanges: false,
      nextValue: nextValue,
      &random
    )
    noteSteps(plan)
    return plan
  }

  private func start(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    Thread.detachNewThread {
      body()
      group.leave()
    }
  }
}
