internal import WellspringSystem

extension WriteForwarder {
  /// Runs an operation in a task, and waits for it no longer than until a time.
  ///
  /// The task is cancelled at the end of the wait. A task that continues does not delay the
  /// caller.
  ///
  /// - Returns: The value; `nil` if the time was over, or the task of the caller was cancelled.
  static func bounded<Value: Sendable>(
    until end: ContinuousClock.Instant,
    _ operation: @escaping @Sendable () async -> Value
  ) async -> Value? {
    // Guards the tasks that have been started.
    let tasks = Lock<[Task<Void, Never>]>([])
    let value = await Promise<Value?>.value { promise in
      let work = Task { promise.fulfil(await operation()) }
      let timer = Task {
        try? await Task.sleep(until: end, clock: .continuous)
        promise.fulfil(nil)
      }
      tasks.withLock { $0 = [work, timer] }
    } onCancel: {
      nil
    }
    for task in tasks.withLock({ $0 }) { task.cancel() }
    return value
  }
}
