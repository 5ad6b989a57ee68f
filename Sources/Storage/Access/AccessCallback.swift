internal import Synchronization

/// A closure that an access calls once: with its connection, or with the error that prevented the
/// access.
final class AccessCallback: Sendable {
  private let closure: @Sendable (Result<Database, any Error>) -> Void
  private let wasCalled = Atomic(false)

  init(_ closure: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    self.closure = closure
  }

  /// Calls the closure with a connection.
  func call(_ db: Database) {
    wasCalled.store(true, ordering: .relaxed)
    closure(.success(db))
  }

  /// Calls the closure with the error of the access, unless it was called. An access can fail at
  /// its end, and the closure has seen the result of each of its statements by then.
  func fail(_ error: any Error) {
    if !wasCalled.load(ordering: .relaxed) { closure(.failure(error)) }
  }
}
