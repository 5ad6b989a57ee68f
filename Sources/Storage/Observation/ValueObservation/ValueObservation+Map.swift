extension ValueObservation {
  /// Turns each value into another one.
  ///
  ///     let names = ValueObservation.tracking { db in try Item.fetchAll(db) }
  ///       .map { items in items.map(\.name) }
  ///
  /// The closure runs outside of the database access, where the values are delivered: for values that
  /// are skipped because newer ones have come, it does not run. What it makes is not delivered when it
  /// is equal to what it made before, unless ``allowDuplicates()`` was called.
  ///
  /// - Parameter transform: Makes the new value. An error that it throws is delivered like one of the
  ///   query, and does not end the observation.
  /// - Returns: An observation that still shares its query with observations of equal requests.
  public func map<New: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> New
  ) -> ValueObservation<New> {
    let mapped: any ObservationPipeline<New> = pipeline.appending {
      { event in event.map(transform) }
    }
    guard dropsEqualValues, let areEqual = equality(of: New.self) else {
      return with(mapped)
    }
    return with(mapped.droppingEqual(by: areEqual))
  }

  /// The same observation, with the number of each value's snapshot.
  public func numbered() -> ValueObservation<Numbered<Value>> {
    with(
      pipeline.appending {
        { event in
          switch event {
          case .value(let value): .value(Numbered(number: value.number, value: value))
          case .failure(let error): .failure(error)
          case .closed: .closed
          }
        }
      }
    )
  }
}
