/// Where the values of a key are delivered.
struct Delivery: Sendable {
  private let scheduler: any ValueObservationScheduler
  private let place: Place

  private enum Place: @unchecked Sendable {
    // Safe to share: schedulers are Sendable, which their type-erased form does not say.

    /// A thread of the library.
    case anywhere
    /// Where equal schedulers deliver too.
    case known(AnyHashable)
    /// Where nobody else delivers, as far as can be told.
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

  /// Keys with equal ones share a reference, all others only the query: `nil` for the default place.
  var identity: AnyHashable? {
    switch place {
    case .anywhere: nil
    case .known(let scheduler): scheduler
    case .unknown(let token): AnyHashable(ObjectIdentifier(token))
    }
  }

  /// The scheduler of a subscription.
  func scheduler<Value>(for context: LoadContext<Value>) -> any ValueObservationScheduler {
    switch context {
    case .initialValue: isDefault ? SerialScheduler.immediate : FirstAtOnce(others: scheduler)
    case .userInitiated: isDefault ? SerialScheduler.async : scheduler
    }
  }

  /// Delivers the first value on the thread that asks for it, and the others where `others` says.
  private struct FirstAtOnce: ValueObservationScheduler {
    let others: any ValueObservationScheduler
    var isImmediate: Bool { true }
    func schedule(_ action: @escaping @Sendable () -> Void) { others.schedule(action) }
  }
}
