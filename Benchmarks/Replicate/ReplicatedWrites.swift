internal import Dispatch
internal import Foundation
internal import Replication
internal import Storage
internal import Synchronization

/// The cost of a write that other machines have too, and the time until they have it. Three servers
/// of etcd on this machine keep the log, and write to its disk.
enum ReplicatedWrites {
  static let benchmarks = [
    Benchmark(
      .replicate,
      "Write 500 rows a second, until the callback on a replica, 99th percentile (C: 25 ms)",
      limit: 1,
      prepare: latencies
    ),
    Benchmark(
      .replicate,
      "Write rows that the log has first, by 16 tasks; the baseline is one task",
      limit: 0.125,
      prepare: throughputs
    ),
  ]

  // MARK: Latency

  private static let bound = Duration.milliseconds(25)
  private static let period = Duration.milliseconds(2)
  private static let writeCount = 300

  @Sendable
  private static func latencies(in workspace: Workspace) throws -> Contest {
    let nodes = try EtcdNodes(workspace, promise: .local)
    let arrivals = FirstArrivals()
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: Counter.selection, arguments: [0]) ?? 0
    }
    let cancellable = observation.start(
      in: nodes.replica,
      onError: { fatalError("The observation failed: \($0)") },
      onChange: { arrivals.record($0) }
    )
    let ours = Side {
      _ = cancellable
      return (try latency(of: nodes, arrivals), 0)
    }
    return Contest(ours: ours, baseline: Side { (bound, 0) })
  }

  private static func latency(of nodes: EtcdNodes, _ arrivals: FirstArrivals) throws -> Duration {
    var commits: [(value: Int, instant: SuspendingClock.Instant)] = []
    var next = SuspendingClock.now
    for _ in 0..<writeCount {
      let value = try nodes.primary.write { db in
        try db.execute(sql: Counter.increment, arguments: [1, 0])
        return try Int.fetchOne(db, sql: Counter.selection, arguments: [0]) ?? 0
      }
      commits.append((value, .now))
      next += period
      let pause = next - .now
      if pause > .zero { Thread.sleep(forTimeInterval: pause / .seconds(1)) }
    }
    let last = commits.map(\.value).max() ?? 0
    try arrivals.wait(for: last)
    let durations = commits.map { arrivals.instant(of: $0.value) - $0.instant }.sorted()
    return durations[writeCount * 99 / 100 - 1]
  }

  /// The times when values, or later values, came to an observation.
  private final class FirstArrivals: Sendable {
    private struct State {
      var values: [(value: Int, instant: SuspendingClock.Instant)] = []
      var awaited = Int.max
    }

    // Guards the values so far, and the value that a thread waits for.
    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    func record(_ value: Int) {
      let now = SuspendingClock.now
      let isAwaited = state.withLock { state in
        state.values.append((value, now))
        guard value >= state.awaited else { return false }
        state.awaited = .max
        return true
      }
      if isAwaited { arrived.signal() }
    }

    func wait(for value: Int) throws {
      let isThere = state.withLock { state in
        if state.values.last.map({ $0.value >= value }) == true { return true }
        state.awaited = value
        return false
      }
      guard isThere || arrived.wait(timeout: .now() + 10) == .success else {
        throw Overdue(what: "the value of an observation on a replica")
      }
    }

    /// Returns when a value, or the first one after it, came. Observations skip values.
    func instant(of value: Int) -> SuspendingClock.Instant {
      state.withLock { state in
        state.values.first { $0.value >= value }?.instant ?? .now
      }
    }
  }

  // MARK: Throughput

  private static let taskCount = 16
  private static let writesPerTask = 25

  @Sendable
  private static func throughputs(in workspace: Workspace) throws -> Contest {
    let nodes = try EtcdNodes(workspace, promise: .logged)
    return Contest(
      ours: Side { (try time(taskCount, nodes), 0) },
      baseline: Side { (try time(1, nodes), 0) }
    )
  }

  /// Returns the time for each write.
  private static func time(_ tasks: Int, _ nodes: EtcdNodes) throws -> Duration {
    let stopwatch = Stopwatch()
    try waiting {
      try await withThrowingTaskGroup { group in
        for id in 0..<tasks {
          group.addTask {
            for _ in 0..<writesPerTask { try await nodes.increment(id) }
          }
        }
        try await group.waitForAll()
      }
    }
    return stopwatch.duration / (tasks * writesPerTask)
  }
}
