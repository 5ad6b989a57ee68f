internal import Foundation
internal import WellspringSystem

/// A counting semaphore whose timed waits do not depend on the time of day.
///
/// On Linux, `DispatchSemaphore` waits until a moment of the wall clock: when that clock is set
/// back by an hour, a wait of a second lasts an hour. This one measures by the monotonic clock.
final class MonotonicSemaphore: @unchecked Sendable {
  // Safe to share: `mutex` guards `value`, and the two objects have fixed addresses.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value = 0

  /// Makes a semaphore whose first wait lasts until ``signal()``.
  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Ends one wait, or the next one.
  func signal() {
    pthread_mutex_lock(mutex)
    value += 1
    pthread_mutex_unlock(mutex)
    pthread_cond_signal(condition)
  }

  /// Waits for a signal.
  func wait() {
    pthread_mutex_lock(mutex)
    while value == 0 { pthread_cond_wait(condition, mutex) }
    value -= 1
    pthread_mutex_unlock(mutex)
  }

  /// Waits for a signal, for some time at most.
  ///
  /// - Returns: Whether there was one.
  func wait(for limit: Duration) -> Bool {
    // Longer than any process runs.
    let limit = min(limit, .seconds(1_000_000_000))
    return wait(until: MonotonicClock.now + limit.nanoseconds)
  }

  /// Waits for a signal until a moment of the monotonic clock.
  ///
  /// - Returns: Whether there was one.
  func wait(until deadline: UInt64) -> Bool {
    var end = timespec(
      tv_sec: Int(deadline / 1_000_000_000),
      tv_nsec: Int(deadline % 1_000_000_000)
    )
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while value == 0 {
      guard pthread_cond_timedwait(condition, mutex, &end) == 0 else { break }
    }
    // A signal may have come at the very end.
    guard value > 0 else { return false }
    value -= 1
    return true
  }
}
