import Foundation
import Storage
import TestSupport

/// Runs random transactions while random observations run, and checks the deliveries to observers.
///
/// The seed determines every action, but not how threads interleave. As a rule one thread acts,
/// sometimes several. The observations run on other threads; the simulation waits for them only now
/// and then.
final class Simulation {
  /// The number of steps after which a new database replaces the current one.
  private static let stepsPerWorld = 1000
  /// The number of steps after which a database is replaced if its tables have become large: where
  /// a trigger fails, their rows cannot be deleted.
  private static let stepsPerSizeCheck = 50
  /// The number of log lines in the message of a failure.
  private static let reportedLines = 60
  static let timeout = Patience.limit

  private let seed: UInt64
  private let steps: Int
  var random: SeededGenerator
  var world: SimulatedWorld
  var observers: [SimulatedObserver] = []
  /// Cancelled observers whose loops may not have ended yet.
  var ending: [SimulatedObserver] = []
  var step = 0
  private var lastValue = 100
  var lastObserver = 0
  /// Whether there may have been foreign commits since the last call of `settle()`.
  var hasForeignCommits = false
  private var log: [String] = []
  /// Counts of actions and results, for the report.
  var counts = Counts()

  struct Counts {
    var transactions = 0
    var commits = 0
    var deliveries = 0
    var observers = 0
    var precise = 0
    /// Queries that a foreign commit to other tables did not run.
    var preciseForeign = 0
    /// Values that were patched.
    var patches = 0
    /// The slowest action, with the number of the step after it.
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
  /// - Throws: ``SimulationFailure`` with the seed and the last steps.
  func run() throws {
    do {
      var stepOfNextWorld = Self.stepsPerWorld
      while step < steps {
        let start = ContinuousClock.now
        try act()
        let duration = ContinuousClock.now - start
        if duration > counts.slowest.duration { counts.slowest = (duration, step) }
        if step >= stepOfNextWorld || (step % Self.stepsPerSizeCheck == 0 && world.isLarge()) {
          stepOfNextWorld = step + Self.stepsPerWorld
          try replaceWorld()
        }
      }
      try endWorld()
    } catch {
      throw SimulationFailure(
        """
        seed \(seed), step \(step): \(error)
        The last steps were:
        \(log.suffix(Self.reportedLines).joined(separator: "\n"))
        """
      )
    }
  }

  func note(_ line: @autoclosure () -> String) {
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
    case 28..<58: try runPrecisely()
    case 58..<62: try runInShell()
    case 62..<65: try runInShellPrecisely()
    case 65..<67: try runConcurrently()
    case 67..<75: try runTransaction(in: world.otherPool, "other pool")
    default: try runTransaction(in: world.pool, "pool")
    }
  }

  func nextValue() -> Int {
    lastValue += 1
    return lastValue
  }

  // MARK: Worlds

  private func replaceWorld() throws {
    try endWorld()
    note("new world")
    world = try SimulatedWorld(&random)
  }

  private func endWorld() throws {
    try settle()
    counts.commits += world.oracle.commits
    while !observers.isEmpty { cancelObserver(at: observers.count - 1) }
    try checkLiveObservations()
    for (_, reader) in world.readers { counts.patches += reader.observationStatistics.patches }
    try world.close()
  }
}
