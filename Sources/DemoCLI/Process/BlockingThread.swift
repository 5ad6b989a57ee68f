internal import WellspringSystem

/// A thread for work that blocks for long.
enum BlockingThread {
  /// Runs a body on a thread of its own.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let isStarted = DetachedThread.start(body)
    precondition(isStarted, "no thread can be started")
  }
}
