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
