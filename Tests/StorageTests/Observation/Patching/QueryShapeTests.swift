import Testing

@testable import Storage
@testable import StorageTestSupport

/// The shapes of queries that services observe.
@Suite("Most queries over several tables, and most groups, are patched") struct QueryShapeTests {
  static let schema = """
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, level INTEGER);
    CREATE TABLE product (id INTEGER PRIMARY KEY, code TEXT UNIQUE, title TEXT, price INTEGER);
    CREATE TABLE sale (
      id INTEGER PRIMARY KEY, customerId INTEGER NOT NULL REFERENCES customer,
      productId INTEGER REFERENCES product, amount INTEGER NOT NULL, date TEXT NOT NULL,
      isPaid INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX saleOnCustomer ON sale (customerId);
    CREATE INDEX saleOnProduct ON sale (productId);
    CREATE INDEX saleOnDate ON sale (date);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE);
    CREATE TABLE productTag (
      id INTEGER PRIMARY KEY, productId INTEGER NOT NULL, tagId INTEGER NOT NULL,
      UNIQUE (productId, tagId)
    );
    CREATE INDEX productTagOnTag ON productTag (tagId);
    CREATE TABLE note (id INTEGER PRIMARY KEY, saleId INTEGER, body TEXT, isRead INTEGER);
    CREATE INDEX noteOnSale ON note (saleId);
    CREATE VIEW paidSale AS SELECT * FROM sale WHERE isPaid;
    CREATE VIEW saleLine AS
      SELECT sale.id, sale.date, sale.amount, customer.name AS customer, customer.city
      FROM sale JOIN customer ON customer.id = sale.customerId;
    CREATE VIEW revenue AS
      SELECT customerId, sum(amount) AS total FROM sale GROUP BY customerId;
    """

  /// Queries, and why they run as a whole; `nil` for a query that is patched.
  static let shapes: [(sql: String, obstacle: String?)] = [
    // Inner joins.
    ("SELECT s.*, c.name FROM sale s JOIN customer c ON c.id = s.customerId", nil),
    (
      """
      SELECT s.id, c.name, p.title FROM sale s JOIN customer c ON c.id = s.customerId
      JOIN product p ON p.id = s.productId WHERE s.isPaid = 0 ORDER BY s.date DESC LIMIT 50
      """, nil
    ),
    (
      "SELECT t.* FROM tag t JOIN productTag pt ON pt.tagId = t.id WHERE pt.productId = ?", nil
    ),
    (
      "SELECT p.title, t.label FROM productTag JOIN product p ON p.id = productTag.productId "
        + "JOIN tag t ON t.id = productTag.tagId ORDER BY p.title, t.label", nil
    ),
    (
      "SELECT sale.id, name FROM sale, customer WHERE customer.id = customerId AND city = ?", nil
    ),
    (
      "SELECT p.code, s.amount FROM sale s JOIN product p ON p.id = s.productId AND p.price > ?",
      nil
    ),
    (
      """
      SELECT s.id FROM sale s JOIN customer c ON c.id = s.customerId
      WHERE c.level >= ? ORDER BY c.name, s.date
      """, nil
    ),
    (
      """
      SELECT n.body, s.date FROM note n JOIN sale s ON s.id = n.saleId
      JOIN customer c ON c.id = s.customerId WHERE c.id = ? ORDER BY n.id DESC LIMIT 1
      """, nil
    ),
    ("SELECT customer.* FROM sale INNER JOIN customer ON customer.id = sale.customerId", nil),
    ("SELECT id, amount, tagId FROM sale JOIN productTag USING (id)", nil),
    // Left joins.
    (
      """
      SELECT s.*, p.title FROM sale s LEFT JOIN product p ON p.id = s.productId
      WHERE s.date > ? ORDER BY s.date DESC LIMIT 100
      """, nil
    ),
    ("SELECT s.id, n.body FROM note n LEFT JOIN sale s ON s.id = n.saleId ORDER BY n.id", nil),
    (
      """
      SELECT s.id, c.name, p.title FROM sale s JOIN customer c ON c.id = s.customerId
      LEFT JOIN product p ON p.id = s.productId ORDER BY s.id
      """, nil
    ),
    (
      "SELECT s.id, p.code FROM sale s LEFT JOIN product p ON p.id = s.productId AND p.price > 5",
      nil
    ),
    (
      "SELECT s.* FROM sale s LEFT JOIN note n ON n.saleId = s.id WHERE n.id IS NULL",
      "selects or orders rows by what a LEFT JOIN finds"
    ),
    // Groups over joins.
    (
      """
      SELECT c.*, count(s.id) AS sales FROM customer c LEFT JOIN sale s ON s.customerId = c.id
      GROUP BY c.id ORDER BY c.name
      """, nil
    ),
    (
      """
      SELECT c.name, sum(s.amount) AS total FROM customer c JOIN sale s ON s.customerId = c.id
      GROUP BY c.id ORDER BY total DESC LIMIT 10
      """, nil
    ),
    (
      """
      SELECT p.title, count(*), max(s.date) FROM product p JOIN sale s ON s.productId = p.id
      GROUP BY p.id HAVING count(*) > ?
      """, nil
    ),
    (
      """
      SELECT c.city, count(*) FROM sale s JOIN customer c ON c.id = s.customerId
      GROUP BY c.city ORDER BY c.city
      """, nil
    ),
    (
      """
      SELECT c.city, sum(s.amount) AS total FROM sale s JOIN customer c ON c.id = s.customerId
      GROUP BY c.city ORDER BY total DESC, c.city LIMIT 5
      """, nil
    ),
    (
      """
      SELECT t.label, count(*) AS uses FROM productTag pt JOIN tag t ON t.id = pt.tagId
      GROUP BY t.label HAVING uses > 2 ORDER BY uses DESC, t.label
      """, nil
    ),
    (
      "SELECT c.id, group_concat(s.id) FROM customer c JOIN sale s ON s.customerId = c.id "
        + "GROUP BY c.id", nil
    ),
    // Subqueries as values.
    (
      "SELECT *, (SELECT count(*) FROM sale WHERE sale.customerId = customer.id) AS sales "
        + "FROM customer ORDER BY name", nil
    ),
    (
      """
      SELECT c.*, (SELECT max(date) FROM sale s WHERE s.customerId = c.id) AS last
      FROM customer c ORDER BY last DESC LIMIT 20
      """, nil
    ),
    ("SELECT id, (SELECT title FROM product WHERE product.id = sale.productId) FROM sale", nil),
    (
      "SELECT * FROM customer WHERE (SELECT count(*) FROM sale WHERE customerId = customer.id) > ?",
      nil
    ),
    (
      """
      SELECT c.name, (SELECT sum(amount) FROM sale s WHERE s.customerId = c.id) AS total,
        (SELECT count(*) FROM sale s WHERE s.customerId = c.id AND NOT isPaid) AS unpaid
      FROM customer c
      """, nil
    ),
    ("SELECT * FROM sale WHERE amount > (SELECT avg(price) FROM product)", nil),
    (
      "SELECT * FROM sale WHERE date = (SELECT max(date) FROM sale)",
      "reads its rows in the order of a table that it reads twice"
    ),
    // Subqueries in the FROM, views, and common table expressions.
    ("SELECT * FROM paidSale WHERE customerId = ? ORDER BY date", nil),
    ("SELECT * FROM saleLine WHERE city = ? ORDER BY date DESC LIMIT 20", nil),
    ("SELECT l.customer, l.amount FROM saleLine AS l WHERE l.amount > ?", nil),
    ("SELECT count(*) FROM paidSale WHERE amount > ?", nil),
    ("SELECT city, sum(amount) FROM saleLine GROUP BY city", nil),
    (
      "SELECT c.name, p.amount FROM customer c JOIN paidSale p ON p.customerId = c.id "
        + "ORDER BY p.amount DESC", nil
    ),
    (
      """
      SELECT s.id, x.title FROM sale s
      JOIN (SELECT id, title FROM product WHERE price > ?) AS x ON x.id = s.productId
      """, nil
    ),
    ("SELECT id, twice FROM (SELECT id, amount * 2 AS twice FROM sale) WHERE twice > 10", nil),
    (
      """
      WITH recent AS (SELECT * FROM sale WHERE date > ?)
      SELECT recent.id, customer.name FROM recent JOIN customer ON customer.id = recent.customerId
      ORDER BY recent.date
      """, nil
    ),
    (
      "WITH open (id, amount) AS (SELECT id, amount FROM sale WHERE NOT isPaid) "
        + "SELECT count(*), sum(amount) FROM open", nil
    ),
    (
      "SELECT * FROM revenue WHERE total > ?",
      "reads a function, an unknown join, or a view or subquery that stays one"
    ),
    // Aggregates over joins.
    (
      """
      SELECT count(s.id) FROM sale s JOIN customer c ON c.id = s.customerId
      WHERE c.level = 0 AND s.isPaid = 0
      """, nil
    ),
    (
      "SELECT count(*) FROM sale JOIN product ON product.id = sale.productId WHERE price > ?", nil
    ),
    (
      "SELECT sum(s.amount), max(s.amount) FROM sale s JOIN customer c ON c.id = s.customerId "
        + "WHERE c.city = ?", nil
    ),
    // Memberships.
    (
      "SELECT * FROM customer WHERE id IN (SELECT customerId FROM sale WHERE date > ?)", nil
    ),
    (
      "SELECT * FROM product WHERE id NOT IN (SELECT productId FROM productTag)", nil
    ),
    (
      "SELECT * FROM customer c WHERE EXISTS (SELECT 1 FROM sale s WHERE s.customerId = c.id)", nil
    ),
    (
      """
      SELECT * FROM sale s
      WHERE NOT EXISTS (SELECT * FROM note n WHERE n.saleId = s.id AND n.isRead = 0)
      """, nil
    ),
    (
      """
      SELECT EXISTS (
        SELECT 1 FROM sale s JOIN customer c ON c.id = s.customerId WHERE c.city = ?
      )
      """, nil
    ),
    // Groups over one table.
    ("SELECT date, count(*) FROM sale WHERE isPaid GROUP BY date", nil),
    (
      "SELECT customerId, sum(amount) AS total FROM sale GROUP BY customerId ORDER BY total DESC, 1",
      nil
    ),
    ("SELECT city, count(*) FROM customer GROUP BY city HAVING count(*) > ? ORDER BY city", nil),
    (
      "SELECT level, min(id), max(id) FROM customer GROUP BY level ORDER BY level DESC LIMIT 3", nil
    ),
    ("SELECT date, avg(amount) FROM sale GROUP BY date ORDER BY date", nil),
    ("SELECT count(*), sum(amount), avg(amount) FROM sale WHERE isPaid", nil),
    ("SELECT max(amount) FROM sale WHERE customerId = ?", nil),
    // Distinct rows, unions and other queries.
    ("SELECT DISTINCT city FROM customer ORDER BY city", nil),
    (
      """
      SELECT DISTINCT c.city, c.level FROM sale s JOIN customer c ON c.id = s.customerId
      ORDER BY c.city, c.level
      """, nil
    ),
    ("SELECT count(DISTINCT customerId) FROM sale", nil),
    (
      "SELECT id, date FROM sale WHERE isPaid UNION ALL SELECT id, body FROM note WHERE isRead",
      nil
    ),
    (
      "SELECT id, row_number() OVER (ORDER BY date) FROM sale",
      "does more than read row after row (InitCoroutine)"
    ),
  ]

  @Test func `sixty shapes are patched, or have a reason`() throws {
    #expect(Self.shapes.count == 60)
    try withDatabase { db in
      try db.execute(sql: Self.schema)
      var patched = 0
      for (sql, obstacle) in Self.shapes {
        let statement = try db.makeStatement(sql: sql)
        let values = Array(repeating: 3.databaseValue, count: Int(statement.parameterCount))
        try statement.setArguments(StatementArguments(values: values, namedValues: [:]))
        let found = try statement.patchObstacle()
        #expect(found == obstacle, "\(sql)")
        patched += found == nil ? 1 : 0
      }
      #expect(patched >= 54)
    }
  }

  /// Queries, and the parts of their patched results.
  private static let plans = [
    (
      "SELECT id, date FROM sale WHERE isPaid UNION ALL SELECT id, body FROM note WHERE isRead",
      """
      the rows of sale
      the rows of note
      """
    ),
    (
      "SELECT s.*, c.name FROM sale s JOIN customer c ON c.id = s.customerId ORDER BY s.id LIMIT 9",
      """
      rows 1 to 9 of sale
        each with a row of customer
      """
    ),
    (
      "SELECT *, (SELECT count(*) FROM sale WHERE customerId = customer.id) FROM customer",
      """
      the rows of customer
        each with the rows of sale by customerid
      """
    ),
    (
      "SELECT * FROM sale WHERE amount > (SELECT avg(price) FROM product)",
      """
      the rows of sale
        all with the rows of product
      """
    ),
    ("SELECT count(*) FROM paidSale", "the number of the rows of sale"),
    (
      "SELECT DISTINCT city FROM customer ORDER BY city",
      "groups or aggregates of the rows of customer"
    ),
  ]

  @Test(arguments: plans)
  func `what a patched result is made of is explained`(sql: String, plan: String) async throws {
    let queue = try DatabaseQueue(configuration: .patching)
    try await queue.write { db in try db.execute(sql: Self.schema) }
    let observation = ValueObservation.tracking(SQLRequest<Row>(sql: sql))
      .start(in: queue, scheduling: .async) {
        Issue.record($0)
      } onChange: { _ in
      }
    try await queue.quiesce()
    let explanation = try #require(observation.explain())
    #expect(explanation.statementPlans == [sql: plan])
    let lines = plan.split(separator: "\n").map { "    \($0)\n" }.joined()
    #expect(
      explanation.description.contains("  \(sql)\n\(lines)is patched by the rows that change")
    )
    observation.cancel()
  }
}
