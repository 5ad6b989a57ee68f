internal import Dispatch
internal import WellspringPlatform

/// Runs the callbacks of an observation one after the other, on the library thread that is free
/// first.
public struct SerialScheduler: ValueObservationScheduler {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let isImmediate: Bool
  private let queue = CallbackQueue()

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func immediateInitialValue() -> Bool { isImmediate }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    queue.value.async(execute: action)
  }
}

/// A queue that is made when it is needed: most callbacks run on the thread that ran the query.
private final class CallbackQueue: Sendable {
  // Guards the queue.
  private let queue = Lock(DispatchQueue?.none)

  var value: DispatchQueue {
    queue.withLock { queue in
      if let queue { return queue }
      let new = DispatchQueue(label: "wellspring.callbacks")
      queue = new
      return new
    }
  }
}

extension ValueObservationScheduler where Self == SerialScheduler {
  /// Callbacks run one after the other, on threads of the library.
  public static var async: SerialScheduler { SerialScheduler(isImmediate: false) }

  /// The first callback runs before `start` returns, on the calling thread; the later ones one
  /// after the other, on threads of the library.
  public static var immediate: SerialScheduler { SerialScheduler(isImmediate: true) }
}
