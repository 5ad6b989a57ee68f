/// A running subscription of a ``SharedReaderKey``. It ends when it is cancelled or released.
public final class SharedSubscription: Sendable {
  private let cancellable: AnyDatabaseCancellable

  /// Makes a subscription that calls a closure when it ends.
  public convenience init(_ cancel: @escaping @Sendable () -> Void) {
    self.init(AnyDatabaseCancellable(cancel))
  }

  init(_ cancellable: AnyDatabaseCancellable) {
    self.cancellable = cancellable
  }

  /// Sees to it that a database is asked anew, and calls a closure when the subscriber has been told the
  /// answer, or knows it.
  func refresh(_ completion: @escaping @Sendable () -> Void) { cancellable.refresh(completion) }

  /// Ends the subscription.
  public func cancel() { cancellable.cancel() }
}
