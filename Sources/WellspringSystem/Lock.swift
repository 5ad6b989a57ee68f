internal import Glibc

/// A value that only one thread at a time can access.
///
/// It uses `pthread_mutex_t`, because the thread sanitizer reports false races for
/// `Synchronization.Mutex` on Linux. The lock is not recursive: locking it twice on one thread is a
/// programmer error. Code that is foreign to the value (a callback, SQLite, a `deinit`) must not
/// run inside ``withLock(_:)``.
@usableFromInline
package final class Lock<State: ~Copyable>: @unchecked Sendable {
  // Safe to share: `state` is read and written between `lockMutex` and `unlockMutex` only. So its
  // accesses exclude each other, without a check at run time, which takes longer than the mutex.
  @exclusivity(unchecked) @usableFromInline var state: State
  @usableFromInline let mutex: UnsafeMutableRawPointer

  /// Makes an unlocked lock that guards `initialState`.
  @inlinable
  package init(_ initialState: consuming sending State) {
    state = initialState
    mutex = makeMutex()
  }

  deinit {
    destroyMutex(mutex)
  }

  /// Runs `body` with exclusive access to the state, and returns its result.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lockMutex(mutex)
    defer { unlockMutex(mutex) }
    return try body(&state)
  }
}

// The mutex is a raw pointer, so that inlinable code does not contain the platform's type.

@usableFromInline
func makeMutex() -> UnsafeMutableRawPointer {
  let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  let status = pthread_mutex_init(mutex, nil)
  precondition(status == 0, "pthread_mutex_init failed with \(status)")
  return UnsafeMutableRawPointer(mutex)
}

@usableFromInline
func destroyMutex(_ pointer: UnsafeMutableRawPointer) {
  let mutex = pointer.assumingMemoryBound(to: pthread_mutex_t.self)
  pthread_mutex_destroy(mutex)
  mutex.deallocate()
}

@usableFromInline
func lockMutex(_ pointer: UnsafeMutableRawPointer) {
  pthread_mutex_lock(pointer.assumingMemoryBound(to: pthread_mutex_t.self))
}

@usableFromInline
func unlockMutex(_ pointer: UnsafeMutableRawPointer) {
  pthread_mutex_unlock(pointer.assumingMemoryBound(to: pthread_mutex_t.self))
}
