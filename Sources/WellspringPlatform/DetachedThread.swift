internal import Glibc

/// Threads for work that waits for long, which queues and tasks must not do.
package enum DetachedThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// The signals of a thread's own faults, which it must not block.
  private static let faults = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP]

  /// Runs a body on a thread of its own. Signals to the process are handled on other threads.
  ///
  /// - Returns: Whether the kernel has given a thread.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    // A new thread has the signal mask of the thread that starts it.
    var (blocked, previous) = (sigset_t(), sigset_t())
    sigfillset(&blocked)
    for signal in faults { sigdelset(&blocked, signal) }
    pthread_sigmask(SIG_SETMASK, &blocked, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
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
    guard code == 0 else {
      work.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
