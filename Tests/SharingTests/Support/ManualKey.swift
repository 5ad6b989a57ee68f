import Sharing
import WellspringSystem

/// A key whose answers are given by a test.
final class ManualKey: SharedReaderKey, CustomStringConvertible {
  struct State: Sendable {
    var contexts: [LoadContext<Int>] = []
    var continuations: [LoadContinuation<Int>] = []
    var subscribers: [SharedSubscriber<Int>] = []
    var cancellations = 0
  }

  let state = Lock(State())
  /// The value that the key loads immediately; `nil` to keep the continuations.
  let answer: Int?
  /// Yields for each continuation that the key has kept.
  private let arrivals = AsyncStream.makeStream(of: Void.self)

  init(answer: Int? = nil) {
    self.answer = answer
  }

  var id: ObjectIdentifier { ObjectIdentifier(self) }
  var description: String { "ManualKey" }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    state.withLock { $0.contexts.append(context) }
    if let answer {
      continuation.resume(returning: answer)
    } else {
      state.withLock { $0.continuations.append(continuation) }
      arrivals.continuation.yield()
    }
  }

  func subscribe(
    context: LoadContext<Int>,
    subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    state.withLock { $0.subscribers.append(subscriber) }
    return SharedSubscription { [weak self] in self?.state.withLock { $0.cancellations += 1 } }
  }

  var subscriber: SharedSubscriber<Int> { state.withLock { $0.subscribers[0] } }

  /// Takes the oldest continuation that was not taken yet.
  func takeContinuation() -> LoadContinuation<Int>? {
    state.withLock { $0.continuations.isEmpty ? nil : $0.continuations.removeFirst() }
  }

  /// Waits for the next load, and takes its continuation.
  func nextContinuation() async throws -> LoadContinuation<Int> {
    for await _ in arrivals.stream {
      if let continuation = takeContinuation() { return continuation }
    }
    throw CancellationError()
  }
}
