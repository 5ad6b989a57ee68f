import Sharing

/// How many jobs there are in each state. Its queries see one state of the database.
struct JobCounts: FetchKeyRequest {
  struct Value: Equatable {
    var waiting = 0
    var done = 0
    var failed = 0
  }

  func fetch(_ db: Database) throws -> Value {
    func count(_ state: Job.State) throws -> Int {
      try Job.filter { $0.state == state }.fetchCount(db)
    }
    return try Value(waiting: count(.waiting), done: count(.done), failed: count(.failed))
  }
}

extension SharedReaderKey where Self == FetchKey<[Job]>.Default {
  static var runningJobs: Self {
    Self[.fetchAll(Job.filter { $0.state == Job.State.running }.order(\.id)), default: []]
  }
}

/// What goes on in the queue.
public struct Dashboard: Sendable {
  @SharedReader(.fetch(JobCounts())) var counts = JobCounts.Value()
  @SharedReader(.runningJobs) var running

  /// A dashboard of the default database.
  public init() {}

  /// A line that sums up the present state.
  public var summary: String {
    "\(counts.waiting) waiting, \(running.count) running, \(counts.done) done, "
      + "\(counts.failed) failed"
  }

  /// Tells each state of the queue that differs from the one before, until nothing is left to do.
  public func watch(
    isolation: isolated (any Actor)? = #isolation,
    _ tell: (String) -> Void
  ) async throws {
    for try await (counts, running) in values(of: $counts, $running) {
      tell("\(counts.done + counts.failed) ended; running: \(running.map(\.name))")
      if counts.waiting == 0, running.isEmpty, counts != JobCounts.Value() { return }
    }
  }
}
