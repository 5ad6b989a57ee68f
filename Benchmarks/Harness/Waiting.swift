internal import Dispatch
internal import Synchronization

/// Runs asynchronous work to its end on Swift's cooperative threads. The calling thread, which must
/// not be one of them, waits.
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

/// Carries a result from one thread to another.
private final class Outcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  func set(_ newResult: Result<Value, any Error>) {
    result.withLock { $0 = newResult }
  }

  /// The result.
  ///
  /// - Precondition: It has been set.
  func get() throws -> Value {
    guard let result = result.withLock({ $0 }) else { preconditionFailure("No result is set.") }
    return try result.get()
  }
}

/// Thrown when something that must come does not.
struct Overdue: Error, CustomStringConvertible {
  let what: String

  var description: String { "\(what) did not come in time" }
}
