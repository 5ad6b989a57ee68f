internal import WellspringPlatform

/// Something that goes on until it is cancelled, or until this object is released.
public final class AnyDatabaseCancellable: Sendable {
  // Guards the action, so that it runs once.
  private let action: Lock<(@Sendable () -> Void)?>

  private let explanation: @Sendable () -> ObservationExplanation?

  /// Makes an object that runs `action` once, when it is cancelled or released.
  public convenience init(_ action: @escaping @Sendable () -> Void) {
    self.init(explain: { nil }, action)
  }

  init(
    explain: @escaping @Sendable () -> ObservationExplanation?,
    _ action: @escaping @Sendable () -> Void
  ) {
    explanation = explain
    self.action = Lock(action)
  }

  deinit {
    cancel()
  }

  /// Ends what goes on. One callback that is about to be made, or runs, may still be running when this
  /// returns; no other one follows.
  public func cancel() {
    let action = action.withLock { action -> (@Sendable () -> Void)? in
      defer { action = nil }
      return action
    }
    action?()
  }

  /// Tells what a running ``ValueObservation`` reads, and which commits made it run again.
  ///
  ///     print(cancellable.explain()!)
  ///     // reads item(id,name,price)
  ///     //   SELECT * FROM item ORDER BY name
  ///     // commit 7 touched item(price)
  ///
  /// - Returns: `nil` when it has ended, and for anything that is no observation of values.
  public func explain() -> ObservationExplanation? {
    action.withLock { $0 != nil } ? explanation() : nil
  }
}
