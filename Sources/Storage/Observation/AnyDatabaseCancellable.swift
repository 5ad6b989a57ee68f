internal import WellspringPlatform

/// Something that goes on until it is cancelled, or until this object is released.
public final class AnyDatabaseCancellable: Sendable {
  // Guards the action, so that it runs once.
  private let action: Lock<(@Sendable () -> Void)?>

  /// Makes an object that runs `action` once, when it is cancelled or released.
  public init(_ action: @escaping @Sendable () -> Void) {
    self.action = Lock(action)
  }

  deinit {
    cancel()
  }

  /// Ends what goes on. No callback begins after that; one that runs may still be running.
  public func cancel() {
    let action = action.withLock { action -> (@Sendable () -> Void)? in
      defer { action = nil }
      return action
    }
    action?()
  }
}
