internal import WellspringPlatform

/// A running subscription of a ``SharedReaderKey``. It ends when it is cancelled or released.
public final class SharedSubscription: Sendable {
  // Guards the closure, so that it is called once, outside.
  private let onCancel: Lock<(@Sendable () -> Void)?>

  /// Makes a subscription that calls a closure when it ends.
  public init(_ cancel: @escaping @Sendable () -> Void) {
    onCancel = Lock(cancel)
  }

  deinit {
    cancel()
  }

  /// Ends the subscription.
  public func cancel() {
    let action = onCancel.withLock { onCancel -> (@Sendable () -> Void)? in
      defer { onCancel = nil }
      return onCancel
    }
    action?()
  }
}
