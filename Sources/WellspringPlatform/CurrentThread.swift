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
