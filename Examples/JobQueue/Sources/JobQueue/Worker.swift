import Sharing

/// Runs jobs as they arrive, one at a time.
public actor Worker {
  private let name: String
  private let queue: JobQueue
  private let work: @Sendable (Job) async throws -> Void

  @SharedReader(.fetchCount(Job.filter { $0.state == .waiting })) var waiting = 0

  /// Creates a worker, which does nothing until ``run()`` is called.
  public init(
    _ name: String,
    _ queue: JobQueue,
    work: @escaping @Sendable (Job) async throws -> Void
  ) {
    self.name = name
    self.queue = queue
    self.work = work
  }

  /// Runs jobs until the task is cancelled or the database is closed.
  public func run() async throws {
    for await waiting in $waiting.values where waiting > 0 {
      while let job = try await queue.claim(for: name) {
        do {
          try await work(job)
          try await queue.end(job, as: .done)
        } catch {
          try await queue.end(job, as: .failed, error: "\(error)")
        }
      }
    }
  }
}
