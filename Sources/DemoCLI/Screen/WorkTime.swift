internal import Glibc

/// How long a processor has worked on reading, counting and comparing.
///
/// It leaves out the time in which another process was waited for, or had the processor: a busy
/// machine does not delay the next drawing.
struct WorkTime: Sendable {
  private(set) var seconds = 0.0

  /// Adds the time that a closure takes of the processor, on the calling thread.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: The errors of the closure.
  mutating func measure<Value>(_ body: () throws -> Value) rethrows -> Value {
    let start = Self.now
    defer { seconds += Self.now - start }
    return try body()
  }

  /// The time that the calling thread has had a processor, in seconds.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
