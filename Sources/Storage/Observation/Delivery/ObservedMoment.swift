/// An event with its place in the order of a query's events, for code that only passes it on. Such
/// code need not know the type of the value, which makes it much faster.
class AnyObservedMoment: @unchecked Sendable {
  // Safe to share: the number is set before the object is shared, and the rest is constant.
  private(set) final var sequence: UInt64

  fileprivate init(sequence: UInt64) {
    self.sequence = sequence
  }

  /// Sets the event's place, before another thread can see the event.
  final func setSequence(_ sequence: UInt64) { self.sequence = sequence }

  /// The event.
  ///
  /// - Precondition: The moment was made with values of this type.
  final func event<Value: Sendable>(of type: Value.Type) -> ObservedEvent<Value> {
    unsafeDowncast(self, to: ObservedMoment<Value>.self).event
  }
}

/// An event with its place in the order of a query's events.
final class ObservedMoment<Value: Sendable>: AnyObservedMoment, @unchecked Sendable {
  // Safe to share: the class adds only a constant.
  let event: ObservedEvent<Value>

  /// - Parameters:
  ///   - sequence: Its place; 0 when it is not known yet.
  ///   - event: The event.
  init(sequence: UInt64 = 0, event: ObservedEvent<Value>) {
    self.event = event
    super.init(sequence: sequence)
  }
}
