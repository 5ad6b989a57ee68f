extension ValueObservation {
  /// Turns each value into another one.
  ///
  ///     let names = ValueObservation.tracking { db in try Item.fetchAll(db) }
  ///       .map { items in items.map(\.name) }
  ///
  /// The closure runs outside the database access, where the values are delivered. It does not run
  /// for values that are skipped because newer ones have come. A result that is equal to the one
  /// before is not delivered, unless ``allowDuplicates()`` was called.
  ///
  /// - Parameter transform: Makes the new value. An error that it throws is delivered like an error
  ///   of the query, and does not end the observation.
  /// - Returns: An observation that still shares its query with observations of equal requests.
  public func map<New: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> New
  ) -> ValueObservation<New> {
    let mapped: any ObservationPipeline<New> = pipeline.appending {
      { event in event.map(transform) }
    }
    guard pipeline.dropsEqualValues, isEquatable(New.self) else { return with(mapped) }
    return with(mapped.droppingEqual { areEquatablesEqual($0, $1) })
  }

  /// Returns the same observation, with the number of each value's snapshot.
  public func numbered() -> ValueObservation<Numbered<Value>> {
    with(pipeline.appending { { event in event.numbered } })
  }
}
