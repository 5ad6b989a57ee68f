import Foundation
import Storage

/// Runs random transactions under random observations, and checks what observers are shown.
///
/// A seed determines all that is done, but for what threads make of it. One thread acts, and now and then
/// several do; the observations run on threads of their own, and are waited for now and then only.
final class Simulation {
  /// How many steps one database lives.
  private static let stepsPerWorld = 1000
  /// How many lines of the log a failure shows.
  private static let reportedLines = 60
  static let patience: Duration = .seconds(60)

  private let seed: UInt64
  private let steps: Int
  var random: SeededGenerator
  var world: SimulatedWorld
  var observers: [SimulatedObserver] = []
  /// Those that were cancelled, and may not have ended.
  var ending: [SimulatedObserver] = []
  var step = 0
  private var lastValue = 100
  var lastObserver = 0
  /// Whether another process has committed since all was quiet last.
  var hasForeignCommits = false
  private var log: [String] = []
  /// What was done, for the report.
  var counts = Counts()

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
    case 58..<65: try runInShell()
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
