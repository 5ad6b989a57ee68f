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
