internal import WellspringSystem

extension Node {
  /// Gives the status to the instruments when it is due.
  ///
  /// - Returns: The nanoseconds until it is due again.
  func reportStatus() -> UInt64 {
    let interval = options.statusInterval.nanoseconds
    guard interval > 0, !options.instruments.isEmpty else { return .max }
    let now = MonotonicClock.now
    let due = nextReport.withLock { next in
      guard now >= next else { return next - now }
      next = now + min(interval, 1_000_000_000_000)
      return 0
    }
    if due == 0 { events.report(status) }
    return due == 0 ? interval : due
  }
}
