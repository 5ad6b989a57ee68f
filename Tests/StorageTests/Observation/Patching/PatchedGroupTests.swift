import Testing
import TestSupport

@testable import Storage
@testable import StorageTestSupport

/// Groups and aggregates that are patched by the additions and removals of changed rows.
@Suite("Patched groups") struct PatchedGroupTests {
  @Test(arguments: RandomGroups.sources.indices)
  func `groups are patched as a fresh run shows them`(index: Int) throws {
    let source = RandomGroups.sources[index]
    for key in source.keys {
      let comparison = try RandomGroups.comparison(seeds: 2, transactions: 4, .groups) {
        ($0.query(over: source, by: key), [])
      }
      #expect(comparison.queries > 3 || !key.isPatched, "\(source.sql), \(key.sql): \(comparison)")
      // A new group, a value that is not an integer, and equal groups need a run.
      #expect(
        comparison.patches > comparison.runs || !key.isPatched,
        "\(source.sql), \(key.sql): \(comparison)"
      )
    }
  }

  @Test(arguments: RandomGroups.sources.indices)
  func `different rows are patched as a fresh run shows them`(index: Int) throws {
    let source = RandomGroups.sources[index]
    let comparison = try RandomGroups.comparison(seeds: 3, transactions: 7, .groups) {
      ($0.distinctQuery(over: source), [])
    }
    #expect(comparison.queries > 3, "\(source.sql): \(comparison)")
    #expect(comparison.patches > comparison.runs * 2, "\(source.sql): \(comparison)")
  }

  private static let schema = """
    CREATE TABLE sale (id INTEGER PRIMARY KEY, customer TEXT, amount INTEGER, paid INTEGER);
    CREATE TABLE note (id INTEGER PRIMARY KEY, saleID INTEGER, kind TEXT COLLATE NOCASE, x);
    CREATE INDEX noteOfSale ON note (saleID);
    """

  /// Queries, and why they are not patched.
  private static let queries: [(sql: String, obstacle: String?)] = [
    ("SELECT customer, count(*) FROM sale GROUP BY customer", nil),
    ("SELECT count(*), customer AS c FROM sale GROUP BY customer ORDER BY c", nil),
    (
      "SELECT customer, sum(amount) AS s FROM sale WHERE paid GROUP BY customer ORDER BY s DESC",
      nil
    ),
    ("SELECT s.customer, COUNT(amount) FROM sale AS s GROUP BY s.customer ORDER BY 2 DESC, 1", nil),
    ("SELECT \"customer\", MAX(\"amount\") FROM \"sale\" GROUP BY \"customer\"", nil),
    (
      "SELECT count(*), sum(amount), avg(amount), min(amount), max(amount), total(amount) FROM sale",
      nil
    ),
    ("SELECT max(amount) m, count(*) n FROM sale WHERE customer = ?", nil),
    ("SELECT kind, count(*) FROM sale JOIN note ON sale.id = note.saleID GROUP BY kind", nil),
    ("SELECT amount % 10, count(*) FROM sale GROUP BY amount % 10", nil),
    ("SELECT max(amount) FROM sale", nil),
    ("SELECT max(rowid) FROM sale", "looks its rows up"),
    ("SELECT min(saleID) FROM note", "looks its rows up"),
    ("SELECT max(saleID), count(*) FROM note", nil),
    ("SELECT customer, count(*) FROM sale GROUP BY 1", form),
    ("SELECT customer AS c, count(*) FROM sale GROUP BY c", form),
    ("SELECT count(*) FROM sale GROUP BY customer", form),
    ("SELECT customer, amount, count(*) FROM sale GROUP BY customer", form),
    ("SELECT customer, count(DISTINCT amount) FROM sale GROUP BY customer", nil),
    ("SELECT count(distinct amount) AS n, count(amount), max(DISTINCT paid) FROM sale", nil),
    ("SELECT customer, sum(DISTINCT amount) FROM sale GROUP BY customer", form),
    ("SELECT customer, count(DISTINCT amount) * 2 FROM sale GROUP BY customer", form),
    ("SELECT customer, count(*) FILTER (WHERE paid) FROM sale GROUP BY customer", form),
    ("SELECT customer, count(*) + 1 FROM sale GROUP BY customer", form),
    ("SELECT customer, group_concat(amount) FROM sale GROUP BY customer", form),
    ("SELECT customer, max(amount, paid), count(*) FROM sale GROUP BY customer", form),
    ("SELECT customer, count(*) AS n FROM sale GROUP BY customer HAVING n > 1", nil),
    ("SELECT customer, count(*) FROM sale GROUP BY customer HAVING sum(paid) > ? AND NOT 0", nil),
    ("SELECT customer, count(*) FROM sale GROUP BY customer HAVING customer > 'a'", form),
    ("SELECT customer, count(*) FROM sale GROUP BY customer HAVING abs(sum(paid)) > 1", form),
    // In a HAVING, SQLite prefers the columns of the table to the names of result columns.
    ("SELECT customer, count(*) AS paid FROM sale GROUP BY customer HAVING paid > 1", form),
    ("SELECT customer, count(*) AS rowid FROM sale GROUP BY customer HAVING rowid > 1", form),
    ("SELECT customer, count(*) FROM sale GROUP BY customer LIMIT 3", nil),
    ("SELECT customer, count(*) FROM sale GROUP BY customer ORDER BY sum(paid) LIMIT 2, 5", nil),
    (
      "SELECT customer, count(*) FROM sale GROUP BY customer LIMIT 20000",
      "has a large limit or offset"
    ),
    ("SELECT DISTINCT customer, paid AS p FROM sale ORDER BY p, customer DESC", nil),
    ("SELECT DISTINCT amount / 10 AS ten FROM sale WHERE paid ORDER BY 1 LIMIT 5", nil),
    ("SELECT DISTINCT customer FROM sale", form),
    // The alias may name another column in the ORDER BY.
    ("SELECT DISTINCT sale.paid amount, amount FROM sale ORDER BY amount, 1", form),
    ("SELECT customer, count(*) FROM sale GROUP BY customer HAVING 1", form),
    (
      "SELECT customer, count(*) FROM sale GROUP BY customer LIMIT strftime('%H', 'now') + 0",
      "calls strftime(), whose result may change"
    ),
    ("SELECT DISTINCT customer, paid FROM sale ORDER BY customer", form),
    ("SELECT DISTINCT * FROM sale ORDER BY id, customer, amount, paid", form),
    ("SELECT DISTINCT customer, count(*) FROM sale GROUP BY customer ORDER BY 1, 2", form),
    ("SELECT customer, count(*) AS n FROM sale GROUP BY customer ORDER BY n + 1", form),
    ("SELECT customer, count(*) AS n FROM sale GROUP BY customer ORDER BY paid", form),
    (
      "SELECT customer, sum(random() + amount) FROM sale GROUP BY customer",
      "calls random(), whose result may change"
    ),
    (
      "SELECT customer, count(*) FROM sale, note GROUP BY customer",
      "joins several rows of a table with one row of another"
    ),
  ]
  private static let form = "is distinct, or has groups or aggregates of a form that is not patched"

  @Test(arguments: queries)
  func `the form of a query decides whether its groups are patched`(
    sql: String,
    obstacle: String?
  ) throws {
    try withDatabase { db throws in
      try db.execute(sql: Self.schema)
      #expect(try db.makeStatement(sql: sql).patchObstacle() == obstacle)
    }
  }

  /// Rows of `note`, and whether `SELECT kind, sum(x), avg(x)` of them is patched.
  private static let contents: [(rows: String, isPatched: Bool)] = [
    ("(1, 1, 'a', 1), (2, 1, 'b', NULL), (3, 1, NULL, -5), (4, 1, '', 7)", true),
    ("(1, 1, 'a', 1), (2, 1, 'A', 2)", false),
    ("(1, 1, x'00', 1), (2, 1, 5, 2)", true),
    ("(1, 1, 'a', 1.5)", false),
    ("(1, 1, 'a', 'x')", false),
    ("(1, 1, CAST(x'ff' AS TEXT), 1)", false),
    // Half of this and its double are exact reals.
    ("(1, 1, 'a', 4503599627370496), (2, 1, 'a', 4503599627370495)", true),
    ("(1, 1, 'a', 4503599627370496), (2, 1, 'a', -4503599627370496)", false),
    ("(1, 1, 'a', -9223372036854775808)", false),
  ]

  @Test(arguments: contents)
  func `values decide whether groups are patched`(rows: String, isPatched: Bool) throws {
    try withDatabase { db throws in
      try db.execute(sql: Self.schema)
      try db.execute(sql: "INSERT INTO note VALUES \(rows)")
      let sql = "SELECT kind, sum(x), avg(x) FROM note GROUP BY kind"
      let query = try #require(try AggregateQuery(sql))
      let statement = try db.makeStatement(sql: sql)
      do {
        let result = try AggregateResult(query, statement, db, adapter: nil) { $0.copy() }
        #expect(isPatched)
        #expect(try result?.elements == Row.fetchAll(db, sql: sql))
      } catch let obstacle as PatchObstacle {
        #expect(!isPatched)
        #expect(obstacle == .aggregatesOtherValues)
      }
    }
  }

  @Test func `packed rows are those of a dictionary`() {
    for seed in 1...UInt64(20) {
      var generator = SeededGenerator(seed: seed)
      var rows = PackedRows(argumentCount: 2)
      var expected: [Int64: [Int64?]] = [:]
      for _ in 0..<40 {
        var present: [Int64: GroupedRows.Row] = [:]
        var touched: Set<Int64> = []
        for _ in 0..<generator.number(in: 1..<12) {
          let number = Int64(generator.number(in: -20..<200))
          touched.insert(number)
          expected[number] = nil
          present[number] = nil
          guard generator.chance(70) else { continue }
          let large = Int64(generator.number(in: -2..<3)) << Int64(generator.number(in: 0..<62))
          let arguments = [generator.chance(10) ? nil : Int64(generator.number(below: 9)), large]
          present[number] = GroupedRows.Row(group: Int32(number + 20), arguments: arguments)
          expected[number] = arguments
        }
        rows.replace(touched, with: present)
      }
      #expect(rows.numbers == expected.keys.sorted())
      for number in Int64(-20)..<200 {
        #expect(rows.row(number)?.arguments == expected[number])
        #expect(
          rows.row(number).map { Int64($0.group) } == expected[number].map { _ in number + 20 }
        )
      }
      #expect(rows.memory <= max(64, rows.count) * 2 * (8 + 4 + 4 + 8))
    }
  }

  // MARK: Observations

  private let directory = TemporaryDirectory()

  private static let changes = [
    "UPDATE sale SET amount = 1000 WHERE id = 5", "UPDATE sale SET amount = 1 WHERE id = 5",
    "DELETE FROM sale WHERE id IN (7, 8, 9)", "INSERT INTO sale VALUES (500, 'c3', 9, 1)",
    "UPDATE sale SET customer = 'c4' WHERE id < 5", "UPDATE sale SET paid = NOT paid WHERE id > 50",
    "UPDATE sale SET amount = NULL WHERE customer = 'c2'", "DELETE FROM sale WHERE customer = 'c1'",
    "UPDATE OR REPLACE sale SET id = 30, customer = 'c5' WHERE id = 31",
  ]

  private static let observed = [
    "SELECT customer, count(*), sum(amount) FROM sale GROUP BY customer",
    "SELECT customer, max(amount), min(amount), avg(amount) FROM sale GROUP BY customer",
    "SELECT customer, total(amount) AS t FROM sale WHERE paid GROUP BY customer ORDER BY t DESC",
    "SELECT count(*), sum(amount), max(amount) FROM sale WHERE paid",
    "SELECT customer, count(*) FROM sale GROUP BY customer ORDER BY count(*) DESC, customer DESC",
    "SELECT customer, sum(amount) AS s FROM sale GROUP BY customer HAVING s > 700 ORDER BY s DESC",
    "SELECT customer, count(*) FROM sale GROUP BY customer ORDER BY count(*) DESC LIMIT 3",
    "SELECT customer, max(amount) FROM sale GROUP BY customer ORDER BY sum(amount) LIMIT 2, 3",
    "SELECT customer, count(DISTINCT amount), count(DISTINCT paid) FROM sale GROUP BY customer",
    "SELECT count(DISTINCT amount % 7), count(DISTINCT paid), min(DISTINCT amount) FROM sale",
    """
    SELECT customer, count(DISTINCT amount / 10) AS n FROM sale GROUP BY customer HAVING n > 2
    ORDER BY n DESC LIMIT 3
    """,
    "SELECT DISTINCT customer FROM sale WHERE paid ORDER BY customer",
    "SELECT DISTINCT paid, amount / 25 AS a FROM sale ORDER BY a DESC, paid LIMIT 5",
  ]

  /// Groups that come, go, and come back.
  private static let newGroups = [
    "INSERT INTO sale VALUES (201, 'aa', 3, 1)", "INSERT INTO sale VALUES (202, 'zz', 900, 1)",
    "DELETE FROM sale WHERE id = 201", "INSERT INTO sale VALUES (203, 'aa', 50, 0)",
    "INSERT INTO sale VALUES (204, NULL, 1, 1), (205, 'c10', 2, 1)",
    "UPDATE sale SET customer = 'bb' WHERE id IN (202, 204)", "DELETE FROM sale WHERE id > 200",
  ]

  @Test(arguments: [
    "SELECT customer, count(*) FROM sale GROUP BY customer",
    "SELECT customer, sum(amount) FROM sale GROUP BY customer ORDER BY sum(amount) DESC LIMIT 4",
    "SELECT customer, count(*) AS n FROM sale GROUP BY customer HAVING n < 3 ORDER BY n",
    "SELECT DISTINCT customer FROM sale ORDER BY customer DESC",
  ])
  func `groups that come, go and come back are patched`(sql: String) async throws {
    let pool = try await pool()
    let request = SQLRequest<Row>(sql: sql)
    let observation = try await FollowedObservation(of: request, in: pool, path: directory.file())
    let runs = try await observation.commit(Self.newGroups, isForeign: false)
    #expect(runs.patches >= Self.newGroups.count - 1)
    #expect(runs.refetches <= 1)
  }

  @Test func `groups that have gone are forgotten`() async throws {
    let pool = try await pool()
    let request = SQLRequest<Row>(sql: "SELECT customer, count(*) FROM sale GROUP BY customer")
    let observation = try await FollowedObservation(of: request, in: pool, path: directory.file())
    let changes = (0..<9).map {
      """
      DELETE FROM sale WHERE id > 1000;
      WITH n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 400)
      INSERT INTO sale SELECT 1000 + n, 'g\($0)' || n, 1, 1 FROM n
      """
    }
    let runs = try await observation.commit(changes, isForeign: false)
    #expect(runs.refetches > 0)
    #expect(pool.observationStatistics.patchMemory < 1_000_000)
  }

  @Test(arguments: observed.indices, [false, true])
  func `observed groups are patched`(query: Int, isForeign: Bool) async throws {
    let pool = try await pool()
    let request = SQLRequest<Row>(sql: Self.observed[query])
    let observation = try await FollowedObservation(of: request, in: pool, path: directory.file())
    let runs = try await observation.commit(Self.changes, isForeign: isForeign)
    #expect(runs.patches >= 5)
    #expect(runs.refetches <= 4)
  }

  private func pool() async throws -> DatabasePool {
    let pool = try DatabasePool(path: directory.file(), configuration: .patching)
    try await pool.write { db in
      try db.execute(sql: Self.schema)
      try db.execute(
        sql: """
          WITH n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 100)
          INSERT INTO sale SELECT n, 'c' || (n % 7), n * 7919 % 100, n % 3 FROM n
          """
      )
    }
    return pool
  }
}
