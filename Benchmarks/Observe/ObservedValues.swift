internal import Dispatch
internal import Storage

/// The cost of a commit beside observations of other rows. The value of a column tells these rows
/// apart.
enum ObservedValues {
  private static let commitCount = 200

  private struct Query {
    let name: String
    let sql: String
    var arguments: @Sendable (Int) -> StatementArguments = { [$0] }
  }

  private static let window = Query(
    name: "an agent's last tickets",
    sql: "SELECT id, title FROM ticket WHERE agentId = ? ORDER BY at DESC LIMIT 20"
  )

  private static let others = [
    Query(
      name: "an agent's tickets with customers",
      sql: """
        SELECT ticket.id, title, name FROM ticket JOIN customer ON customer.id = customerId
        WHERE ticket.agentId = ?
        """
    ),
    Query(
      name: "the tickets of two agents, of whom one has none",
      sql: "SELECT id, title FROM ticket WHERE agentId IN (?, -1) ORDER BY id"
    ),
    Query(
      name: "the tickets of a code under NOCASE",
      sql: "SELECT id, title FROM ticket WHERE code = ?",
      arguments: { ["CODE\($0)"] }
    ),
    Query(
      name: "the tickets of three agents, by a range",
      sql: "SELECT id, title FROM ticket WHERE agentId BETWEEN ? AND ? ORDER BY agentId, at",
      arguments: { [3 * $0, 3 * $0 + 2] }
    ),
  ]

  static let benchmarks =
    [1000, 10_000, 100_000].map { benchmark(window, count: $0) }
    + others.map { benchmark($0, count: 10_000) }

  private static func benchmark(_ query: Query, count: Int) -> Benchmark {
    Benchmark(
      .observe,
      "Deliver a commit beside \(count) observations of \(query.name) (baseline: with one)",
      operations: commitCount,
      limit: 1.3,
      prepare: { workspace in
        Contest(
          ours: try side(workspace, "many", query, count),
          baseline: try side(workspace, "one", query, 1)
        )
      }
    )
  }

  private static func side(
    _ workspace: Workspace,
    _ name: String,
    _ query: Query,
    _ count: Int
  ) throws -> Side {
    let path = try workspace.makeDatabase(name) { db in
      try db.execute(
        """
        CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE ticket (
          id INTEGER PRIMARY KEY, agentId INTEGER, customerId INTEGER, at INTEGER, title TEXT,
          code TEXT COLLATE NOCASE
        );
        WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 299999)
        INSERT INTO ticket
        SELECT n, n % 100000, n % 1000, n, 'Ticket ' || n, 'Code' || (n % 100000) FROM number;
        INSERT INTO customer SELECT id, 'Customer ' || id FROM ticket WHERE id < 1000;
        CREATE INDEX ticketByAgent ON ticket (agentId, at);
        CREATE INDEX ticketByCode ON ticket (code)
        """
      )
    }
    let pool = try DatabasePool(benchmarking: path)
    let arrived = DispatchSemaphore(value: 0)
    let observations = (0..<count).map { number in
      let request = SQLRequest<Row>(sql: query.sql, arguments: query.arguments(number))
      return ValueObservation.tracking(AllElements(request)).start(
        in: pool,
        onError: { fatalError("An observation failed: \($0)") },
        onChange: { _ in arrived.signal() }
      )
    }
    func wait() throws {
      guard arrived.wait(timeout: .now() + 60) == .success else {
        throw Overdue(what: "the value of an observation")
      }
    }
    for _ in observations { try wait() }
    return Side(
      setUp: pool.emptyWAL,
      work: {
        for number in 0..<commitCount {
          try pool.write { db in
            try db.execute(
              sql: "UPDATE ticket SET title = ? WHERE id = 0",
              arguments: ["Title \(number)"]
            )
          }
          try wait()
        }
      },
      checksum: { try withExtendedLifetime(observations) { try titles(pool) } }
    )
  }

  private static func titles(_ pool: DatabasePool) throws -> Int {
    try pool.read { try Int.fetchOne($0, sql: "SELECT sum(length(title)) FROM ticket") ?? 0 }
  }
}
