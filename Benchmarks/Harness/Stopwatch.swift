internal import Glibc

/// Measures how long work takes.
struct Stopwatch {
  /// Whether the time counts in which the process computes, instead of the time that passes. Set before
  /// the first measurement.
  nonisolated(unsafe) static var measuresProcessorTime = false

  private let start = Stopwatch.now

  /// The time since the watch was made.
  var duration: Duration { Stopwatch.now - start }

  private static var now: Duration {
    var time = timespec()
    clock_gettime(measuresProcessorTime ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
