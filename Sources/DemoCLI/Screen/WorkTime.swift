internal import Dispatch

/// How long reading and comparing has taken, without the time in which another process was waited
/// for.
struct WorkTime: Sendable {
  private(set) var seconds = 0.0

  /// Adds the time that a closure takes.
  ///
  /// - Parameter body: The closure.
  /// - Returns: What the closure returned.
  /// - Throws: What the closure threw.
  mutating func measure<Value>(_ body: () throws -> Value) rethrows -> Value {
    let start = DispatchTime.now()
    defer {
      seconds += Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
    }
    return try body()
  }
}
