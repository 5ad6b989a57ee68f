internal import WellspringPlatform

/// Something that goes on until it is cancelled, or until this object is released.
public final class AnyDatabaseCancellable: Sendable {
  private struct Running {
    let end: @Sendable () -> Void
    /// What goes on, where that is an observation of values.
    var observation: LiveObservation?
  }

  // Guards what goes on, so that it ends once. It is let go of then, with all that its closures hold.
  private let running: Lock<Running?>

  /// Makes an object that runs `action` once, when it is cancelled or released.
  public init(_ action: @escaping @Sendable () -> Void) {
    running = Lock(Running(end: action))
  }

  /// Makes an object that ends an observation.
  init(_ observation: LiveObservation) {
    running = Lock(Running(end: observation.end, observation: observation))
  }

  deinit {
    cancel()
  }

  /// Ends what goes on. One callback that is about to be made, or runs, may still be running when this
  /// returns; no other one follows.
  public func cancel() {
    let ended = running.withLock { $0.take() }
    ended?.end()
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
    observation?.explain()
  }

  /// Runs the query of a running ``ValueObservation`` anew, and calls a closure after the callback that tells
  /// its value or error, or when that is what was told last; at once when nothing is observed.
  package func refresh(_ completion: @escaping @Sendable () -> Void) {
    guard let observation else { return completion() }
    observation.refresh(completion)
  }

  private var observation: LiveObservation? { running.withLock { $0?.observation } }
}
