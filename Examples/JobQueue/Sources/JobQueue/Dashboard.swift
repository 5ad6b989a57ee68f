import Sharing

extension SharedReaderKey where Self == FetchKey<[Job]>.Default {
  static var runningJobs: Self {
    Self[.fetchAll(Job.filter { $0.state == .running }.order(\.id)), default: []]
  }
}

extension SharedReaderKey where Self == FetchKey<[JobHistory]>.Default {
  static var failedJobs: Self {
    Self[
      .fetchAll(
        Job.filter { $0.state == .failed }.order(\.id)
          .including(all: Job.attempts.order(\.id))
          .asRequest(of: JobHistory.self)
      ),
      default: []
    ]
  }
}

/// A live view of the queue.
public struct Dashboard: Sendable {
  @SharedReader(.fetch(JobCounts())) var counts = JobCounts.Value()
  @SharedReader(.runningJobs) var running
  @SharedReader(.failedJobs) var failures

  /// Creates a dashboard of the default database.
  public init() {}

  /// A line that summarizes the current state.
  public var summary: String {
    "\(counts.waiting) waiting, \(running.count) running, \(counts.done) done, "
      + "\(counts.failed) failed"
  }

  /// A line for each failed job, with the errors of all attempts to run it.
  public var report: [String] {
    failures.map { failure in
      "\(failure.job.name): \(failure.attempts.compactMap(\.error).joined(separator: ", "))"
    }
  }

  /// Reports each new state of the queue, until no job is left.
  public func watch(
    isolation: isolated (any Actor)? = #isolation,
    _ report: (String) -> Void
  ) async throws {
    for try await (counts, running) in values(of: $counts, $running) {
      report("\(counts.done + counts.failed) ended; running: \(running.map(\.name))")
      if counts.waiting == 0, running.isEmpty, counts != JobCounts.Value() { return }
    }
  }
}
