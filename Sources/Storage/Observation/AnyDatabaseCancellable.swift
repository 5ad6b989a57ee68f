internal import WellspringPlatform

/// Something that goes on until it is cancelled, or until this object is released.
public final class AnyDatabaseCancellable: Sendable {
  // Guards the action, so that it runs once.
  private let action: Lock<(@Sendable () -> Void)?>

  /// What goes on, where that is an observation of values.
  private let observation: LiveObservation?

  /// Makes an object that runs `action` once, when it is cancelled or released.
  public init(_ action: @escaping @Sendable () -> Void) {
    observation = nil
    self.action = Lock(action)
  }

  /// Makes an object that ends an observation.
  init(_ observation: LiveObservation) {
    self.observation = observation
    action = Lock(observation.end)
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
    running?.explain()
  }

  /// Runs the query of a running ``ValueObservation`` anew, and calls a closure after the callback that tells
  /// its value or error, or when that is what was told last; at once when nothing is observed.
  package func refresh(_ completion: @escaping @Sendable () -> Void) {
    guard let running else { return completion() }
    running.refresh(completion)
  }

  private var running: LiveObservation? { action.withLock { $0 != nil } ? observation : nil }
}
