internal import Dispatch
internal import Glibc
internal import Synchronization

/// Runs asynchronous work on Swift's cooperative threads, and blocks the calling thread until it
/// ends. The calling thread must not be one of them.
func waiting<Value: Sendable>(
  for work: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let outcome = Outcome<Value>()
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      outcome.set(.success(try await work()))
    } catch {
      outcome.set(.failure(error))
    }
    done.signal()
  }
  done.wait()
  return try outcome.get()
}

/// Waits on the thread while a condition holds, which wakes up sooner than any other wait.
///
/// - Throws: ``Overdue`` after a minute.
func spin(_ what: String, while condition: @autoclosure () throws -> Bool) throws {
  let stopwatch = Stopwatch()
  while try condition() {
    sched_yield()
    guard stopwatch.duration < .seconds(60) else { throw Overdue(what: what) }
  }
}

/// Sleeps while a condition holds, which takes less processor time than any other wait.
///
/// - Throws: ``Overdue`` after a minute.
func doze(_ what: String, while condition: @autoclosure () throws -> Bool) throws {
  let deadline = SuspendingClock.now + .seconds(60)
  while try condition() {
    usleep(200)
    guard SuspendingClock.now < deadline else { throw Overdue(what: what) }
  }
}

/// Carries a result from one thread to another.
private final class Outcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  func set(_ newResult: Result<Value, any Error>) {
    result.withLock { $0 = newResult }
  }

  /// Returns the result.
  ///
  /// - Precondition: The result was set.
  func get() throws -> Value {
    guard let result = result.withLock({ $0 }) else { preconditionFailure("No result was set.") }
    return try result.get()
  }
}
