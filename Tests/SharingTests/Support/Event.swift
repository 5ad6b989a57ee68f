/// An event that happens once. A test can wait for it.
final class Event: Sendable {
  private let stream = AsyncStream.makeStream(of: Never.self)

  /// Wakes the waiter, now or when it starts to wait.
  func happen() { stream.continuation.finish() }

  /// Waits until the event has happened.
  ///
  /// - Throws: `CancellationError` when the time limit of the test ends the wait.
  func wait() async throws {
    for await _ in stream.stream {}
    try Task.checkCancellation()
  }
}
