/// A running subscription of a ``SharedReaderKey``. It ends when it is cancelled or released.
public final class SharedSubscription: Sendable {
  private let cancellable: AnyDatabaseCancellable

  /// Creates a subscription that calls a closure when it ends.
  public convenience init(_ cancel: @escaping @Sendable () -> Void) {
    self.init(AnyDatabaseCancellable(cancel))
  }

  init(_ cancellable: AnyDatabaseCancellable) {
    self.cancellable = cancellable
  }

  /// Runs the query of a database key again, and calls a closure after its result was delivered.
  ///
  /// A result that equals the previous one is not delivered again; the closure is called all the
  /// same.
  func refresh(_ completion: @escaping @Sendable () -> Void) { cancellable.refresh(completion) }

  /// Ends the subscription.
  public func cancel() { cancellable.cancel() }
}
