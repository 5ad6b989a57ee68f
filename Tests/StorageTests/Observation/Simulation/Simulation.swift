import Foundation
import Storage

/// Runs random transactions under random observations, and checks what observers are shown.
///
/// A seed determines all that is done, but for what threads make of it. One thread acts; the
/// observations run on threads of their own, and are waited for now and then only.
final class Simulation {
  /// How many steps one database lives.
  private static let stepsPerWorld = 1000
  private static let maximumObservers = 10
  private static let patience: Duration = .seconds(60)

  private let seed: UInt64
  private let steps: Int
  private var random: SeededGenerator
  private var world: SimulatedWorld
  private var observers: [SimulatedObserver] = []
  private var step = 0
  private var lastValue = 100
  private var lastObserver = 0
  /// Whether another process has committed since all was quiet last.
  private var hasForeignCommits = false
  private var log: [String] = []
  /// What was done, for the report.
  private(set) var counts = Counts()

  struct Counts {
    var transactions = 0
    var commits = 0
    var deliveries = 0
    var observers = 0
    var precise = 0
    /// The action that took longest, by the step after it.
    var slowest: (duration: Duration, step: Int) = (.zero, 0)
  }

  init(seed: UInt64, steps: Int) throws {
    self.seed = seed
    self.steps = steps
    random = SeededGenerator(seed: seed)
    world = try SimulatedWorld(&random)
  }

  /// Runs all steps.
  ///
  /// - Throws: ``SimulationFailure``, with the seed and what was done last.
  func run() throws {
    do {
      var stepOfNextWorld = Self.stepsPerWorld
      while step < steps {
        let start = ContinuousClock.now
        try act()
        let duration = ContinuousClock.now - start
        if duration > counts.slowest.duration { counts.slowest = (duration, step) }
        if step >= stepOfNextWorld {
          stepOfNextWorld = step + Self.stepsPerWorld
          try replaceWorld()
        }
      }
      try endWorld()
    } catch {
      throw SimulationFailure(
        """
        seed \(seed), step \(step): \(error)
        the last steps were:
        \(log.suffix(60).joined(separator: "\n"))
        """
      )
    }
  }

  private func note(_ line: @autoclosure () -> String) {
    log.append("\(step): \(line())")
    if log.count > 400 { log.removeFirst(200) }
  }

  private func act() throws {
    step += 1
    switch random.number(in: 0..<100) {
    case 0..<10: startObserver()
    case 10..<14: cancelObserver()
    case 14..<17: random.pick(observers)?.pause()
    case 17..<19: random.pick(observers)?.resume()
    case 19..<21: try maintain()
    case 21..<28: try settle()
    case 28..<36: try runPrecisely()
    case 36..<48: try runInShell()
    case 48..<64: try runTransaction(in: world.otherPool, "other pool")
    default: try runTransaction(in: world.pool, "pool")
    }
  }

  private func nextValue() -> Int {
    lastValue += 1
    return lastValue
  }

  // MARK: Observers

  private func startObserver() {
    guard observers.count < Self.maximumObservers else { return cancelObserver() }
    let (place, reader) = world.readers[random.pick(weighted: [0: 6, 1: 2, 2: 2])]
    let schemas: Set<String> = place == "watcher" ? ["main"] : ["main", "aux"]
    lastObserver += 1
    let observer = SimulatedObserver(
      id: lastObserver,
      probe: ProbeGenerator(schema: world.schema, schemas: schemas).probe(&random),
      reader: reader,
      place: place,
      mode: random.pick(SimulatedObserver.Mode.allCases)!
    )
    note("start \(observer)")
    counts.observers += 1
    world.oracle.add(observer)
    observer.start()
    observers.append(observer)
  }

  private func cancelObserver() {
    guard let index = observers.indices.randomElement(using: &random) else { return }
    cancelObserver(at: index)
  }

  private func cancelObserver(at index: Int) {
    let observer = observers.remove(at: index)
    note("cancel observer \(observer.id)")
    observer.cancel()
    world.oracle.remove(observer)
  }

  // MARK: Changes

  private var statements: StatementGenerator { StatementGenerator(schema: world.schema) }

  private func runTransaction(in pool: DatabasePool, _ place: String) throws {
    let schemas: Set<String> = place == "pool" && random.chance(20) ? ["main", "aux"] : ["main"]
    let plan = TransactionPlan.random(
      statements,
      schemas: schemas,
      allowsSchemaChanges: true,
      nextValue: nextValue,
      &random
    )
    let style = random.pick(SimulatedWriter.Style.allCases)!
    note("\(style) in \(place), \(plan.ending):")
    noteSteps(plan)
    let oracle = world.oracle
    try SimulatedWriter(pool: pool, didRun: { try oracle.noteCommit() }).run(plan, style)
    try didRun(plan)
  }

  private func noteSteps(_ plan: TransactionPlan) {
    step += plan.steps.count
    counts.transactions += 1
    // Now and then observers come to what is done, instead of what was done meanwhile.
    if random.chance(30) { Thread.sleep(forTimeInterval: 0.0005) }
    for part in plan.steps { note("  \(part.sql ?? "\(part)")") }
  }

  private func didRun(_ plan: TransactionPlan) throws {
    let changesSchema = plan.steps.contains { step in
      if case .statement(let statement) = step { statement.effect == .everything } else { false }
    }
    if changesSchema { try world.learnSchema() }
  }

  private func runInShell() throws {
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
      try world.shell.run(["BEGIN"] + sql + end)
      try world.oracle.noteCommit()
    } else {
      for statement in sql {
        try world.shell.run([statement])
        try world.oracle.noteCommit()
      }
      // The end of the outermost savepoint may have failed, which leaves a transaction open.
      try world.shell.run(["ROLLBACK"])
    }
    try didRun(plan)
  }

  /// Does what leaves all rows as they are, or nearly.
  private func maintain() throws {
    let sql = random.pick(["VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", "ANALYZE", "REINDEX"])!
    note(sql)
    hasForeignCommits = true
    try world.pool.writeWithoutTransaction { db in try? db.execute(sql: sql) }
    try world.oracle.noteCommit()
  }

  // MARK: Checks

  /// Waits until nothing is under way, and checks what has been delivered.
  private func settle() throws {
    note("settle")
    for observer in observers { observer.resume() }
    // Now and then everything must come without being asked for.
    if random.chance(25) { for observer in observers { try waitForPresent(observer) } }
    for (_, reader) in world.readers { try reader.quiesce() }
    for observer in observers {
      // What has been called back is there; what is buffered is taken by a task some time.
      if observer.mode == .values {
        try waitForPresent(observer)
      } else {
        try checkPresent(observer)
      }
    }
    counts.deliveries += try world.oracle.checkDeliveries(numbersTell: !hasForeignCommits)
    world.oracle.forgetPast()
    for index in observers.indices.reversed() {
      if observers[index].lateDeliveries > 1 {
        throw SimulationFailure("\(observers[index]) was shown values after its end")
      }
      if observers[index].hasEnded { cancelObserver(at: index) }
    }
    try checkLiveObservations()
    hasForeignCommits = false
  }

  /// Checks that the observations that have ended are gone.
  private func checkLiveObservations() throws {
    for (place, reader) in world.readers {
      let expected = observers.count { $0.place == place }
      // A loop ends when its task notices that it was cancelled.
      try waitUntil {
        reader.observationStatistics.live == expected
      } orFailWith: {
        "\(reader.observationStatistics.live) instead of \(expected) observations live in \(place)"
      }
    }
  }

  private func waitUntil(_ condition: () -> Bool, orFailWith message: () -> String) throws {
    let deadline = ContinuousClock.now + Self.patience
    while !condition() {
      guard ContinuousClock.now < deadline else { throw SimulationFailure(message()) }
      Thread.sleep(forTimeInterval: 0.0002)
    }
  }

  /// Checks that the last thing an observer was shown is what its query gives.
  private func checkPresent(_ observer: SimulatedObserver) throws {
    guard isShownPresent(observer) else { throw SimulationFailure(notShownPresent(observer)) }
  }

  private func waitForPresent(_ observer: SimulatedObserver) throws {
    try waitUntil {
      isShownPresent(observer)
    } orFailWith: {
      notShownPresent(observer)
    }
  }

  private func isShownPresent(_ observer: SimulatedObserver) -> Bool {
    observer.hasEnded || observer.last == world.oracle.expectation(of: observer)
  }

  private func notShownPresent(_ observer: SimulatedObserver) -> String {
    """
    \(observer) was last shown \(observer.last.map { "\($0)" } ?? "nothing"); the query gives \
    \(world.oracle.expectation(of: observer).map { "\($0)" } ?? "nothing")
    """
  }

  /// Runs one transaction while all is quiet, and checks that no probe is run that it does not touch.
  private func runPrecisely() throws {
    try settle()
    let schema = world.schema
    let plan = TransactionPlan.random(
      statements,
      allowsSchemaChanges: false,
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
    let before = watched.map(\.fetches)
    var changes = RealChanges()
    try? world.pool.write { db in
      let compared = try runComparing(plan, schema, db)
      if plan.ending != .commit { throw SimulatedWriter.Undone() }
      changes = compared
    }
    try world.oracle.noteCommit()
    try settle()
    for (observer, fetches) in zip(watched, before) where !changes.touch(observer.probe, schema) {
      guard observer.fetches == fetches else {
        throw SimulationFailure(
          "\(observer) was run \(observer.fetches - fetches) times, though nothing it reads changed"
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

  // MARK: Worlds

  private func replaceWorld() throws {
    try endWorld()
    note("a new world")
    world = try SimulatedWorld(&random)
  }

  private func endWorld() throws {
    try settle()
    counts.commits += world.oracle.commits
    while !observers.isEmpty { cancelObserver(at: observers.count - 1) }
    try checkLiveObservations()
    try world.close()
  }
}
