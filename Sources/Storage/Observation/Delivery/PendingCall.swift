internal import Dispatch

/// A call of a subscriber's closure. The thread that makes it must be one that no other thread
/// waits for, because the closure may take any time.
protocol PendingCall: AnyObject, Sendable {
  /// The queue on which the call must be made; `nil` when any thread may make it.
  var queue: DispatchQueue? { get }
  /// Makes the call on the current thread.
  func make()
  /// Lets another thread make the call.
  func dispatch()
}
