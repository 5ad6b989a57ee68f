internal import WellspringPlatform

extension ValueObservation {
  /// The values of the observation, one after the other.
  ///
  ///     for try await items in observation.values(in: pool) {
  ///       print(items.count)
  ///     }
  ///
  /// Each iteration observes on its own, from its first step until its task is cancelled, its iterator
  /// is released or the database is closed. While the loop's body runs, the newest value waits and
  /// older ones are dropped. The first error ends the iteration with that error.
  ///
  /// - Parameter reader: A ``DatabasePool`` or a ``DatabaseQueue``.
  /// - Returns: An async sequence of values.
  public func values(in reader: some DatabaseReader) -> AsyncValueObservation<Value> {
    AsyncValueObservation(observation: self, core: reader.observableCore)
  }
}

/// The values of a ``ValueObservation``, one after the other: see ``ValueObservation/values(in:)``.
public struct AsyncValueObservation<Value: Sendable>: AsyncSequence, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Element = Value

  let observation: ValueObservation<Value>
  let core: DatabaseCore

  /// Begins an iteration. The observation starts with its first step.
  public func makeAsyncIterator() -> Iterator {
    let subscription = StreamSubscription(observation, in: core)
    return Iterator(subscription: subscription, events: subscription.events.makeAsyncIterator())
  }

  /// An iteration over the values.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: StreamSubscription<Value>
    var events: AsyncStream<ObservedEvent<Value>>.Iterator

    /// The next value; `nil` when the task was cancelled or the database closed.
    ///
    /// - Throws: The error of the query. Nothing comes after that.
    public mutating func next() async throws -> Value? {
      subscription.start()
      switch await events.next() {
      case .value(let numbered):
        return numbered.value
      case .failure(let error):
        subscription.end()
        throw error
      case .closed, nil:
        subscription.end()
        return nil
      }
    }
  }
}

/// An observation on behalf of one async iterator. It ends when the iterator is released.
final class StreamSubscription<Value: Sendable>: Sendable {
  private enum State {
    case new
    case running(ObservationSubscription<Value>)
    case ended
  }

  let events: AsyncStream<ObservedEvent<Value>>
  private let observation: ValueObservation<Value>
  private let core: DatabaseCore
  private let subscriber: StreamSubscriber<Value>
  // Guards whether the observation has still to be started: with the first step, and not after the
  // end.
  private let state = Lock(State.new)

  init(_ observation: ValueObservation<Value>, in core: DatabaseCore) {
    self.observation = observation
    self.core = core
    // The newest event wins: one waits at most.
    let (events, continuation) = AsyncStream.makeStream(
      of: ObservedEvent<Value>.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    self.events = events
    subscriber = StreamSubscriber(continuation)
  }

  deinit {
    end()
  }

  func start() {
    guard case .new = state.withLock({ $0 }) else { return }
    let subscription = observation.subscribe(subscriber, in: core)
    let isFirst = state.withLock { state in
      guard case .new = state else { return false }
      state = .running(subscription)
      return true
    }
    if isFirst { subscription.start() } else { subscription.end() }
  }

  func end() {
    let before = state.withLock { state in
      defer { state = .ended }
      return state
    }
    subscriber.finish()
    if case .running(let subscription) = before { subscription.end() }
  }
}

/// Hands the events of an observation to an async stream.
final class StreamSubscriber<Value: Sendable>: ObservationSubscriber {
  private let continuation: AsyncStream<ObservedEvent<Value>>.Continuation
  // Guards the number of the last event, and the order in which events enter the stream.
  private let lastSequence = Lock(UInt64(0))

  init(_ continuation: AsyncStream<ObservedEvent<Value>>.Continuation) {
    self.continuation = continuation
  }

  func receive(_ event: ObservedEvent<Value>, _ sequence: UInt64) -> PendingCall? {
    let dropped = lastSequence.withLock {
      last -> AsyncStream<ObservedEvent<Value>>.Continuation.YieldResult? in
      guard sequence > last else { return nil }
      last = sequence
      return continuation.yield(event)
    }
    // A value that the newer one pushed out is released here, outside of the lock.
    return withExtendedLifetime(dropped) { nil }
  }

  // What was received waits in the stream.
  func flush(_ completion: @escaping @Sendable () -> Void) { completion() }

  func finish() { continuation.finish() }
}
