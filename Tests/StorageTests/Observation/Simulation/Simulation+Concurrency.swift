import Dispatch
import Foundation
import Storage

extension Simulation {
  /// Has both pools and the other process make transactions at the same time.
  ///
  /// Nobody knows then which commit came when: what observers are shown meanwhile is checked by its numbers
  /// only, and what they are shown last as ever.
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
        // A write that finds the file locked is given up.
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
      // What may have been left open by a commit that failed.
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
