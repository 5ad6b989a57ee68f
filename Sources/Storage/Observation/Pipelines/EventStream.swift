/// The events of one subscriber, which iterates over them.
protocol EventStream<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  /// Returns the next event; `nil` at the end. The observation starts with the first call.
  func next() async -> ObservedEvent<Value>?

  func end()

  /// Explains what a running observation reads; `nil` before its first step and after its end.
  func explain() -> ObservationExplanation?
}
