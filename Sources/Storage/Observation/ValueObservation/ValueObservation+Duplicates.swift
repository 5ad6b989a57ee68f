extension ValueObservation {
  /// Delivers a value after each run of the query, even when it is equal to the one before.
  ///
  /// Use it where `==` does not look at all of a value. By default, equal values are not delivered.
  ///
  /// Such an observation shares its query with no other one.
  public func allowDuplicates() -> ValueObservation {
    with(pipeline.allowingDuplicates())
  }

  /// Drops values that a closure finds equal to the last one that was delivered.
  ///
  ///     observation.removeDuplicates { $0.map(\.name) == $1.map(\.name) }
  ///
  /// The closure replaces `==`. After an error, the next value is delivered in any case.
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
  /// This is the default, unless ``allowDuplicates()`` was called before.
  public func removeDuplicates() -> ValueObservation {
    pipeline.dropsEqualValues ? self : with(pipeline.appending(droppingEqual(==)))
  }
}
