/// Decides when events are delivered under a limit: a state machine without side effects. The clock
/// is passed in.
///
/// The first event is delivered immediately. Of the events that must wait, only the newest one is
/// kept. Deliveries come one at a time.
struct DeliveryLimiterStateMachine<Event: Sendable>: Sendable {
  /// The work to do after a change.
  enum Action: Sendable {
    case nothing
    /// Deliver the event, and then call ``didDeliver(now:)``.
    case deliver(Event)
    /// Call ``wake(now:)`` at this time.
    case wake(at: Duration)
  }

  private let limit: DeliveryLimit
  /// The newest event, while it must wait.
  private(set) var held: Event?
  private(set) var isDelivering = false
  /// The time before which the next event must wait; `nil` before the first event.
  private var notBefore: Duration?
  /// Whether the event that is held must not wait any longer.
  private var isFlushing = false
  /// The time of the next wake, if one is due.
  private var wakeTime: Duration?

  init(_ limit: DeliveryLimit) {
    self.limit = limit
  }

  /// Receives an event.
  ///
  /// - Returns: The action, and the event that is replaced, to be released outside the lock.
  mutating func receive(_ event: Event, now: Duration) -> (Action, replaced: Event?) {
    let replaced = held
    held = event
    if case .debounce(let interval) = limit {
      // The first event need not wait.
      notBefore = notBefore == nil ? now : now + interval
    }
    return (proceed(now), replaced)
  }

  /// Continues at the time of a wake.
  mutating func wake(now: Duration) -> Action {
    wakeTime = nil
    return proceed(now)
  }

  /// Continues after a delivery.
  mutating func didDeliver(now: Duration) -> Action {
    isDelivering = false
    if case .throttle(let interval) = limit { notBefore = now + interval }
    return proceed(now)
  }

  /// Delivers the event that is held without waiting any longer.
  mutating func flush(now: Duration) -> Action {
    isFlushing = held != nil
    return proceed(now)
  }

  private mutating func proceed(_ now: Duration) -> Action {
    guard !isDelivering, let event = held else { return .nothing }
    if let notBefore, now < notBefore, !isFlushing {
      // An earlier wake finds the event too.
      guard wakeTime == nil else { return .nothing }
      wakeTime = notBefore
      return .wake(at: notBefore)
    }
    held = nil
    isFlushing = false
    isDelivering = true
    return .deliver(event)
  }
}
