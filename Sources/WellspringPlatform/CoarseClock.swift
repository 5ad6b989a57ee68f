internal import Glibc

/// A clock that is cheap to read, and ticks every few milliseconds.
package enum CoarseClock {
  /// The milliseconds since an unspecified moment.
  package static var milliseconds: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    return now.tv_sec * 1_000 + now.tv_nsec / 1_000_000
  }
}
