import Testing
import TestSupport

@testable import Storage
@testable import StorageTestSupport

@Suite("Patched views and subqueries in the FROM") struct PatchedViewTests {
  @Test(arguments: RandomViews.sources.indices)
  func `a patched result equals a fresh run after each random transaction`(source: Int) throws {
    let source = RandomViews.sources[source]
    let comparison = try RandomViews.comparison(seeds: 4, transactions: 4) {
      $0.query(over: source)
    }
    #expect((comparison.queries > 5) == source.isPatched, "\(source.sql): \(comparison)")
    #expect(comparison.patches >= comparison.runs, "\(source.sql): \(comparison)")
  }

  @Test(arguments: RandomViews.sources.indices)
  func `a patched number of rows equals a fresh one`(source: Int) throws {
    let source = RandomViews.sources[source]
    let comparison = try RandomViews.comparison(seeds: 2, transactions: 4, .number) {
      $0.numberQuery(over: source)
    }
    let isPatched = source.isPatched && !source.isSorted
    #expect(comparison.queries > 0 || !isPatched, "\(source.sql): \(comparison)")
    #expect(comparison.patches >= comparison.runs, "\(source.sql): \(comparison)")
  }

  private static let schema = """
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    CREATE TABLE sale (id INTEGER PRIMARY KEY, customerID INTEGER, amount INTEGER, note TEXT);
    CREATE INDEX saleOfCustomer ON sale (customerID);
    CREATE VIEW line AS
      SELECT sale.id, amount, name, city FROM sale JOIN customer ON customer.id = customerID;
    CREATE VIEW large AS SELECT * FROM line WHERE amount > 50;
    INSERT INTO customer VALUES (1, 'a', 'x'), (2, 'b', 'y'), (3, 'c', 'x');
    """

  private static let changes = [
    "UPDATE sale SET amount = 99 WHERE id = 4", "INSERT INTO sale VALUES (500, 2, 77, 'new')",
    "UPDATE customer SET name = 'd' WHERE id = 1", "DELETE FROM sale WHERE id IN (3, 9)",
    "UPDATE customer SET city = 'z' WHERE id = 3", "UPDATE sale SET note = 'only' WHERE id = 5",
    "DELETE FROM customer WHERE id = 2", "INSERT INTO customer VALUES (2, 'e', 'x')",
  ]

  private static let observed = [
    "SELECT * FROM line WHERE city = 'x' ORDER BY amount DESC, id",
    "SELECT l.name, l.amount AS a FROM large l ORDER BY a LIMIT 10",
    "WITH x AS (SELECT * FROM line WHERE city <> 'y') SELECT city, sum(amount) FROM x GROUP BY city",
    "SELECT count(*) AS number FROM large WHERE name > 'a'",
    "SELECT s.id, c.name FROM sale s JOIN (SELECT * FROM customer WHERE city = 'x') AS c "
      + "ON c.id = s.customerID",
    "SELECT DISTINCT city FROM large ORDER BY city",
  ]

  @Test(arguments: observed.indices, [false, true])
  func `observed views and subqueries are patched`(query: Int, isForeign: Bool) async throws {
    let pool = try DatabasePool(path: directory.file(), configuration: .patching)
    try await pool.write { db in
      try db.execute(sql: Self.schema)
      try db.execute(
        sql: """
          WITH n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 100)
          INSERT INTO sale SELECT n, n % 3 + 1, n * 7919 % 100, 'n' FROM n
          """
      )
    }
    let request = SQLRequest<Row>(sql: Self.observed[query])
    let observation = try await FollowedObservation(of: request, in: pool, path: directory.file())
    let runs = try await observation.commit(Self.changes, isForeign: isForeign)
    #expect(runs.patches >= 3)
    #expect(runs.refetches <= 3)
    // The new view reads other rows.
    let view = "DROP VIEW large; CREATE VIEW large AS SELECT * FROM line WHERE amount < 30"
    let other = try await observation.commit(
      [view, "UPDATE sale SET amount = 2"],
      isForeign: isForeign
    )
    #expect(other.patches + other.refetches > 0)
  }

  private let directory = TemporaryDirectory()
}
