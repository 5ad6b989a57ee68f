internal import Glibc

extension Duration {
  /// The CPU time that the process has taken so far.
  static var processorTime: Duration { time(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// The CPU time that the other threads of the process have taken so far.
  static var processorTimeOfOtherThreads: Duration {
    processorTime - time(of: CLOCK_THREAD_CPUTIME_ID)
  }

  fileprivate static func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

/// Measures how long work takes.
struct Stopwatch {
  /// Whether to measure the CPU time of the process instead of elapsed time. Set it before the
  /// first measurement.
  nonisolated(unsafe) static var measuresProcessorTime = false

  private let start = Stopwatch.now

  /// The time since the stopwatch was created.
  var duration: Duration { Stopwatch.now - start }

  private static var now: Duration {
    measuresProcessorTime ? .processorTime : .time(of: CLOCK_MONOTONIC)
  }
}
