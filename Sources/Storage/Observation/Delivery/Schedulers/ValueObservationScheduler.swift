/// Runs the callbacks of an observation.
///
/// A type that conforms has ``schedule(_:)``. When its first value is immediate, it also has
/// ``isImmediate`` or ``immediateInitialValue()``.
public protocol ValueObservationScheduler: Sendable {
  /// Whether the first value is fetched and delivered by the call that starts the observation,
  /// before it returns. The default is what ``immediateInitialValue()`` returns.
  var isImmediate: Bool { get }

  /// Returns whether the first value is immediate, for schedulers that are written like those of
  /// GRDB: see ``isImmediate``. The default is `false`.
  func immediateInitialValue() -> Bool

  /// Runs an action later. The actions of one observation come one after the other.
  func schedule(_ action: @escaping @Sendable () -> Void)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ValueObservationScheduler {
  public var isImmediate: Bool { immediateInitialValue() }
  public func immediateInitialValue() -> Bool { false }
}
