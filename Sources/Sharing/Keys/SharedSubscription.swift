/// A running subscription of a ``SharedReaderKey``. It ends when it is cancelled or released.
public final class SharedSubscription: Sendable {
  private let cancellable: AnyDatabaseCancellable
  /// Refreshes a subscription that is not an observation itself.
  private let refresh: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

  /// Creates a subscription that calls a closure when it ends.
  public convenience init(_ cancel: @escaping @Sendable () -> Void) {
    self.init(AnyDatabaseCancellable(cancel))
  }

  init(
    _ cancellable: AnyDatabaseCancellable,
    refresh: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil
  ) {
    self.cancellable = cancellable
    self.refresh = refresh
  }

  /// Runs the query of a database key again, and calls a closure after its result was delivered.
  ///
  /// A result that equals the previous one is not delivered again; the closure is called all the
  /// same.
  func refresh(_ completion: @escaping @Sendable () -> Void) {
    if let refresh { refresh(completion) } else { cancellable.refresh(completion) }
  }

  /// Ends the subscription.
  public func cancel() { cancellable.cancel() }
}
