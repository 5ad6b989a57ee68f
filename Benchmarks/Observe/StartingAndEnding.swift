internal import CWellspringSQLite
internal import Storage

/// The cost of starting and ending an observation.
enum StartingAndEnding {
  private static let observationCount = 10_000

  static let benchmarks = [
    Benchmark(
      .observe,
      "Start an observation, with its first value, and end it (C: a read transaction)",
      operations: observationCount,
      limit: 6,
      prepare: contest
    ),
    Benchmark(
      .observe,
      "Start an observation of an agent's last tickets, and end it (C: a read transaction)",
      operations: observationCount,
      limit: 6,
      prepare: ticketContest
    ),
  ]

  @Sendable
  private static func contest(in workspace: Workspace) throws -> Contest {
    let ourPath = try workspace.makeDatabase("ours") { try $0.execute(Counter.creation) }
    let baselinePath = try workspace.makeDatabase("baseline") { try $0.execute(Counter.creation) }
    let pool = try DatabasePool(benchmarking: ourPath)
    let reader = try RawCounter(path: baselinePath)
    return Contest(
      ours: Side(work: { start(in: pool) }, checksum: { $0 }),
      baseline: Side(
        work: {
          var sum = 0
          for number in 0..<observationCount { sum += try reader.value(number % Counter.count) }
          return sum
        },
        checksum: { $0 }
      )
    )
  }

  /// Starts all observations, then ends them, and returns the sum of their first values.
  private static func start(in pool: DatabasePool) -> Int {
    nonisolated(unsafe) var sum = 0
    let observations = (0..<observationCount).map { number in
      let observation = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: Counter.selection, arguments: [number % Counter.count]) ?? 0
      }
      return observation.start(
        in: pool,
        scheduling: .immediate,
        onError: { fatalError("An observation failed: \($0)") },
        onChange: { sum += $0 }
      )
    }
    for observation in observations { observation.cancel() }
    return sum
  }

  // MARK: By a value

  private static let tickets = "SELECT id FROM ticket WHERE agentId = ? ORDER BY at DESC LIMIT 20"

  @Sendable
  private static func ticketContest(in workspace: Workspace) throws -> Contest {
    let create: (RawConnection) throws -> Void = {
      try $0.execute(
        """
        CREATE TABLE ticket (id INTEGER PRIMARY KEY, agentId INTEGER, at INTEGER);
        WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 99999)
        INSERT INTO ticket SELECT n, n % \(observationCount), n FROM number;
        CREATE INDEX ticketByAgent ON ticket (agentId, at)
        """
      )
    }
    let pool = try DatabasePool(benchmarking: workspace.makeDatabase("ours", fill: create))
    let raw = try RawConnection(path: workspace.makeDatabase("baseline", fill: create))
    let (begin, commit) = (try raw.prepare("BEGIN"), try raw.prepare("COMMIT"))
    let selection = try raw.prepare(tickets)
    return Contest(
      ours: Side(work: { startTickets(in: pool) }, checksum: { $0 }),
      baseline: Side(
        work: {
          var sum = 0
          for number in 0..<observationCount {
            try raw.run(begin)
            sqlite3_bind_int64(selection, 1, Int64(number))
            while sqlite3_step(selection) == SQLITE_ROW {
              sum += Int(sqlite3_column_int64(selection, 0))
            }
            try raw.finish(selection)
            try raw.run(commit)
          }
          return sum
        },
        checksum: { $0 }
      )
    )
  }

  private static func startTickets(in pool: DatabasePool) -> Int {
    nonisolated(unsafe) var sum = 0
    let observations = (0..<observationCount).map { number in
      let observation = ValueObservation.tracking { db in
        try Int.fetchAll(db, sql: tickets, arguments: [number])
      }
      return observation.start(
        in: pool,
        scheduling: .immediate,
        onError: { fatalError("An observation failed: \($0)") },
        onChange: { sum += $0.reduce(0, +) }
      )
    }
    for observation in observations { observation.cancel() }
    return sum
  }
}
