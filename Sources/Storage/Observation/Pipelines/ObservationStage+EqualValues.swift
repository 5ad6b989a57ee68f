internal import WellspringPlatform

/// A stage that drops values equal to the last one that passed, unless an error came between.
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

/// A stage that makes a value of the last one and the new one.
func comparing<Value: Sendable, New: Sendable>(
  _ transform: @escaping @Sendable (_ last: Value?, _ new: Value) throws -> New
) -> @Sendable () -> ObservationStage<Value, New> {
  {
    // Guards the last value. It is used and released outside.
    let last = Lock(Value?.none)
    return { event in
      event.map { new in
        let before = last.withLock { $0 }
        let result = try transform(before, new)
        last.withLock { $0 = new }
        return withExtendedLifetime(before) { result }
      }
    }
  }
}
