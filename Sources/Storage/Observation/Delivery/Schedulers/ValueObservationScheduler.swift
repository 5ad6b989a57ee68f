/// Runs the callbacks of an observation.
public protocol ValueObservationScheduler: Sendable {
  /// Whether the first value is fetched and delivered by the call that starts the observation,
  /// before it returns.
  var isImmediate: Bool { get }

  /// Runs an action later. The actions of one observation come one after the other.
  func schedule(_ action: @escaping @Sendable () -> Void)
}
