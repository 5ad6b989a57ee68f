public import Dispatch

/// Runs callbacks on a dispatch queue.
///
/// The callbacks of one commit run on it one after the other. On a concurrent queue, none waits for
/// one that takes longer than a millisecond or two.
public struct DispatchQueueScheduler: ValueObservationScheduler, Hashable {
  /// The queue.
  public let queue: DispatchQueue

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let isImmediate: Bool

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func immediateInitialValue() -> Bool { isImmediate }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    queue.async(execute: action)
  }

  /// Whether both deliver on one queue.
  public static func == (left: DispatchQueueScheduler, right: DispatchQueueScheduler) -> Bool {
    left.queue === right.queue && left.isImmediate == right.isImmediate
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(queue))
    hasher.combine(isImmediate)
  }
}

extension ValueObservationScheduler where Self == DispatchQueueScheduler {
  /// Callbacks run on a given queue.
  public static func async(onQueue queue: DispatchQueue) -> DispatchQueueScheduler {
    DispatchQueueScheduler(queue: queue, isImmediate: false)
  }
}
