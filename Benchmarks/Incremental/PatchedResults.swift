internal import Foundation
internal import Storage
internal import Synchronization

/// The cost of a change to an observed query that is patched, in relation to running it again: from
/// the beginning of the transaction until the value is patched.
enum PatchedResults {
  private struct Entry: FetchableRecord, Equatable {
    let id: Int
    let name: String
    let score: Int

    init(row: Row) throws {
      id = row[0]
      name = row[1]
      score = row[2]
    }
  }

  private static let ordered = "SELECT id, name, score FROM entry ORDER BY name"
  private static let filtered = "SELECT id, name, score FROM entry WHERE score < 0 ORDER BY name"
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
      "Change one row of an ordered result of a million (baseline: run it)",
      limit: 0.1,
      prepare: { try contest(in: $0, rows: 1_000_000, ordered, change: .score(of: 700_000)) }
    ),
    Benchmark(
      .incremental,
      "Change a row that a filter over a million rows rejects (baseline: run it)",
      limit: 0.002,
      prepare: { try contest(in: $0, rows: 1_000_000, filtered, change: .score(of: 700_000)) }
    ),
    Benchmark(
      .incremental,
      "Change a row outside of the first ten of a million (baseline: run it)",
      limit: 0.002,
      prepare: { try contest(in: $0, rows: 1_000_000, leaders, change: .score(of: 500)) }
    ),
    Benchmark(
      .incremental,
      "Move a row into the first ten of a million (baseline: run it)",
      limit: 0.002,
      prepare: { try contest(in: $0, rows: 1_000_000, leaders, change: .lead) }
    ),
  ]

  private enum Change {
    /// Adds 1 to the score of a row.
    case score(of: Int)
    /// Gives another row the highest score.
    case lead

    func make(round: Int, _ db: Database) throws {
      switch self {
      case .score(let id):
        let sql = "UPDATE entry SET score = score + 1 WHERE id = ?"
        try db.cachedStatement(sql: sql).execute(arguments: [id])
      case .lead:
        let sql = "UPDATE entry SET score = ? WHERE id = ?"
        try db.cachedStatement(sql: sql).execute(arguments: [2_000_000 + round, round * 97])
      }
    }
  }

  /// The number of rows that were delivered last.
  private final class Count: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }
    func set(_ new: Int) { count.withLock { $0 = new } }
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
    change: Change
  ) throws -> Contest {
    let path = try workspace.makeDatabase("entries") { try $0.execute(creation(rows: rows)) }
    let pool = try DatabasePool(benchmarking: path)
    let request = SQLRequest<Entry>(sql: sql)
    let count = Count()
    let cancellable = ValueObservation.tracking(request).start(
      in: pool,
      onError: { fatalError("The observation failed: \($0)") },
      onChange: { count.set($0.count) }
    )
    // The first runs show that the query is slow enough to be patched.
    for _ in 0..<3 {
      try pool.write { try $0.execute(sql: "UPDATE entry SET score = score + 1 WHERE id = 1") }
      try pool.quiesce()
    }
    var round = 1
    let ours = Side {
      round += 1
      let before = pool.observationStatistics.patches
      let start = SuspendingClock.now
      try pool.write { [round] in try change.make(round: round, $0) }
      while pool.observationStatistics.patches == before { sched_yield() }
      let duration = SuspendingClock.now - start
      try pool.quiesce()
      return withExtendedLifetime(cancellable) { (duration, count.value) }
    }
    let baseline = Side(
      work: { try pool.read { db in try request.fetchAll(db) } },
      checksum: { $0.count }
    )
    return Contest(ours: ours, baseline: baseline)
  }
}
