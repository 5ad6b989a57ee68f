internal import Storage

/// The cost of a changed row in observed groups and aggregates that are patched, in relation to
/// running the query again.
enum PatchedGroups {
  static let benchmarks = [
    Benchmark(
      .incremental,
      "Change an order of 200,000 that are grouped by customer, without an index (baseline: run it)",
      limit: 0.01,
      prepare: { try contest(in: $0, groups) }
    ),
    Benchmark(
      .incremental,
      "Change the customer of such an order (baseline: run it)",
      limit: 0.01,
      prepare: { try contest(in: $0, groups, movesOrder: true) }
    ),
    Benchmark(
      .incremental,
      "Change an order of 200,000 in the customers with the highest sums first (baseline: run it)",
      limit: 0.01,
      prepare: { try contest(in: $0, "\(groups) ORDER BY 3 DESC, 1") }
    ),
    Benchmark(
      .incremental,
      "Change an order in the ten of 1,000 customers with the highest sums (baseline: run it)",
      limit: 0.01,
      prepare: {
        try contest(in: $0, "\(groups) HAVING count(*) > 10 ORDER BY sum(amount) DESC LIMIT 10")
      }
    ),
    Benchmark(
      .incremental,
      "Change an order in the number, the sum and the greatest of 200,000 (baseline: run it)",
      limit: 0.01,
      prepare: { try contest(in: $0, "SELECT count(*), sum(amount), max(amount) FROM sale") }
    ),
    Benchmark(
      .incremental,
      "Change an order in the different amounts of 1,000 customers, counted (baseline: run it)",
      limit: 0.01,
      prepare: {
        try contest(in: $0, "SELECT customer, count(DISTINCT amount) FROM sale GROUP BY customer")
      }
    ),
    Benchmark(
      .incremental,
      "Change an order in the number of different amounts of 200,000 (baseline: run it)",
      limit: 0.01,
      prepare: { try contest(in: $0, "SELECT count(DISTINCT amount) FROM sale") }
    ),
  ]

  private static let groups = """
    SELECT customer, count(*), sum(amount), max(amount) FROM sale GROUP BY customer
    """

  private static let creation = """
    CREATE TABLE sale (id INTEGER PRIMARY KEY, customer TEXT NOT NULL, amount INTEGER NOT NULL);
    WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 199999)
    INSERT INTO sale SELECT n, 'customer ' || (n * 7919 % 1000), n * n % 9973 FROM n;
    """

  private static func contest(
    in workspace: Workspace,
    _ sql: String,
    movesOrder: Bool = false
  ) throws -> Contest {
    let request = SQLRequest<Row>(sql: sql)
    return try PatchedResults.contest(
      in: workspace,
      creation: creation,
      change: { round, db in
        let isOdd = round % 2 == 1
        let sql = "UPDATE sale SET customer = ?, amount = ? WHERE id = 70000"
        try db.cachedStatement(sql: sql).execute(
          arguments: ["customer \(movesOrder && isOdd ? 1 : 0)", isOdd ? 9_000 : 10]
        )
      },
      observation: .tracking(request),
      checksum: { rows in rows.count }
    ) { db in try request.fetchAll(db) }
  }
}
