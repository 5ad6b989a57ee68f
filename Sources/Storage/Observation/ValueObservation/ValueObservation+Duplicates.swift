extension ValueObservation {
  /// Delivers a value after each run of the query, also when it is equal to the one before.
  ///
  /// Use it where `==` does not look at all of a value. By default, equal values are not delivered.
  ///
  /// Such an observation shares its query with no other one.
  public func allowDuplicates() -> ValueObservation {
    var observation = with(pipeline.allowingDuplicates())
    observation.dropsEqualValues = false
    return observation
  }

  /// Drops values that a closure finds equal to the last one that was delivered.
  ///
  ///     observation.removeDuplicates { $0.map(\.version) == $1.map(\.version) }
  ///
  /// The closure takes the place of `==`, which is not asked any more. After an error, the next value
  /// is delivered in any case.
  ///
  /// Such an observation shares its query with no other one.
  ///
  /// - Parameter areEqual: Whether two values are equal.
  /// - Returns: An observation that has not been started.
  public func removeDuplicates(
    by areEqual: @escaping @Sendable (_ last: Value, _ new: Value) -> Bool
  ) -> ValueObservation {
    let observation = allowDuplicates()
    return observation.with(observation.pipeline.appending(droppingEqual(areEqual)))
  }
}

extension ValueObservation where Value: Equatable {
  /// Drops values that are equal to the last one that was delivered.
  ///
  /// That is done anyway, unless ``allowDuplicates()`` was called before.
  public func removeDuplicates() -> ValueObservation {
    dropsEqualValues ? self : with(pipeline.appending(droppingEqual(==)))
  }
}
