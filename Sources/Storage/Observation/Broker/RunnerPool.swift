internal import Dispatch
internal import WellspringSystem

/// The threads that run queries, one batch at a time. Idle threads are kept for the next batch.
final class RunnerPool: Sendable {
  private let label: String
  // Guards the idle threads.
  private let idle = Lock<[DispatchQueue]>([])

  init(label: String) {
    self.label = label
  }

  func take() -> DispatchQueue {
    idle.withLock { $0.popLast() } ?? DispatchQueue(label: label)
  }

  func giveBack(_ runner: DispatchQueue) {
    idle.withLock { $0.append(runner) }
  }
}

/// The limits that the broker's decisions depend on. Durations are in nanoseconds.
enum BrokerLimits {
  /// A query that takes longer than this runs separately, so that other queries do not wait for it.
  static let slowQuery: UInt64 = 10_000_000

  /// How long a batch of quick queries may take. It must be short, because the snapshot of a batch
  /// keeps SQLite from reusing the WAL.
  static let batchDuration: UInt64 = 50_000_000

  /// How long a runner busy-waits for the next commit. Waking its thread takes tens of microseconds
  /// on an idle processor, many times longer than a small query.
  static let maximumWait: UInt64 = 100_000

  /// How many commits that touched a query are remembered.
  static let maximumWakeUps = 8

  /// How many commits are remembered to explain why they touched no query.
  static let maximumLastCommits = 8

  /// How many recent commits are kept. More than these are kept as one commit that has changed
  /// everything.
  static let maximumRecentCommits = 256
}

/// Limits the runs of queries to a share of a core: after each run, there is a pause.
///
/// Times are in nanoseconds.
struct RunPace: Sendable {
  /// The share of a core; `nil` for no limit.
  private let share: Double?
  /// The time until which no query runs again.
  private var pausedUntil: UInt64 = 0
  /// Whether a timer is set, for the end of this pause or for an earlier time.
  private var hasTimer = false

  init(share: Double?) { self.share = share }

  /// Whether no query may run again now.
  func isPaused(at now: @autoclosure () -> UInt64) -> Bool {
    share != nil && now() < pausedUntil
  }

  /// Notes that a query has run again.
  mutating func noteRun(duration: UInt64, endingAt now: @autoclosure () -> UInt64) {
    guard let share else { return }
    // A pause of more than a year lasts for ever.
    let pause = UInt64(min(Double(duration) * (1 / share - 1), 0x1p55))
    pausedUntil = max(pausedUntil, now()) &+ pause
  }

  /// Returns the time for which a timer must be set; `nil` if one is set.
  mutating func planEnd() -> UInt64? {
    guard !hasTimer else { return nil }
    hasTimer = true
    return pausedUntil
  }

  /// The timer has fired.
  mutating func timerDidFire() { hasTimer = false }
}
