/// The subscription of one subscriber to a query or a hub, from its start to its end.
protocol ObservationSubscription: AnyObject, Sendable {
  /// Begins to deliver to the subscriber; the first value or error comes on another thread.
  func start()

  /// Begins to deliver to the subscriber, and waits for the first value or error.
  ///
  /// - Returns: That value or error; `nil` where waiting for it could deadlock. The same event is
  ///   not sent to the subscriber, or is dropped by it.
  func startAndWait() -> AnyObservedMoment?

  /// Begins to deliver to the subscriber, and calls `completion` when it has received the result of
  /// a run of the query that begins now.
  func startWithNewRun(_ completion: @escaping @Sendable () -> Void)

  /// Runs the query of a started subscription again, and calls `completion` when the subscriber has
  /// received the result, or when there is nothing to deliver.
  func refresh(_ completion: @escaping @Sendable () -> Void)

  /// Ends the subscription. A query ends with its last subscription.
  func end()

  /// Explains what the query reads, and why it has run.
  func explain() -> ObservationExplanation?
}
