extension ValueObservation {
  /// Delivers at most one value in each interval: the first value immediately, and the newest of
  /// the following values at the end of the interval.
  ///
  ///     for try await items in observation.throttle(for: .seconds(1)).values(in: pool) {
  ///       await send(items)
  ///     }
  ///
  /// The last value is never lost. Errors are held back in the same way.
  ///
  /// - Parameter interval: The shortest time between two values.
  /// - Returns: An observation that has not been started.
  public func throttle(for interval: Duration) -> ValueObservation {
    var observation = self
    observation.options.interval = max(interval, options.interval ?? .zero)
    return observation
  }
}
