import Storage

extension Simulation {
  /// Runs one transaction while all is quiet, and checks that no probe is run that it does not touch.
  func runPrecisely() throws {
    try settle()
    let schema = world.schema
    let plan = TransactionPlan.random(
      statements,
      allowsSchemaChanges: false,
      isShort: random.chance(75),
      nextValue: nextValue,
      &random
    )
    note("precisely, \(plan.ending):")
    noteSteps(plan)
    let watched = observers.filter { observer in
      // A query that fails is tried again now and then; and other pools take a change of the file
      // that they cannot explain for one of another process.
      if observer.place == "pool", case .rows = observer.last { true } else { false }
    }
    let before = watched.map { (fetches: $0.fetches, explanation: $0.explanation) }
    // A transaction that fails, perhaps in its commit, changes nothing.
    let committed = try? world.pool.write { db in
      let changes = try runComparing(plan, schema, db)
      if plan.ending != .commit { throw SimulatedWriter.Undone() }
      return changes
    }
    let changes = committed ?? RealChanges()
    try world.oracle.noteCommit()
    try settle()
    for (observer, before) in zip(watched, before)
    where !changes.touch(observer.probe, schema) {
      guard observer.fetches == before.fetches else {
        throw SimulationFailure(
          """
          \(observer) was run \(observer.fetches - before.fetches) times, though nothing it reads changed.
          Before, it \(before.explanation.map { "\($0)" } ?? "had not begun")
          Now, it \(observer.explanation.map { "\($0)" } ?? "has ended")
          """
        )
      }
      counts.precise += 1
    }
  }

  private func runComparing(
    _ plan: TransactionPlan,
    _ schema: SimulatedSchema,
    _ db: Database
  ) throws -> RealChanges {
    var changes = RealChanges()
    var savepoints: [(name: String, changes: RealChanges)] = []
    var content = try ContentSnapshot(db, schema)
    for step in plan.steps {
      var hasFailed = false
      do {
        try SimulatedWriter.run(step, db) { try db.execute(sql: $0) }
      } catch {
        hasFailed = true
      }
      let after = try ContentSnapshot(db, schema)
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
