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
