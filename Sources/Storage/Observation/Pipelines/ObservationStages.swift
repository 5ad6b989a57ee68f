internal import WellspringSystem

/// A stage of a pipeline: it turns an event into another one, or drops it. The events of one
/// subscriber come one at a time.
typealias ObservationStage<Value: Sendable, New: Sendable> =
  @Sendable (ObservedEvent<Value>) -> ObservedEvent<New>?

/// A stage for which the types of the values do not matter.
typealias UntypedStage = @Sendable (AnyObservedMoment) -> AnyObservedMoment?

/// Returns a stage that makes each result from the last value and the new value.
func comparing<Value: Sendable, New: Sendable>(
  _ transform: @escaping @Sendable (_ last: Numbered<Value>?, _ new: Numbered<Value>) throws -> New
) -> @Sendable () -> ObservationStage<Value, New> {
  {
    // Guards the last value. It is used and released outside.
    let last = Lock(Numbered<Value>?.none)
    return { event in
      event.numbered.map { new in
        let before = last.withLock { $0 }
        let result = try transform(before, new)
        last.withLock { $0 = new }
        return withExtendedLifetime(before) { result }
      }
    }
  }
}

/// Returns a stage that drops values equal to the last one that passed, unless an error came
/// between.
func droppingEqual<Value: Sendable>(
  _ areEqual: @escaping @Sendable (Value, Value) -> Bool
) -> @Sendable () -> ObservationStage<Value, Value> {
  {
    // Guards the last value. It is compared and released outside.
    let last = Lock(Value?.none)
    return { event in
      let before = last.withLock { $0 }
      guard case .value(let numbered) = event else {
        last.withLock { $0 = nil }
        return withExtendedLifetime(before) { event }
      }
      if let before, areEqual(before, numbered.value) { return nil }
      last.withLock { $0 = numbered.value }
      return withExtendedLifetime(before) { event }
    }
  }
}
