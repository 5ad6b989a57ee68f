internal import WellspringPlatform

/// An observation on behalf of one async iterator. It ends when the iterator is released.
final class StreamSubscription<Value: Sendable>: Sendable {
  private enum State {
    case new
    case running(ObservationSubscription<Value>)
    case ended
  }

  let events: AsyncStream<ObservedEvent<Value>>
  private let source: ObservationSource<Value>
  private let core: DatabaseCore
  private let options: ObservationOptions
  private let subscriber: StreamSubscriber<Value>
  // Guards whether the observation has still to be started: with the first step, and not after the
  // end.
  private let state = Lock(State.new)

  init(
    _ source: ObservationSource<Value>,
    in core: DatabaseCore,
    options: ObservationOptions,
    bufferingPolicy: ObservationBufferingPolicy
  ) {
    self.source = source
    self.core = core
    self.options = options
    let (events, continuation) = AsyncStream.makeStream(
      of: ObservedEvent<Value>.self,
      bufferingPolicy: bufferingPolicy == .newest ? .bufferingNewest(1) : .unbounded
    )
    self.events = events
    subscriber = StreamSubscriber(continuation)
  }

  deinit {
    end()
  }

  func start() {
    guard case .new = state.withLock({ $0 }) else { return }
    let subscription = source.subscribe(subscriber, in: core)
    let isFirst = state.withLock { state in
      guard case .new = state else { return false }
      state = .running(subscription)
      return true
    }
    guard isFirst else { return subscription.end() }
    for willStart in options.willStart { willStart() }
    subscription.start()
  }

  func end() {
    let before = state.withLock { state in
      defer { state = .ended }
      return state
    }
    subscriber.finish()
    guard case .running(let subscription) = before else { return }
    subscription.end()
    for didCancel in options.didCancel { didCancel() }
  }
}

/// The events of a subscription, after they have passed a stage.
final class StagedEventStream<Base: Sendable, Value: Sendable>: EventStream {
  private let subscription: StreamSubscription<Base>
  private let stage: ObservationStage<Base, Value>
  private let interval: Duration?
  // Guards when the next event may be taken.
  private let notBefore = Lock(ContinuousClock.Instant?.none)

  init(
    _ subscription: StreamSubscription<Base>,
    stage: @escaping ObservationStage<Base, Value>,
    interval: Duration?
  ) {
    self.subscription = subscription
    self.stage = stage
    self.interval = interval
  }

  func next() async -> ObservedEvent<Value>? {
    subscription.start()
    // Only one task iterates: the stream keeps what has come since its last step.
    var events = subscription.events.makeAsyncIterator()
    while true {
      if interval != nil, let notBefore = notBefore.withLock({ $0 }) {
        // A task that is cancelled does not wait, and gets no event.
        try? await Task.sleep(until: notBefore)
      }
      guard let event = await events.next() else { return nil }
      guard let result = stage(event) else { continue }
      if let interval { notBefore.withLock { $0 = .now + interval } }
      return result
    }
  }

  func end() { subscription.end() }
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
