import Sharing
import SharingTestSupport
import Testing

@testable import JobQueue

@Suite(.inMemoryDatabase { db in try Job.createTables(db) })
struct JobQueueTests {
  @Test func `the dashboard counts jobs`() async throws {
    let dashboard = Dashboard()
    let queue = JobQueue(try testDatabase)
    try await queue.add(["resize", "send"])
    _ = try await queue.claim(for: "Ada")
    try await quiesce()
    #expect(dashboard.summary == "1 waiting, 1 running, 0 done, 0 failed")
  }
}

extension JobQueueTests {
  @Test(.fixedValue(of: .runningJobs, [Job(id: 1, name: "resize", state: .running)]))
  func `the dashboard shows running jobs`() {
    #expect(Dashboard().summary == "0 waiting, 1 running, 0 done, 0 failed")
  }
}

extension JobQueueTests {
  @Test func `the dashboard says why jobs have failed, at each attempt`() async throws {
    let dashboard = Dashboard()
    let queue = JobQueue(try testDatabase)
    try await queue.add(["send"])
    for error in ["no network", "no answer"] {
      try await queue.retryFailedJobs()
      let job = try #require(try await queue.claim(for: "Ada"))
      try await queue.end(job, as: .failed, error: error)
    }
    try await quiesce()
    #expect(dashboard.report == ["send: no network, no answer"])
  }

  @Test func `workers run each job once`() async throws {
    let queue = JobQueue(try testDatabase)
    let workers = (1...3).map { number in
      Worker("worker \(number)", queue) { job in
        if job.name == "fail" { throw CancellationError() }
      }
    }
    try await withThrowingTaskGroup { group in
      for worker in workers { group.addTask { try await worker.run() } }
      try await queue.add((1...20).map { "job \($0)" } + ["fail"])
      for await counts in Dashboard().$counts.values where counts.done + counts.failed == 21 {
        #expect(counts == JobCounts.Value(waiting: 0, done: 20, failed: 1))
        break
      }
      group.cancelAll()
    }
  }

  @Test func `watching ends when no job is left`() async throws {
    let queue = JobQueue(try testDatabase)
    let worker = Worker("Ada", queue) { _ in }
    let work = Task { try await worker.run() }
    try await queue.add(["resize", "send"])
    var lines: [String] = []
    try await Dashboard().watch { lines.append($0) }
    #expect(lines.last == "2 ended; running: []")
    work.cancel()
    // Cancellation may interrupt the worker while it claims another job.
    do { try await work.value } catch is CancellationError {}
  }
}
