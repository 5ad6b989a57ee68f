import Sharing

extension SharedReaderKey where Self == FetchKey<[Job]>.Default {
  static var runningJobs: Self {
    Self[.fetchAll(Job.filter { $0.state == Job.State.running }.order(\.id)), default: []]
  }
}

/// A live view of the queue.
public struct Dashboard: Sendable {
  @SharedReader(.fetch(JobCounts())) var counts = JobCounts.Value()
  @SharedReader(.runningJobs) var running

  /// Creates a dashboard of the default database.
  public init() {}

  /// A line that summarizes the current state.
  public var summary: String {
    "\(counts.waiting) waiting, \(running.count) running, \(counts.done) done, "
      + "\(counts.failed) failed"
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
