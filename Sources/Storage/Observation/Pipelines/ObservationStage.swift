internal import WellspringPlatform

/// A stage of a pipeline: it turns an event into another one, or drops it. The events of one
/// subscriber come one at a time.
typealias ObservationStage<Value: Sendable, New: Sendable> =
  @Sendable (ObservedEvent<Value>) -> ObservedEvent<New>?

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
