internal import Glibc

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
