package import Glibc

/// The thread that runs the calling code.
package enum CurrentThread {
  /// A number that is unique among the running threads, and never zero.
  @inlinable package static var id: pthread_t {
    pthread_self()
  }

  /// Yields the processor to other threads that are ready to run.
  package static func yield() {
    sched_yield()
  }

  /// Suspends the calling thread for at least `microseconds`.
  ///
  /// Never call it on one of Swift's cooperative threads, which must not block.
  package static func pause(microseconds: UInt32) {
    usleep(microseconds)
  }
}

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

/// A thread-local variable that holds a raw pointer.
package struct ThreadLocalPointer: Sendable {
  private let key: pthread_key_t

  /// Makes a variable that is `nil` in every thread.
  ///
  /// Its key is never deleted, so make only static variables.
  package init() {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "pthread_key_create failed with \(status)")
    self.key = key
  }

  /// The pointer of the calling thread.
  package var value: UnsafeMutableRawPointer? {
    get { pthread_getspecific(key) }
    nonmutating set { pthread_setspecific(key, newValue) }
  }
}

/// A kind of code section. Each thread knows whether it is in such a section.
package struct ThreadScope: Sendable {
  /// Sections that hold a resource other threads may wait for, such as a connection. A thread in
  /// such a section must not wait for these threads.
  package static let blocking = ThreadScope()

  /// Callbacks of observations.
  package static let callback = ThreadScope()

  /// Makes a kind of section. It is never removed, so make only static variables.
  package init() {}

  // The nesting depth, stored as the bits of a pointer.
  private let depth = ThreadLocalPointer()

  /// Whether the current thread is in such a section.
  package var isActive: Bool { depth.value != nil }

  /// Enters a section on the current thread.
  package func enter() {
    depth.value = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: depth.value) + 1)
  }

  /// Leaves the innermost section of the current thread.
  package func leave() {
    depth.value = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: depth.value) - 1)
  }

  /// Runs a closure in a section.
  package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    enter()
    defer { leave() }
    return try body()
  }
}
