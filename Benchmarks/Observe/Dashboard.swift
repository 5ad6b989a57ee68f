internal import Foundation
internal import Storage

/// The cost of a dashboard while tickets are written 200 times a second: a hundred queues with
/// their last tickets, or a group over all tickets.
enum Dashboard {
  private static let ticketCount = 200_000
  private static let queueCount = 100
  /// Two seconds.
  private static let writeCount = 400
  /// Five seconds. A query that is throttled to a second runs six times in them: at the first
  /// commit, and then each second.
  private static let throttledWriteCount = 1_000
  private static let pause = 0.005

  static let benchmarks = [
    Benchmark(
      .observe,
      "Processor time of a dashboard of 100 queues, 200 writes a second (C: 20 % of a core)",
      limit: 1,
      prepare: { workspace in
        let bound = Duration.seconds(Double(writeCount) * pause / 5)
        return try queues(in: workspace, \.processorTime, bound: bound)
      }
    ),
    Benchmark(
      .observe,
      "Commit of a ticket, until its queue is delivered, slowest of 400 (C: 50 ms)",
      limit: 1,
      prepare: { try queues(in: $0, \.slowest, bound: .milliseconds(50)) }
    ),
    Benchmark(
      .observe,
      "Processor time of a group over 200,000 tickets by .throttle(for: .seconds(1)), 200 writes a second (baseline: without it)",
      limit: 0.1,
      prepare: groups
    ),
    Benchmark(
      .observe,
      "Processor time of a patched group over 200,000 tickets, 200 writes a second (C: 20 % of a core)",
      limit: 1,
      prepare: patchedGroups
    ),
  ]

  /// The times that were measured while tickets were written for a few seconds.
  private struct Run {
    var processorTime = Duration.zero
    var slowest = Duration.zero
  }

  private static func makePool(_ workspace: Workspace, _ name: String) throws -> DatabasePool {
    let path = try workspace.makeDatabase(name) { db in
      try db.execute(
        """
        CREATE TABLE ticket (id INTEGER PRIMARY KEY, queue INTEGER, at INTEGER, title TEXT);
        WITH RECURSIVE number (n) AS (
          SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < \(ticketCount)
        )
        INSERT INTO ticket SELECT n, n % \(queueCount), n, 'Ticket ' || n FROM number;
        CREATE INDEX ticketByQueue ON ticket (queue, at)
        """
      )
    }
    return try DatabasePool(benchmarking: path)
  }

  /// Writes tickets 200 times a second.
  ///
  /// - Parameters:
  ///   - pool: The database.
  ///   - count: How many tickets are written.
  ///   - arrivals: Records the queues that are delivered; `nil` if no write waits for that.
  /// - Returns: The measured times.
  /// - Throws: ``Overdue``, or the error of a write.
  private static func write(
    _ pool: DatabasePool,
    count: Int = writeCount,
    _ arrivals: Arrivals? = nil
  ) throws -> Run {
    var run = Run()
    let stopwatch = Stopwatch()
    let before = Duration.processorTime
    for number in 0..<count {
      let commit = Stopwatch()
      arrivals?.expect(number % queueCount)
      try pool.write { db in
        // The last ticket of a queue, so that its value differs.
        try db.execute(
          sql: "UPDATE ticket SET title = ?, at = at + 1 WHERE id = ?",
          arguments: ["Title \(number)", ticketCount - queueCount + number % queueCount]
        )
      }
      if let arrivals {
        _ = try arrivals.wait()
        run.slowest = max(run.slowest, commit.duration)
      }
      let rest = Double(number + 1) * pause - stopwatch.duration / .seconds(1)
      if rest > 0 { Thread.sleep(forTimeInterval: rest) }
    }
    run.processorTime = .processorTime - before
    return run
  }

  private static func queues(
    in workspace: Workspace,
    _ result: @escaping (Run) -> Duration,
    bound: Duration
  ) throws -> Contest {
    let pool = try makePool(workspace, "queues")
    let arrivals = Arrivals()
    let observations = (0..<queueCount).map { queue in
      let request = SQLRequest<Row>(
        sql: "SELECT id, title FROM ticket WHERE queue = ? ORDER BY at DESC LIMIT 20",
        arguments: [queue]
      )
      return ValueObservation.tracking(AllElements(request)).start(
        in: pool,
        onError: { fatalError("An observation failed: \($0)") },
        onChange: { _ in arrivals.record(queue) }
      )
    }
    try pool.quiesce()
    let ours = Side {
      _ = observations
      return (result(try write(pool, arrivals)), 0)
    }
    return Contest(ours: ours, baseline: Side { (bound, 0) })
  }

  private static func patchedGroups(in workspace: Workspace) throws -> Contest {
    let pool = try makePool(workspace, "patched groups")
    let request = SQLRequest<Row>(
      sql: "SELECT queue, count(*), max(at) FROM ticket GROUP BY queue"
    )
    let observation = ValueObservation.tracking(request).start(
      in: pool,
      onError: { fatalError("The observation failed: \($0)") },
      onChange: { _ in }
    )
    try pool.quiesce()
    let bound = Duration.seconds(Double(writeCount) * pause / 5)
    let ours = Side {
      _ = observation
      let run = try write(pool)
      try pool.quiesce()
      return (run.processorTime, 0)
    }
    return Contest(ours: ours, baseline: Side { (bound, 0) })
  }

  private static func groups(in workspace: Workspace) throws -> Contest {
    func side(_ name: String, throttled: Bool) throws -> Side {
      let pool = try makePool(workspace, name)
      let observation = ValueObservation.tracking { db in
        // With an expression of an aggregate, it is not patched.
        try Row.fetchAll(
          db,
          sql: """
            SELECT queue, count(*), max(at) + 0 FROM ticket GROUP BY queue
            """
        )
      }
      let paced = throttled ? observation.throttle(for: .seconds(1)) : observation
      let running = paced.start(
        in: pool,
        onError: { fatalError("The observation failed: \($0)") },
        onChange: { _ in }
      )
      try pool.quiesce()
      return Side {
        _ = running
        let run = try write(pool, count: throttledWriteCount)
        try pool.quiesce()
        return (run.processorTime, 0)
      }
    }
    return Contest(
      ours: try side("throttled", throttled: true),
      baseline: try side("unthrottled", throttled: false)
    )
  }
}
