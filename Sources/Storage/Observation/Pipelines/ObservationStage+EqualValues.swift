internal import WellspringPlatform

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
