public import Dispatch
internal import WellspringSystem

/// Runs the callbacks of an observation.
///
/// A type that conforms has ``schedule(_:)``. When its first value is immediate, it also has
/// ``isImmediate`` or ``immediateInitialValue()``.
public protocol ValueObservationScheduler: Sendable {
  /// Whether the first value is fetched and delivered by the call that starts the observation,
  /// before it returns. The default is the result of ``immediateInitialValue()``.
  var isImmediate: Bool { get }

  /// Returns whether the first value is immediate, for schedulers that are written like GRDB's: see
  /// ``isImmediate``. The default is `false`.
  func immediateInitialValue() -> Bool

  /// Runs an action later. The actions of one observation come one after the other.
  func schedule(_ action: @escaping @Sendable () -> Void)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ValueObservationScheduler {
  public var isImmediate: Bool { immediateInitialValue() }
  public func immediateInitialValue() -> Bool { false }
}

/// Runs callbacks on the main actor.
///
/// It needs a program that serves the main actor: a program with an async `main`, or one that calls
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

/// Runs callbacks on a dispatch queue.
///
/// The callbacks of one commit run on it one after the other. On a concurrent queue, no callback
/// waits for one that takes longer than a millisecond or two.
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

/// Runs callbacks in tasks.
public struct TaskScheduler: ValueObservationScheduler {
  let priority: TaskPriority?
  let executor: (any TaskExecutor)?

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var isImmediate: Bool { false }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func immediateInitialValue() -> Bool { isImmediate }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    // A subscriber asks for the next call when the last one has returned, so that calls stay in
    // order.
    Task(executorPreference: executor, priority: priority) { action() }
  }
}

extension ValueObservationScheduler where Self == TaskScheduler {
  /// Callbacks run in tasks, on Swift's cooperative threads: they must not block.
  public static var task: TaskScheduler { TaskScheduler(priority: nil, executor: nil) }

  /// Callbacks run in tasks with a priority, and on an executor when one is given. They must not
  /// block the executor's threads.
  public static func task(
    priority: TaskPriority? = nil,
    on executor: (any TaskExecutor)? = nil
  ) -> TaskScheduler {
    TaskScheduler(priority: priority, executor: executor)
  }
}
