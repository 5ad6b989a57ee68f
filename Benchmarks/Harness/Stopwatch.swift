internal import Glibc

/// Measures how long work takes.
struct Stopwatch {
  /// Whether to measure the CPU time of the process instead of elapsed time. Set it before the
  /// first measurement.
  nonisolated(unsafe) static var measuresProcessorTime = false

  private let start = Stopwatch.now

  /// The time since the stopwatch was created.
  var duration: Duration { Stopwatch.now - start }

  private static var now: Duration {
    var time = timespec()
    clock_gettime(measuresProcessorTime ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
