internal import Foundation
internal import Storage
internal import Synchronization

/// The cost of a change to an observed query that is patched, in relation to running it again.
///
/// Where nearly all rows are delivered, it counts from the beginning of the transaction until the
/// value is patched, or until its changes are delivered. Elsewhere a patch takes a fraction of the
/// transaction, which costs the same without an observation: there it counts only the cost of the
/// reader. A time is the mean of a few changes in a row, because the scans of the baseline leave
/// nothing else in the caches of the processor.
enum PatchedResults {
  private static let ordered = "SELECT id, name, score FROM entry ORDER BY name"
  private static let filtered =
    "SELECT id, name, score FROM entry WHERE score % 2 < 0 ORDER BY name"
  private static let leaders = "SELECT id, name, score FROM entry ORDER BY score DESC LIMIT 10"

  static let benchmarks = [
    Benchmark(
      .incremental,
      "Change one row of an ordered result of 100,000 (baseline: run it)",
      limit: 0.1,
      prepare: { try contest(in: $0, rows: 100_000, ordered, change: .score(of: 70_000)) }
    ),
    Benchmark(
      .incremental,
      "Change one row of 100,000 that an observed closure fetches (baseline: run it)",
      // The value of a closure is compared with the last one, element by element.
      limit: 0.5,
      prepare: { try closureContest(in: $0, rows: 100_000) }
    ),
    Benchmark(
      .incremental,
      "Change one row of an ordered result of a million (baseline: run it)",
      limit: 0.02,
      prepare: { try contest(in: $0, rows: 1_000_000, ordered, change: .score(of: 700_000)) }
    ),
    Benchmark(
      .incremental,
      "Patch a row that a filter over a million rows rejects (baseline: run it)",
      limit: 0.002,
      prepare: {
        try contest(
          in: $0,
          rows: 1_000_000,
          filtered,
          change: .score(of: 700_000),
          part: .reader
        )
      }
    ),
    Benchmark(
      .incremental,
      "Patch a row outside of the first ten of a million (baseline: run it)",
      limit: 0.002,
      prepare: {
        try contest(in: $0, rows: 1_000_000, leaders, change: .score(of: 500), part: .reader)
      }
    ),
    Benchmark(
      .incremental,
      "Patch a row that enters the first ten of a million (baseline: run it)",
      limit: 0.002,
      prepare: { try contest(in: $0, rows: 1_000_000, leaders, change: .lead, part: .reader) }
    ),
    Benchmark(
      .incremental,
      "Patch a count over a million rows (baseline: run it)",
      limit: 0.002,
      prepare: { try countContest(in: $0, rows: 1_000_000) }
    ),
    Benchmark(
      .incremental,
      "Find the changes of one row in a result of 100,000 (baseline: run it)",
      limit: 0.1,
      prepare: { try changesContest(in: $0, rows: 100_000) }
    ),
  ]

  /// How many changes a time is the mean of.
  private static let changesInARow = 5

  /// The sizes of a result for the figure that shows the cost of a change.
  static let scale = [1_000, 10_000, 100_000, 1_000_000].map { rows in
    Benchmark(
      .scale,
      "Change one row of an ordered result of \(rows) (baseline: run it)",
      limit: 2,
      prepare: { try deliveryContest(in: $0, rows: rows) }
    )
  }

  /// The part of a change that is measured.
  enum Part {
    /// Everything, from the beginning of the transaction.
    case all
    /// The patch.
    case reader
  }

  private enum Change {
    /// Adds 1 to the score of a row.
    case score(of: Int)
    /// Gives another row the highest score.
    case lead
    /// Lets one of two rows pass the filter of the count, and the other one not.
    case swap

    func make(round: Int, _ db: Database) throws {
      switch self {
      case .score(let id):
        let sql = "UPDATE entry SET score = score + 1 WHERE id = ?"
        try db.cachedStatement(sql: sql).execute(arguments: [id])
      case .lead:
        let sql = "UPDATE entry SET score = ? WHERE id = ?"
        try db.cachedStatement(sql: sql).execute(arguments: [2_000_000 + round, round * 97])
      case .swap:
        let sql = "UPDATE entry SET score = id / 10 * 10 + (id + ? + 1) % 2 WHERE id IN (500, 501)"
        try db.cachedStatement(sql: sql).execute(arguments: [round])
      }
    }
  }

  /// A number that a handler sets.
  private final class Count: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }
    func set(_ new: Int) { count.withLock { $0 = new } }
    func increment() { count.withLock { $0 += 1 } }
  }

  /// Adds up how long the queries of observations take.
  private final class QueryTime: DatabaseInstrument {
    private let total = Mutex((batches: 0, duration: Duration.zero))

    var batches: Int { total.withLock { $0.batches } }
    var duration: Duration { total.withLock { $0.duration } }

    func record(_ activity: DatabaseActivity) {
      guard case .batch(let batch) = activity.kind else { return }
      total.withLock { total in
        total.batches += 1
        total.duration += batch.duration
      }
    }
  }

  private static func creation(rows: Int) -> String {
    """
    CREATE TABLE entry (id INTEGER PRIMARY KEY, name TEXT NOT NULL, score INTEGER NOT NULL);
    WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n + 1 < \(rows))
    INSERT INTO entry SELECT n, 'entry ' || n * 7919 % \(rows), n FROM n
    """
  }

  private static func contest(
    in workspace: Workspace,
    rows: Int,
    _ sql: String,
    change: Change,
    part: Part = .all
  ) throws -> Contest {
    let request = SQLRequest<Entry>(sql: sql)
    return try contest(
      in: workspace,
      creation: creation(rows: rows),
      change: { try change.make(round: $0, $1) },
      part: part,
      observation: .tracking(request),
      checksum: \.count
    ) { db in try request.fetchAll(db) }
  }

  private static func closureContest(in workspace: Workspace, rows: Int) throws -> Contest {
    let fetch: @Sendable (Database) throws -> [Entry] = { db in
      try Entry.fetchAll(db, sql: ordered)
    }
    return try contest(
      in: workspace,
      creation: creation(rows: rows),
      change: { try Change.score(of: 70_000).make(round: $0, $1) },
      part: .all,
      observation: .tracking(fetch),
      checksum: \.count,
      run: fetch
    )
  }

  private static func countContest(in workspace: Workspace, rows: Int) throws -> Contest {
    let request = SQLRequest<Int>(sql: "SELECT count(*) FROM entry WHERE score % 10 = 0")
    return try contest(
      in: workspace,
      creation: creation(rows: rows),
      change: { try Change.swap.make(round: $0, $1) },
      part: .reader,
      observation: .trackingOne(request),
      checksum: { $0 ?? -1 }
    ) { db in try request.fetchOne(db) }
  }

  /// Returns a contest between patches of an observed value and runs of its query.
  ///
  /// - Parameters:
  ///   - workspace: Where the file is.
  ///   - creation: Makes the tables.
  ///   - change: Changes rows, so that the value is patched.
  ///   - part: The part of the change that is measured.
  ///   - observation: The observation.
  ///   - checksum: Returns a number for a value.
  ///   - run: Runs the query.
  /// - Returns: The contest.
  /// - Throws: ``DatabaseError`` when the file cannot be made.
  static func contest<Value: Sendable>(
    in workspace: Workspace,
    creation: String,
    change: @escaping @Sendable (_ round: Int, Database) throws -> Void,
    part: Part = .reader,
    observation: ValueObservation<Value>,
    checksum: @escaping @Sendable (Value) -> Int,
    run: @escaping @Sendable (Database) throws -> Value
  ) throws -> Contest {
    let path = try workspace.makeDatabase("entries") { try $0.execute(creation) }
    let queryTime = QueryTime()
    let pool = try DatabasePool(benchmarking: path, instruments: [queryTime])
    let count = Count()
    let cancellable = observation.start(
      in: pool,
      onError: { fatalError("The observation failed: \($0)") },
      onChange: { count.set(checksum($0)) }
    )
    var round = 1
    try warmUp(pool) {
      round += 1
      try change(round, $0)
    }
    let ours = Side {
      var total = Duration.zero
      for _ in 0..<changesInARow {
        round += 1
        let patches = pool.observationStatistics.patches
        let (batches, queries) = (queryTime.batches, queryTime.duration)
        let start = SuspendingClock.now
        try pool.write { [round] in try change(round, $0) }
        try spin("a patch", while: pool.observationStatistics.patches == patches)
        let duration = SuspendingClock.now - start
        try spin("a batch", while: queryTime.batches == batches)
        try pool.quiesce()
        total += part == .all ? duration : queryTime.duration - queries
      }
      return withExtendedLifetime(cancellable) { (total / changesInARow, count.value) }
    }
    let other = Side(work: { try checksum(pool.read(run)) }, checksum: { $0 })
    return Contest(ours: ours, baseline: other)
  }

  /// Measures until the value is delivered, whether it was patched or fetched as a whole.
  private static func deliveryContest(in workspace: Workspace, rows: Int) throws -> Contest {
    let path = try workspace.makeDatabase("entries") { try $0.execute(creation(rows: rows)) }
    let pool = try DatabasePool(benchmarking: path)
    let request = SQLRequest<Entry>(sql: ordered)
    let (deliveries, size) = (Count(), Count())
    let cancellable = ValueObservation.tracking(request).start(
      in: pool,
      onError: { fatalError("The observation failed: \($0)") },
      onChange: { entries in
        size.set(entries.count)
        deliveries.increment()
      }
    )
    try warmUp(pool)
    let ours = Side {
      let before = deliveries.value
      let start = SuspendingClock.now
      try pool.write { try Change.score(of: rows / 2).make(round: 0, $0) }
      try spin("the value of an observation", while: deliveries.value == before)
      let duration = SuspendingClock.now - start
      try pool.quiesce()
      return withExtendedLifetime(cancellable) { (duration, size.value) }
    }
    let baseline = Side(
      work: { try pool.read { db in try request.fetchAll(db) } },
      checksum: { $0.count }
    )
    return Contest(ours: ours, baseline: baseline)
  }

  private static func changesContest(in workspace: Workspace, rows: Int) throws -> Contest {
    let path = try workspace.makeDatabase("entries") { try $0.execute(creation(rows: rows)) }
    let pool = try DatabasePool(benchmarking: path)
    let request = SQLRequest<Entry>(sql: ordered)
    let (deliveries, updates) = (Count(), Count())
    let cancellable = ValueObservation.tracking(request).changes(id: \.id).start(
      in: pool,
      onError: { fatalError("The observation failed: \($0)") },
      onChange: { changes in
        updates.set(changes.updated.count)
        deliveries.increment()
      }
    )
    try warmUp(pool)
    let ours = Side {
      let before = deliveries.value
      let start = SuspendingClock.now
      try pool.write { try Change.score(of: 70_000).make(round: 0, $0) }
      try spin("the value of an observation", while: deliveries.value == before)
      let duration = SuspendingClock.now - start
      try pool.quiesce()
      return withExtendedLifetime(cancellable) { (duration, updates.value) }
    }
    let baseline = Side(
      work: { try pool.read { db in try request.fetchAll(db) } },
      checksum: { $0.isEmpty ? 0 : 1 }
    )
    return Contest(ours: ours, baseline: baseline)
  }

  /// Changes the result a few times: the first runs show that the query is slow enough to be
  /// patched.
  private static func warmUp(
    _ pool: DatabasePool,
    change: (Database) throws -> Void = {
      try $0.execute(sql: "UPDATE entry SET score = score + 1 WHERE id = 1")
    }
  ) throws {
    for _ in 0..<3 {
      try pool.write(change)
      try pool.quiesce()
    }
  }
}
