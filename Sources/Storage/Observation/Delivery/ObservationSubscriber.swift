/// Receives the events of an observation.
protocol ObservationSubscriber: AnyObject, Sendable {
  /// Takes an event. Events come with rising sequence numbers. An event that was overtaken by a
  /// newer one on another thread, or that comes a second time, must be dropped.
  ///
  /// This must not block: it is called by the thread that serves all observations.
  ///
  /// - Returns: A call that the caller must make or dispatch now, or `nil`.
  func receive(_ moment: AnyObservedMoment) -> (any PendingCall)?

  /// Calls the completion when the calls for all received events have returned, or, in a loop, when
  /// these events can be taken.
  func flush(_ completion: @escaping @Sendable () -> Void)
}
