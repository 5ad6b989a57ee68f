internal import Dispatch
internal import WellspringPlatform

/// Hands the events of one observation to all who follow it.
final class ObservationHub<Value: Sendable>: Sendable {
  typealias MakeUpstream =
    @Sendable (@escaping @Sendable (ObservedEvent<Value>) -> Void, ObservationFlush?) ->
    LiveObservation

  private struct State {
    var upstream: LiveObservation?
    var latest: AnyObservedMoment?
    var sequence: UInt64 = 0
    var subscribers: [ObjectIdentifier: any ObservationSubscriber] = [:]
    /// Counts the upstreams, so that what an ended one still tells is not mixed up.
    var epoch = 0
    var isReleased = false
  }

  private let makeUpstream: MakeUpstream
  private let staysLive: Bool
  // Guards the latest event and the subscribers, who are told outside of it.
  private let state = Lock(State())

  init(staysLive: Bool, _ makeUpstream: @escaping MakeUpstream) {
    self.makeUpstream = makeUpstream
    self.staysLive = staysLive
  }

  func subscribe(
    _ subscriber: any ObservationSubscriber
  ) -> ObservationSubscription {
    ObservationSubscription(
      start: { self.add(subscriber)?.start() },
      startAndWait: {
        self.add(subscriber)?.startAndWait()
        // The subscriber drops what it has been told already.
        return self.state.withLock { $0.latest }
      },
      startAnew: { completion in
        // It fetches nothing by itself: what is there must do.
        self.add(subscriber)?.start()
        subscriber.flush(completion)
      },
      refresh: { completion in
        // The hub's flush reaches the subscriber too.
        guard let upstream = self.state.withLock({ $0.upstream }) else { return completion() }
        upstream.refresh(completion)
      },
      end: { self.remove(subscriber) },
      explain: { self.state.withLock { $0.upstream }?.explain() }
    )
  }

  /// Adds a subscriber.
  ///
  /// - Returns: What must be started, when it is the first one.
  private func add(_ subscriber: any ObservationSubscriber) -> LiveObservation? {
    let (latest, epoch) = state.withLock { state in
      state.subscribers[ObjectIdentifier(subscriber)] = subscriber
      if state.upstream == nil { state.epoch += 1 }
      return (state.latest, state.upstream == nil ? state.epoch : nil)
    }
    if let latest { subscriber.receive(latest)?.dispatch() }
    guard let epoch else { return nil }
    let upstream = makeUpstream(
      { [weak self] event in self?.tell(event, epoch: epoch) },
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
    // Somebody else was faster.
    upstream.end()
    return nil
  }

  private func tell(_ event: ObservedEvent<Value>, epoch: Int) {
    let (moment, subscribers) = state.withLock { state in
      guard state.epoch == epoch else {
        return (AnyObservedMoment?.none, [any ObservationSubscriber]())
      }
      state.sequence += 1
      state.latest = ObservedMoment<Value>(sequence: state.sequence, event: event)
      return (state.latest, Array(state.subscribers.values))
    }
    guard let moment else { return }
    for subscriber in subscribers {
      subscriber.receive(moment)?.dispatch()
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

  private func remove(_ subscriber: any ObservationSubscriber) {
    end { state in
      let removed = state.subscribers.removeValue(forKey: ObjectIdentifier(subscriber))
      return (state.subscribers.isEmpty && (!staysLive || state.isReleased), removed)
    }
  }

  /// Nobody new can come.
  func release() {
    end { state in
      state.isReleased = true
      return (state.subscribers.isEmpty, nil)
    }
  }

  /// Ends the upstream, when the closure says so.
  private func end(
    if condition: (inout State) -> (Bool, (any ObservationSubscriber)?)
  ) {
    let (upstream, latest, removed) = state.withLock { state in
      let (mustEnd, removed) = condition(&state)
      guard mustEnd else {
        return (LiveObservation?.none, AnyObservedMoment?.none, removed)
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
