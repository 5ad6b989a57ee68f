/// Runs callbacks in tasks.
public struct TaskScheduler: ValueObservationScheduler {
  let priority: TaskPriority?
  let executor: (any TaskExecutor)?

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var isImmediate: Bool { false }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    // A subscriber asks for the next call when one has returned, so that they stay in order.
    Task(executorPreference: executor, priority: priority) { action() }
  }
}

extension ValueObservationScheduler where Self == TaskScheduler {
  /// Callbacks run in tasks, on Swift's cooperative threads: they must not block.
  public static var task: TaskScheduler { TaskScheduler(priority: nil, executor: nil) }

  /// Callbacks run in tasks with a priority, and on an executor when one is given. They must not block
  /// the executor's threads.
  public static func task(
    priority: TaskPriority? = nil,
    on executor: (any TaskExecutor)? = nil
  ) -> TaskScheduler {
    TaskScheduler(priority: priority, executor: executor)
  }
}

/// Runs callbacks on the main actor.
///
/// It needs a program that serves the main actor: one with an async `main`, or one that calls
/// `dispatchMain()`. A program that blocks its main thread gets no callback.
public struct MainActorScheduler: ValueObservationScheduler, Hashable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var isImmediate: Bool { false }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    Task { @MainActor in action() }
  }
}

extension ValueObservationScheduler where Self == MainActorScheduler {
  /// Callbacks run on the main actor.
  public static var mainActor: MainActorScheduler { MainActorScheduler() }
}

extension ValueObservation {
  /// Starts the observation, and calls closures on the main actor: see
  /// ``start(in:scheduling:onError:onChange:)-(_,ValueObservationScheduler,_,_)``.
  public func start(
    in reader: some DatabaseReader,
    scheduling scheduler: MainActorScheduler,
    onError: @escaping @MainActor (any Error) -> Void,
    onChange: @escaping @MainActor (Value) -> Void
  ) -> AnyDatabaseCancellable {
    start(
      reader.observableCore,
      scheduler,
      onError: { error in MainActor.assumeIsolated { onError(error) } },
      onChange: { value in MainActor.assumeIsolated { onChange(value) } }
    )
  }
}
