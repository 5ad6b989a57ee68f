internal import Glibc

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
