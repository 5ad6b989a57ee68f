/// The place where the values of a key are delivered.
struct Delivery: Sendable {
  /// The scheduler of values that do not come immediately.
  let scheduler: any ValueObservationScheduler
  private let place: Place

  private enum Place: @unchecked Sendable {
    // Safe to share: schedulers are Sendable, but `AnyHashable` does not express that.

    /// Any thread of the library.
    case anywhere
    /// The place of a hashable scheduler, shared with equal schedulers.
    case known(AnyHashable)
    /// The place of a scheduler that cannot be compared, so that it is assumed to be unique.
    case unknown(Token)
  }

  private final class Token: Sendable {}

  init(_ scheduler: some ValueObservationScheduler) {
    self.scheduler = scheduler
    place =
      if scheduler is SerialScheduler {
        .anywhere
      } else if let scheduler = scheduler as? any Hashable {
        .known(AnyHashable(scheduler))
      } else {
        .unknown(Token())
      }
  }

  private var isDefault: Bool { if case .anywhere = place { true } else { false } }

  /// The identity of the place; `nil` for the default place.
  ///
  /// Equal keys share a reference if their places are equal. Otherwise they share only the query.
  var identity: AnyHashable? {
    switch place {
    case .anywhere: nil
    case .known(let scheduler): scheduler
    case .unknown(let token): AnyHashable(ObjectIdentifier(token))
    }
  }

  /// Returns the scheduler for a subscription.
  func scheduler<Value>(for context: LoadContext<Value>) -> any ValueObservationScheduler {
    switch context {
    case .initialValue: immediateScheduler
    case .userInitiated: isDefault ? SerialScheduler.async : scheduler
    }
  }

  /// The scheduler for a subscription whose first value is delivered on the calling thread.
  var immediateScheduler: any ValueObservationScheduler {
    isDefault ? SerialScheduler.immediate : ImmediateFirst(rest: scheduler)
  }

  /// A scheduler that delivers the first value on the calling thread, and later values with `rest`.
  private struct ImmediateFirst: ValueObservationScheduler {
    let rest: any ValueObservationScheduler
    var isImmediate: Bool { true }
    func schedule(_ action: @escaping @Sendable () -> Void) { rest.schedule(action) }
  }
}
