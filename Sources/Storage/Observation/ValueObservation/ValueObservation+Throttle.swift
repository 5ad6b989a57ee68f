extension ValueObservation {
  /// Delivers at most one value in each interval: the first value immediately, and the newest of
  /// the following values at the end of the interval.
  ///
  ///     for try await items in observation.throttle(for: .seconds(1)).values(in: pool) {
  ///       await send(items)
  ///     }
  ///
  /// The last value is never lost. Errors are held back in the same way. During the interval, the
  /// query does not run, unless another observation of the same request wants its value.
  ///
  /// - Parameter interval: The shortest time between two values.
  /// - Returns: An observation that has not been started.
  public func throttle(for interval: Duration) -> ValueObservation {
    var observation = self
    observation.options.interval = max(interval, options.interval ?? .zero)
    return observation
  }

  /// Returns an observation whose query need not run within an interval after a run, because its
  /// subscriber holds values back for as long.
  package func paced(by interval: Duration) -> ValueObservation {
    var observation = self
    observation.options.pace = interval
    return observation
  }
}
