internal import Glibc

/// The thread that runs the calling code.
package enum CurrentThread {
  /// A number that no other living thread has, and that is never zero.
  package static var id: UInt {
    UInt(pthread_self())
  }

  /// Lets other threads run that wait for a processor.
  package static func yield() {
    sched_yield()
  }

  /// Suspends the calling thread for at least `microseconds`.
  ///
  /// For threads that may block, never for one of Swift's cooperative threads.
  package static func pause(microseconds: UInt32) {
    usleep(microseconds)
  }
}

/// A slot with one raw pointer for each thread.
package struct ThreadLocalPointer: Sendable {
  private let key: pthread_key_t

  /// Makes a slot that is empty in every thread. Slots are never given back: make them static.
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
