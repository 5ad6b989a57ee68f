internal import Storage

/// The cost of a change to an observed join that is patched, in relation to running it again.
enum PatchedJoins {
  static let benchmarks = [
    Benchmark(
      .incremental,
      "Change an order in the newest 50 of 200,000 with customer and product (baseline: run it)",
      limit: 0.02,
      prepare: { try contest(in: $0, newest, change: .order) }
    ),
    Benchmark(
      .incremental,
      "Change a customer in the newest 50 of 200,000 orders (baseline: run it)",
      limit: 0.05,
      prepare: { try contest(in: $0, newest, change: .customer) }
    ),
    Benchmark(
      .incremental,
      "Change an order of 200,000 with customer and product (baseline: run it)",
      limit: 0.1,
      prepare: { try contest(in: $0, all, change: .order) }
    ),
    Benchmark(
      .incremental,
      "Change a customer of 200,000 orders (baseline: run it)",
      limit: 0.1,
      prepare: { try contest(in: $0, all, change: .customer) }
    ),
    Benchmark(
      .incremental,
      "Change an order of 100,000 in a left join (baseline: run it)",
      limit: 0.1,
      prepare: { try contest(in: $0, optional, change: .order) }
    ),
    Benchmark(
      .incremental,
      "Change an order of a count over 200,000 orders with customers (baseline: run it)",
      limit: 0.01,
      prepare: { try countContest(in: $0) }
    ),
  ]

  private static let all = """
    SELECT sale.id, customer.name, product.name, amount FROM sale \
    JOIN customer ON customer.id = sale.customerId JOIN product ON product.id = sale.productId \
    ORDER BY sale.date DESC
    """
  private static let newest = "\(all) LIMIT 50"
  private static let optional = """
    SELECT sale.id, customer.name, amount FROM sale \
    LEFT JOIN customer ON customer.id = sale.customerId WHERE sale.id < 100000 ORDER BY sale.date
    """

  private enum Change {
    case order
    case customer

    func make(round: Int, _ db: Database) throws {
      switch self {
      case .order:
        let sql = "UPDATE sale SET amount = amount + 2 WHERE id = ?"
        try db.cachedStatement(sql: sql).execute(arguments: [70_000])
      case .customer:
        let sql = "UPDATE customer SET name = ? WHERE id = ?"
        try db.cachedStatement(sql: sql).execute(arguments: ["name \(round)", 700])
      }
    }
  }

  private static let creation = """
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE sale (
      id INTEGER PRIMARY KEY, customerId INTEGER NOT NULL, productId INTEGER NOT NULL,
      date INTEGER NOT NULL, amount INTEGER NOT NULL
    );
    CREATE INDEX saleOnCustomer ON sale (customerId);
    WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 999)
    INSERT INTO customer SELECT n, 'customer ' || n FROM n;
    INSERT INTO product SELECT id, 'product ' || id FROM customer WHERE id < 5;
    WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 199999)
    INSERT INTO sale SELECT n, n * 7919 % 1000, n % 5, n * 104729 % 200000, n % 100 FROM n;
    """

  private static func countContest(in workspace: Workspace) throws -> Contest {
    let request = SQLRequest<Int>(
      sql: """
        SELECT count(*) FROM sale JOIN customer ON customer.id = sale.customerId
        WHERE sale.amount % 2 = 0 AND customer.name > 'b'
        """
    )
    return try PatchedResults.contest(
      in: workspace,
      creation: creation,
      change: { try Change.order.make(round: $0, $1) },
      observation: .trackingOne(request),
      checksum: { $0 ?? -1 }
    ) { db in try request.fetchOne(db) }
  }

  private static func contest(
    in workspace: Workspace,
    _ sql: String,
    change: Change
  ) throws -> Contest {
    let request = SQLRequest<Row>(sql: sql)
    return try PatchedResults.contest(
      in: workspace,
      creation: creation,
      change: { try change.make(round: $0, $1) },
      observation: .tracking(request),
      checksum: \.count
    ) { db in try request.fetchAll(db) }
  }
}
