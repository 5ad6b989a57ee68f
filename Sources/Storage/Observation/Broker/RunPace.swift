/// Limits the runs of queries to a share of a core: after each run, there is a pause.
///
/// Times are in nanoseconds.
struct RunPace: Sendable {
  /// The share of a core; `nil` for no limit.
  private let share: Double?
  /// The time until which no query runs again.
  private var pausedUntil: UInt64 = 0
  /// The time for which a timer is set.
  private var planned: UInt64?

  init(share: Double?) { self.share = share }

  /// Whether no query may run again now.
  func isPaused(at now: @autoclosure () -> UInt64) -> Bool {
    share != nil && now() < pausedUntil
  }

  /// Notes that a query has run again.
  mutating func noteRun(duration: UInt64, endingAt now: @autoclosure () -> UInt64) {
    guard let share else { return }
    let pause = Double(duration) * (1 / share - 1)
    // More than a year is for ever.
    let end = max(pausedUntil, now()) &+ UInt64(min(max(pause, 0), 0x1p55))
    pausedUntil = max(pausedUntil, end)
  }

  /// Returns when the pause ends, unless a timer is set for a time before that.
  mutating func planEnd() -> UInt64? {
    guard planned == nil else { return nil }
    planned = pausedUntil
    return pausedUntil
  }

  /// The timer has fired.
  mutating func timerDidFire() { planned = nil }
}
