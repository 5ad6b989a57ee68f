internal import Dispatch
internal import WellspringSystem

/// Passes the events of one observation on to all of its followers.
final class ObservationHub: ReleasableHub, ObservationSourcing {
  typealias MakeUpstream =
    @Sendable (@escaping @Sendable (AnyObservedMoment) -> Void, ObservationFlush?) ->
    CallbackObservation

  private struct State {
    var upstream: CallbackObservation?
    var latest: AnyObservedMoment?
    var sequence: UInt64 = 0
    var subscribers: [ObjectIdentifier: any ObservationSubscriber] = [:]
    /// Counts the upstreams, to ignore late events of an upstream that has ended.
    var epoch = 0
    var isReleased = false
  }

  private let makeUpstream: MakeUpstream
  private let staysLive: Bool
  // Guards the latest event and the subscribers. Events are delivered outside.
  private let state = Lock(State())

  /// - Parameters:
  ///   - staysLive: Whether the upstream stays live without followers until the hub is released.
  ///   - makeUpstream: Makes the observation, with the handler of its events.
  init(staysLive: Bool, _ makeUpstream: @escaping MakeUpstream) {
    self.makeUpstream = makeUpstream
    self.staysLive = staysLive
  }

  /// The latest event; `nil` before the first one.
  var latest: AnyObservedMoment? { state.withLock { $0.latest } }

  /// The observation while it is live.
  var upstream: CallbackObservation? { state.withLock { $0.upstream } }

  /// Adds a subscriber, and delivers the latest event to it.
  ///
  /// - Returns: The upstream to start, if this is the first subscriber.
  func add(_ subscriber: any ObservationSubscriber) -> CallbackObservation? {
    let (latest, epoch) = state.withLock { state in
      state.subscribers[ObjectIdentifier(subscriber)] = subscriber
      if state.upstream == nil { state.epoch += 1 }
      return (state.latest, state.upstream == nil ? state.epoch : nil)
    }
    if let latest { subscriber.receive(latest)?.dispatch() }
    guard let epoch else { return nil }
    let upstream = makeUpstream(
      { [weak self] in self?.deliver($0, epoch: epoch) },
      { [weak self] completion in
        if let self { self.flush(completion) } else { completion() }
      }
    )
    let isUsed = state.withLock { state in
      guard state.upstream == nil, state.epoch == epoch else { return false }
      state.upstream = upstream
      return true
    }
    if isUsed { return upstream }
    // Another thread was faster.
    upstream.end()
    return nil
  }

  private func deliver(_ new: AnyObservedMoment, epoch: Int) {
    let (former, moment, subscribers) = state.withLock { state in
      guard state.epoch == epoch else {
        return (AnyObservedMoment?.none, AnyObservedMoment?.none, [any ObservationSubscriber]())
      }
      let former = state.latest
      state.sequence += 1
      state.latest = new.copy(sequence: state.sequence)
      return (former, state.latest, Array(state.subscribers.values))
    }
    guard let moment else { return }
    // The former value is released outside the lock, because it may have a `deinit`.
    withExtendedLifetime(former) {
      for subscriber in subscribers { subscriber.receive(moment)?.dispatch() }
    }
  }

  private func flush(_ completion: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for subscriber in state.withLock({ Array($0.subscribers.values) }) {
      group.enter()
      subscriber.flush { group.leave() }
    }
    group.notify(queue: .global(), execute: completion)
  }

  /// Removes a subscriber. The upstream ends with the last one, unless it stays live.
  func remove(_ subscriber: any ObservationSubscriber) {
    end { state in
      let removed = state.subscribers.removeValue(forKey: ObjectIdentifier(subscriber))
      return (state.subscribers.isEmpty && (!staysLive || state.isReleased), removed)
    }
  }

  func subscribe(
    _ subscriber: any ObservationSubscriber,
    in database: any ObservedDatabase,
    dropsEqualValues: Bool,
    pace: Duration?
  ) -> any ObservationSubscription {
    HubSubscription(to: self, subscriber)
  }

  // A hub has no query.
  func handling(_ handlers: QueryEventHandlers) -> any ObservationSourcing { self }

  func release() {
    end { state in
      state.isReleased = true
      return (state.subscribers.isEmpty, nil)
    }
  }

  /// Ends the upstream, if the closure says so.
  private func end(
    if condition: (inout State) -> (Bool, (any ObservationSubscriber)?)
  ) {
    let (upstream, latest, removed) = state.withLock { state in
      let (mustEnd, removed) = condition(&state)
      guard mustEnd else {
        return (CallbackObservation?.none, AnyObservedMoment?.none, removed)
      }
      defer {
        state.upstream = nil
        state.latest = nil
        state.epoch += 1
      }
      return (state.upstream, state.latest, removed)
    }
    withExtendedLifetime((latest, removed)) { upstream?.end() }
  }
}

/// A hub, whatever the type of its values.
protocol ReleasableHub: AnyObject, Sendable {
  /// Lets the observation end with its last follower, because no further follower can come.
  func release()
}

/// A subscription to an observation that its followers share.
final class HubSubscription: ObservationSubscription {
  private let hub: ObservationHub
  private let subscriber: any ObservationSubscriber

  init(to hub: ObservationHub, _ subscriber: any ObservationSubscriber) {
    self.hub = hub
    self.subscriber = subscriber
  }

  func start() { hub.add(subscriber)?.start() }

  func startAndWait() -> AnyObservedMoment? {
    hub.add(subscriber)?.startAndWait()
    // The subscriber drops an event that it has already received.
    return hub.latest
  }

  func startWithNewRun(_ completion: @escaping @Sendable () -> Void) {
    // The hub has no query that could run, so its latest event is the result.
    hub.add(subscriber)?.start()
    subscriber.flush(completion)
  }

  func refresh(_ completion: @escaping @Sendable () -> Void) {
    // The hub's flush reaches the subscriber too.
    guard let upstream = hub.upstream else { return completion() }
    upstream.refresh(completion)
  }

  func end() { hub.remove(subscriber) }

  func explain() -> ObservationExplanation? { hub.upstream?.explain() }
}
