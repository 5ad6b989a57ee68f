/// An activity that can be ended, such as an observation.
///
///     var cancellable: (any DatabaseCancellable)?
///     cancellable = observation.start(in: pool) { error in … } onChange: { items in … }
public protocol DatabaseCancellable: AnyObject, Sendable {
  /// Ends the activity. Nothing happens when it has ended.
  func cancel()
}
