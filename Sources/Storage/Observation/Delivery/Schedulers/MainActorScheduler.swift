/// Runs callbacks on the main actor.
///
/// It needs a program that serves the main actor: one with an async `main`, or one that calls
/// `dispatchMain()`. A program that blocks its main thread gets no callback.
public struct MainActorScheduler: ValueObservationScheduler, Hashable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var isImmediate: Bool { false }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func immediateInitialValue() -> Bool { isImmediate }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    Task { @MainActor in action() }
  }
}

extension ValueObservationScheduler where Self == MainActorScheduler {
  /// Callbacks run on the main actor.
  public static var mainActor: MainActorScheduler { MainActorScheduler() }
}
