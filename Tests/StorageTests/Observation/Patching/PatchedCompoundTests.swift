import TestSupport
import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite("Patched UNION ALL") struct PatchedCompoundTests {
  private static let schema = """
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    CREATE TABLE sale (id INTEGER PRIMARY KEY, customerID INTEGER, amount INTEGER, note TEXT);
    CREATE TABLE tag (word TEXT PRIMARY KEY, weight INTEGER) WITHOUT ROWID;
    CREATE INDEX saleOfCustomer ON sale (customerID);
    CREATE INDEX saleByAmount ON sale (amount);
    CREATE VIEW line AS
      SELECT sale.id, amount, name, city FROM sale JOIN customer ON customer.id = customerID;
    INSERT INTO customer VALUES (1, 'a', 'x'), (2, 'b', 'y'), (3, 'c', 'x');
    INSERT INTO tag VALUES ('new', 1), ('old', 2), ('red', 3);
    WITH n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 100)
    INSERT INTO sale SELECT n, n % 3 + 1, n * 7919 % 100, 'n' || n % 7 FROM n;
    """

  private static let changes = [
    "UPDATE sale SET amount = 99 WHERE id = 4", "INSERT INTO sale VALUES (500, 2, 77, 'new')",
    "UPDATE customer SET name = 'd' WHERE id = 1", "DELETE FROM sale WHERE id IN (3, 9, 70)",
    "UPDATE customer SET city = 'x' WHERE id = 2", "UPDATE sale SET note = 'only' WHERE id = 5",
    "DELETE FROM customer WHERE id = 3; UPDATE sale SET amount = amount - 60 WHERE id > 90",
    "INSERT INTO customer VALUES (9, 'e', 'x'); DELETE FROM sale WHERE id = 500",
    "INSERT INTO tag VALUES ('blue', 4); UPDATE tag SET weight = 9 WHERE word = 'old'",
    "UPDATE tag SET word = 'zed' WHERE word = 'new'; INSERT INTO sale VALUES (600, 1, 80, 'end')",
  ]

  private static let observed: [SQLRequest<Row>] = [
    "SELECT id, name FROM customer WHERE city = 'x' UNION ALL SELECT id, note FROM sale WHERE amount > 50",
    """
    SELECT s.id AS number, c.name text FROM sale s JOIN customer c ON c.id = s.customerID
    UNION ALL SELECT id, note FROM sale WHERE amount < 20
    UNION ALL SELECT -id, city FROM customer
    """,
    "SELECT id, name FROM line WHERE amount > 30 UNION ALL SELECT id, note FROM sale WHERE note > 'n3'",
    "SELECT * FROM sale WHERE amount > 60 UNION ALL SELECT * FROM sale WHERE amount < 60",
    """
    SELECT id, (SELECT count(*) FROM sale WHERE customerID = customer.id) AS sales FROM customer
    UNION ALL SELECT id, amount FROM sale WHERE customerID IN (SELECT id FROM customer)
    """,
    "SELECT word, weight FROM tag UNION ALL SELECT 'sale ' || id, amount FROM sale WHERE amount > 70",
    // The names of the first query are other columns of the second one.
    """
    SELECT id, city AS note, name AS amount FROM customer
    UNION ALL SELECT id, amount, note FROM sale WHERE amount > 50 AND note > 'n2'
    """,
    "SELECT id, name FROM customer UNION ALL SELECT id, name FROM customer",
    SQLRequest(
      sql: """
        SELECT id, ? AS kind, amount FROM sale WHERE amount > ? UNION ALL
        SELECT id, ?, id * 2 FROM customer WHERE city = ?
        """,
      arguments: ["s", 40, "c", "x"]
    ),
  ]

  private let directory = TemporaryDirectory()

  private func pool() throws -> DatabasePool {
    let pool = try DatabasePool(path: directory.file(), configuration: .patching)
    try pool.write { try $0.execute(sql: Self.schema) }
    return pool
  }

  @Test(arguments: observed.indices, [false, true])
  func `the rows of several queries are patched, one query after the other`(
    query: Int,
    isForeign: Bool
  ) async throws {
    let pool = try pool()
    let observation = try await FollowedObservation(
      of: Self.observed[query],
      in: pool,
      path: directory.file()
    )
    #expect(observation.cancellable.explain()?.patchObstacle == nil)
    let runs = try await observation.commit(Self.changes, isForeign: isForeign)
    // Most change the query, and a commit of another process does not name the rows of a table
    // WITHOUT ROWID.
    #expect(runs.patches >= 3)
    #expect(runs.refetches <= (isForeign ? 4 : 1))
    observation.cancellable.cancel()
    try pool.close()
  }

  @Test(arguments: observed.indices)
  func `they are right after random changes`(query: Int) async throws {
    let pool = try pool()
    let observation = try await FollowedObservation(
      of: Self.observed[query],
      in: pool,
      path: directory.file()
    )
    var generator = SeededGenerator(seed: UInt64(query) + 1)
    let changes = (0..<Soak.size(200, inSuite: 40)).map { _ in
      let sale = generator.number(in: 1..<120)
      let customer = generator.number(in: 1..<8)
      let amount = generator.number(in: 0..<100)
      return switch generator.number(in: 0..<8) {
      case 0: "DELETE FROM sale WHERE id = \(sale)"
      case 1: "UPDATE sale SET amount = \(amount) WHERE id BETWEEN \(sale) AND \(sale + 3)"
      case 2: "DELETE FROM customer WHERE id = \(customer)"
      case 3: "INSERT OR REPLACE INTO customer VALUES (\(customer), 'r\(sale)', 'x')"
      case 4: "UPDATE OR REPLACE sale SET id = id + 1 WHERE id = \(sale)"
      case 5: "INSERT OR REPLACE INTO tag VALUES ('w\(customer)', \(amount))"
      case 6: "DELETE FROM tag WHERE word = 'w\(customer)'"
      default: "INSERT OR REPLACE INTO sale VALUES (\(sale), \(customer), \(amount), 'n\(amount)')"
      }
    }
    let runs = try await observation.commit(changes, isForeign: false)
    #expect(runs.patches > runs.refetches)
  }

  @Test func `elements of a type, closures and changed places are those of a fresh run`()
    async throws
  {
    struct Entry: FetchableRecord, Decodable, Equatable {
      let id: Int
      let name: String
    }
    let pool = try pool()
    let sql = """
      SELECT id, name FROM customer UNION ALL SELECT id, note AS other FROM sale WHERE amount > 90
      """
    let closure: @Sendable (Database) throws -> [Entry] = { try Entry.fetchAll($0, sql: sql) }
    let observation = try await FollowedObservation(
      ValueObservation.tracking { db in try closure(db) },
      in: pool,
      path: directory.file()
    ) { db in try closure(db) }
    let runs = try await observation.commit(Self.changes, isForeign: false)
    #expect(observation.cancellable.explain()?.statementObstacles == [:])
    #expect(runs.patches >= 6)
  }

  private static let otherCompound =
    "combines queries in another way than UNION ALL without an order, a limit or other names"

  private static let obstacles: [(sql: String, obstacle: String)] = [
    ("SELECT id FROM sale UNION SELECT id FROM customer", otherCompound),
    ("SELECT id FROM sale EXCEPT SELECT id FROM customer", otherCompound),
    ("SELECT id FROM sale UNION ALL SELECT id FROM customer ORDER BY id", otherCompound),
    ("SELECT id FROM sale UNION ALL SELECT id FROM customer LIMIT 3", otherCompound),
    ("SELECT id FROM sale UNION ALL SELECT id FROM customer INTERSECT SELECT 1", otherCompound),
    ("SELECT * FROM customer UNION ALL SELECT id, amount, note FROM sale", ""),
    ("SELECT id, city, name FROM customer UNION ALL SELECT * FROM customer", otherCompound),
    // In the second query, the name of a result column means another column after renaming.
    (
      """
      SELECT id, city AS place, name AS label FROM customer
      UNION ALL SELECT id, amount AS label, note AS place FROM sale WHERE label > 50
      """, "cannot be compiled for its changed rows"
    ),
    ("SELECT id FROM sale UNION ALL VALUES (1)", "is not a plain SELECT"),
    ("SELECT id FROM sale UNION ALL SELECT 1", "is not a plain SELECT"),
    (
      "SELECT id FROM sale UNION ALL SELECT count(*) FROM sale",
      "does more than read row after row (Count)"
    ),
    (
      "SELECT id FROM sale UNION ALL SELECT random() FROM customer",
      "calls random(), whose result may change"
    ),
  ]

  @Test(arguments: obstacles)
  func `what is not patched says why`(sql: String, obstacle: String) throws {
    try pool().read { db in
      let found = try db.makeStatement(sql: sql).patchObstacle()
      #expect(found ?? "" == obstacle)
    }
  }
}
