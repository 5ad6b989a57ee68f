extension ValueObservation {
  /// Returns an observation whose receiver holds values back.
  ///
  /// - Parameter flush: Delivers the value that is held back, and then calls its completion. It is
  ///   called when the observation is refreshed, and when the database is to become quiet.
  /// - Returns: An observation that has not been started.
  package func flushing(
    _ flush: @escaping @Sendable (_ completion: @escaping @Sendable () -> Void) -> Void
  ) -> ValueObservation {
    var observation = self
    observation.options.flushDownstream = flush
    return observation
  }
}
