internal import Glibc

/// A clock that runs steadily, whatever happens to the time of day.
package enum MonotonicClock {
  /// Nanoseconds since some moment before the start of the process.
  package static var now: UInt64 { read(CLOCK_MONOTONIC) }

  /// Like ``now``, but up to ten milliseconds late, and several times as fast.
  package static var recent: UInt64 { read(CLOCK_MONOTONIC_COARSE) }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000
      &+ UInt64(bitPattern: Int64(time.tv_nsec))
  }
}

/// The clock of the timestamps of files.
package enum WallClock {
  /// Nanoseconds since 1970, negative before. Years after 2262 and before 1678 are clamped.
  package static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(clamping: Int128(time.tv_sec) * 1_000_000_000 + Int128(time.tv_nsec))
  }

  /// Nanoseconds since a time of this clock. The age is negative when the time lies in the future,
  /// as after a jump of the clock.
  package static func age(of time: Int64) -> Int64 { age(of: time, at: now) }

  /// Nanoseconds from a time of this clock to another one.
  package static func age(of time: Int64, at now: Int64) -> Int64 {
    Int64(clamping: Int128(now) - Int128(time))
  }
}

extension Duration {
  /// The number of nanoseconds: 0 for a negative duration, and the largest number for a longer
  /// duration.
  package var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard self > .zero else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : whole &+ UInt64(attoseconds / 1_000_000_000)
  }

  /// The number of whole milliseconds, within the same limits.
  package var milliseconds: Int { Int(clamping: nanoseconds / 1_000_000) }
}
