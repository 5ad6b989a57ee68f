import Storage
import TestSupport

@testable import StorageTestSupport

extension Simulation {
  /// Runs one transaction while nothing else is under way, and checks that only the probes that it
  /// touches run again.
  func runPrecisely() throws {
    try settle()
    let schema = world.schema
    let plan = preciseTransaction("precisely")
    let watched = observers.filter { observer in
      // A failing query is retried from time to time, and other pools take a change of the file
      // that they cannot explain for a foreign commit.
      if observer.place == "pool", case .rows = observer.last { true } else { false }
    }
    let before = watched.map { observer in
      (
        fetches: observer.fetches, explanation: observer.explanation,
        deliveries: observer.deliveries, outcome: world.oracle.expectation(of: observer)
      )
    }
    let conditions = Self.conditions(of: watched.map(\.probe))
    // A transaction that fails changes nothing, even if only its commit fails.
    let committed = try? world.pool.write { db in
      let changes = try runComparing(plan, schema, conditions, db)
      if plan.ending != .commit { throw SimulatedWriter.Undone() }
      return changes
    }
    let changes = committed ?? RealChanges()
    try world.oracle.noteCommit()
    try settle()
    for (observer, before) in zip(watched, before) where observer.probe.isNumber {
      guard world.oracle.expectation(of: observer) == before.outcome,
        observer.deliveries != before.deliveries
      else { continue }
      throw SimulationFailure("\(observer) received a value that is equal to the one before")
    }
    for (observer, before) in zip(watched, before)
    where !changes.touch(observer.probe, schema, argumentsAreConstant: observer.isShared) {
      guard observer.fetches == before.fetches else {
        throw SimulationFailure(
          """
          \(observer) ran \(observer.fetches - before.fetches) times, but nothing it reads changed.
          Before, it \(before.explanation.map { "\($0)" } ?? "had not begun")
          Now, it \(observer.explanation.map { "\($0)" } ?? "has ended")
          """
        )
      }
      counts.precise += 1
    }
  }

  /// Runs one transaction of another process while nothing else is under way. Checks that a probe
  /// runs again only if it reads a table that the transaction may change.
  func runInShellPrecisely() throws {
    try settle()
    let plan = preciseTransaction("sqlite3, precisely")
    let schema = world.schema
    let reached = Set(plan.tables.flatMap(schema.reach))
    let others = Set(schema.ordinaryTables.map(\.reference)).subtracting(reached)
    let watched = observers.filter { observer in
      guard observer.place == "pool", case .rows = observer.last, let parts = observer.probe.parts
      else { return false }
      return others.isSuperset(of: parts.keys)
    }
    let before = watched.map(\.fetches)
    let unread = world.pool.observationStatistics.unreadForeignCommits
    hasForeignCommits = true
    let end = plan.ending == .commit ? ["COMMIT", "ROLLBACK"] : ["ROLLBACK"]
    let sql = plan.steps.compactMap(\.sql)
    world.shell.runAndWait((["BEGIN"] + sql + end).joined(separator: ";\n"))
    try world.oracle.noteCommit()
    try settle()
    // It is counted why the rows of a commit are not known.
    guard world.pool.observationStatistics.unreadForeignCommits == unread else { return }
    for (observer, before) in zip(watched, before) {
      guard observer.fetches == before else {
        throw SimulationFailure("\(observer) ran, but another process changed other tables only")
      }
      counts.preciseForeign += 1
    }
  }

  /// Makes and notes a transaction that does not change the schema.
  private func preciseTransaction(_ place: String) -> TransactionPlan {
    let plan = TransactionPlan.random(
      statements,
      allowsSchemaChanges: false,
      isShort: random.chance(75),
      nextValue: nextValue,
      &random
    )
    note("\(place), \(plan.ending):")
    noteSteps(plan)
    return plan
  }

  private static func conditions(of probes: [Probe]) -> [TableReference: Set<String>] {
    probes.reduce(into: [:]) { conditions, probe in
      for (table, part) in probe.parts ?? [:] {
        if let condition = part.condition { conditions[table, default: []].insert(condition) }
      }
    }
  }

  private func runComparing(
    _ plan: TransactionPlan,
    _ schema: SimulatedSchema,
    _ conditions: [TableReference: Set<String>],
    _ db: Database
  ) throws -> RealChanges {
    var changes = RealChanges()
    var savepoints: [(name: String, changes: RealChanges)] = []
    var content = try ContentSnapshot(db, schema, conditions)
    for step in plan.steps {
      var hasFailed = false
      do {
        try SimulatedWriter.run(step, db) { try db.execute(sql: $0) }
      } catch {
        hasFailed = true
      }
      let after = try ContentSnapshot(db, schema, conditions)
      switch step {
      case .statement where hasFailed, .blob where hasFailed:
        changes.addFailure()
      case .statement(let statement):
        changes.add(statement.effect, from: content, to: after, schema)
      case .blob(let table, _, _, _):
        changes.add(.rewrites(table), from: content, to: after, schema)
      case .begin(let name): savepoints.append((name, changes))
      case .release(let name):
        if let index = savepoints.lastIndex(where: { $0.name == name }), !hasFailed {
          savepoints.removeSubrange(index...)
        }
      case .rollBack(let name):
        if let index = savepoints.lastIndex(where: { $0.name == name }), !hasFailed {
          changes.rollBack(to: savepoints[index].changes)
          savepoints.removeSubrange((index + 1)...)
        }
      }
      content = after
    }
    return changes
  }
}
