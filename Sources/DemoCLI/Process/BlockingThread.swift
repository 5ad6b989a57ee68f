internal import Glibc

/// A thread for work that blocks for long.
enum BlockingThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs a body on a thread of its own.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread,
      nil,
      { context in
        Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
        return nil
      },
      work.toOpaque()
    )
    precondition(code == 0, "no thread can be started: \(String(cString: strerror(code)))")
    pthread_detach(thread)
  }
}
