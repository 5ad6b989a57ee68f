internal import WellspringSystem

/// An activity that can be ended, such as an observation.
///
///     var cancellable: (any DatabaseCancellable)?
///     cancellable = observation.start(in: pool) { error in … } onChange: { items in … }
public protocol DatabaseCancellable: AnyObject, Sendable {
  /// Ends the activity. Nothing happens when it has ended.
  func cancel()
}

/// An activity that continues until it is cancelled, or until this object is released.
public final class AnyDatabaseCancellable: DatabaseCancellable {
  private enum Running {
    case action(end: @Sendable () -> Void)
    case observation(CallbackObservation)

    var observation: CallbackObservation? {
      if case .observation(let observation) = self { observation } else { nil }
    }

    func end() {
      switch self {
      case .action(let end): end()
      case .observation(let observation): observation.end()
      }
    }
  }

  // Guards the activity, so that it ends once. It is released then, with everything that it holds.
  private let running: Lock<Running?>

  /// Makes an object that runs `action` once, when it is cancelled or released.
  public init(_ action: @escaping @Sendable () -> Void) {
    running = Lock(.action(end: action))
  }

  /// Makes an object that runs `cancel` once, when it is cancelled or released.
  public convenience init(cancel: @escaping @Sendable () -> Void) { self.init(cancel) }

  /// Makes an object that ends another activity when it is cancelled or released.
  public convenience init(_ cancellable: some DatabaseCancellable) {
    self.init { cancellable.cancel() }
  }

  /// Makes an object that ends an observation.
  init(_ observation: CallbackObservation) {
    running = Lock(.observation(observation))
  }

  deinit {
    cancel()
  }

  /// Ends the activity. A callback that has begun, or is about to begin, may still be running when
  /// this returns. No further callback follows.
  public func cancel() {
    let ended = running.withLock { $0.take() }
    ended?.end()
  }

  /// Explains the region of a running ``ValueObservation``, and which commits made it run again.
  ///
  ///     print(cancellable.explain()!)
  ///     // reads item(id,name,price)
  ///     //   SELECT * FROM item ORDER BY name
  ///     // commit 7 touched item(price)
  ///
  /// - Returns: The explanation; `nil` when the observation has ended, and for anything but an
  ///   observation of values.
  public func explain() -> ObservationExplanation? {
    observation?.explain()
  }

  /// Runs the query of a running ``ValueObservation`` again, and calls `completion` after the
  /// callback with the result. A result that equals the last one needs no callback. When nothing is
  /// observed, `completion` is called immediately.
  package func refresh(_ completion: @escaping @Sendable () -> Void) {
    guard let observation else { return completion() }
    observation.refresh(completion)
  }

  private var observation: CallbackObservation? { running.withLock { $0?.observation } }
}
