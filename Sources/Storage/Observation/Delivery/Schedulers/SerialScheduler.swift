public import Dispatch
internal import WellspringPlatform

/// Says where the callbacks of an observation run.
public protocol ValueObservationScheduler: Sendable {
  /// Whether the first value is fetched and delivered by the call that starts the observation,
  /// before it returns.
  var isImmediate: Bool { get }

  /// Runs an action some time later. The actions of one observation come one after the other.
  func schedule(_ action: @escaping @Sendable () -> Void)
}

/// Runs callbacks on a dispatch queue.
public struct DispatchQueueScheduler: ValueObservationScheduler, Hashable {
  /// The queue.
  public let queue: DispatchQueue

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let isImmediate: Bool

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

/// Runs the callbacks of an observation one after the other, on whatever thread serves it soonest.
public struct SerialScheduler: ValueObservationScheduler {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let isImmediate: Bool
  private let queue = CallbackQueue()

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    queue.value.async(execute: action)
  }
}

/// A queue that is made when it is needed: most callbacks run on a thread that is there anyway.
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

  /// The first callback runs before `start` returns, on the calling thread; the others one after the
  /// other, on threads of the library.
  public static var immediate: SerialScheduler { SerialScheduler(isImmediate: true) }
}

extension ValueObservationScheduler where Self == DispatchQueueScheduler {
  /// Callbacks run on a queue of yours.
  public static func async(onQueue queue: DispatchQueue) -> DispatchQueueScheduler {
    DispatchQueueScheduler(queue: queue, isImmediate: false)
  }
}
