import Foundation
import Storage
import StorageTestSupport
import Testing
import TestSupport
import WellspringSystem

/// Which queries a commit runs, among the queries that search for values of a column.
@Suite(.patient) struct ObservationConditionTests {
  private static let schema = """
    CREATE TABLE agent (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE ticket (
      id INTEGER PRIMARY KEY, agent INTEGER REFERENCES agent ON DELETE CASCADE ON UPDATE CASCADE,
      at INTEGER, title TEXT, number INTEGER UNIQUE
    );
    CREATE INDEX ticket_agent ON ticket (agent, at);
    CREATE TABLE request (agent INTEGER);
    CREATE TRIGGER requested AFTER INSERT ON request BEGIN
      INSERT INTO ticket (agent) VALUES (new.agent);
    END;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
    INSERT INTO agent SELECT i, 'a' || i FROM n;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
    INSERT INTO ticket SELECT i, i % 20 + 1, i, 't' || i, i FROM n
    """

  struct Commit: Sendable, CustomTestStringConvertible {
    let sql: String
    /// The agents whose queries it runs.
    let agents: Set<Int>
    var testDescription: String { sql }

    init(_ sql: String, _ agents: Int...) { (self.sql, self.agents) = (sql, Set(agents)) }
  }

  static let commits = [
    Commit("UPDATE ticket SET title = 'x' WHERE id = 4", 5),
    Commit("UPDATE ticket SET agent = 7 WHERE id = 4", 5, 7),
    Commit("UPDATE ticket SET number = -1 WHERE id = 4"),
    Commit("UPDATE ticket SET title = title WHERE id = 4"),
    Commit("UPDATE ticket SET title = 'x' WHERE id IN (4, 5, 6)", 5, 6, 7),
    Commit("UPDATE ticket SET id = 1000 WHERE id = 4", 5),
    Commit("UPDATE ticket SET id = 1000, agent = 9 WHERE id = 4", 5, 9),
    Commit("INSERT INTO ticket (agent, title) VALUES (3, 'x')", 3),
    Commit("INSERT INTO ticket (agent, title) VALUES (NULL, 'x'), ('3', 'y'), (3.0, 'z')", 3),
    Commit("DELETE FROM ticket WHERE id = 4", 5),
    Commit("REPLACE INTO ticket (id, agent) VALUES (4, 8)", 5, 8),
    Commit("INSERT OR REPLACE INTO ticket (agent, number) VALUES (8, 4)", 5, 8),
    Commit(
      "INSERT INTO ticket (agent, number) VALUES (8, 4) ON CONFLICT DO UPDATE SET agent = 9",
      5,
      9
    ),
    Commit("INSERT INTO request VALUES (6)", 6),
    Commit("DELETE FROM agent WHERE id = 6", 6),
    Commit("UPDATE agent SET id = 600 WHERE id = 6", 6),
    Commit("SAVEPOINT s; UPDATE ticket SET title = 'x' WHERE id = 4; ROLLBACK TO s; RELEASE s"),
    Commit(
      """
      UPDATE ticket SET title = 'x' WHERE id = 5;
      SAVEPOINT s; UPDATE ticket SET title = 'x' WHERE id = 4; ROLLBACK TO s; RELEASE s
      """,
      6
    ),
    // The row has been there on the way.
    Commit(
      "UPDATE ticket SET agent = 7 WHERE id = 4; UPDATE ticket SET agent = 5 WHERE id = 4",
      5,
      7
    ),
    Commit("INSERT INTO ticket (id, agent) VALUES (500, 3); DELETE FROM ticket WHERE id = 500", 3),
    Commit("INSERT INTO agent VALUES (100, 'x')"),
  ]

  private static func tickets(_ db: Database, of agent: Int) throws -> [Row] {
    try Row.fetchAll(
      db,
      sql: "SELECT id, title FROM ticket WHERE agent = ? ORDER BY at, id LIMIT 4",
      arguments: [agent]
    )
  }

  @Test(arguments: commits)
  func `a commit runs the queries whose values its rows have`(commit: Commit) async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write { try $0.execute(sql: Self.schema) }
    let seen = Lock([Int: [Row]]())
    let observations = (1...20).map { agent in
      ValueObservation.tracking { try Self.tickets($0, of: agent) }
        .start(in: pool, onError: { Issue.record($0) }) { rows in
          seen.withLock { $0[agent] = rows }
        }
    }
    try await pool.quiesce()
    let before = pool.observationStatistics.runs
    try await pool.write { try $0.execute(sql: commit.sql) }
    try await pool.quiesce()
    #expect(pool.observationStatistics.runs - before == commit.agents.count)
    for agent in 1...20 {
      let rows = try await pool.read { try Self.tickets($0, of: agent) }
      #expect(seen.withLock { $0[agent] } == rows, "agent \(agent)")
    }
    withExtendedLifetime(observations) {}
  }

  @Test func `a commit runs the queries whose pattern its rows may meet`() async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT COLLATE NOCASE);
          CREATE INDEX word_text ON word (text)
          """
      )
    }
    let seen = Lock([String: [String]]())
    let letters = ["a", "b", "c", "d"]
    let observations = letters.map { letter in
      let request = SQLRequest<String>(
        sql: "SELECT text FROM word WHERE text LIKE ? ORDER BY text",
        arguments: [letter + "%"]
      )
      return ValueObservation.tracking(AllElements(request))
        .start(in: pool, onError: { Issue.record($0) }) { words in
          seen.withLock { $0[letter] = words }
        }
    }
    try await pool.quiesce()
    let before = pool.observationStatistics.runs
    try await pool.write { try $0.execute(sql: "INSERT INTO word (text) VALUES ('Cat'), ('x')") }
    try await pool.quiesce()
    #expect(pool.observationStatistics.runs - before == 1)
    #expect(seen.withLock { $0 } == ["a": [], "b": [], "c": ["Cat"], "d": []])
    withExtendedLifetime(observations) {}
  }

  // MARK: Rows that only seem irrelevant

  struct Shape: Sendable, CustomTestStringConvertible {
    let sql: String
    let arguments: StatementArguments
    let change: String
    var testDescription: String { sql }

    init(_ sql: String, _ arguments: StatementArguments = [], after change: String) {
      (self.sql, self.arguments, self.change) = (sql, arguments, change)
    }
  }

  static let shapes = [
    Shape("SELECT id FROM t WHERE a = 1 OR b = 2", after: "INSERT INTO t VALUES (9, 1, 99, 'x')"),
    Shape("SELECT id FROM t WHERE a IN (1, 2, 3)", after: "INSERT INTO t VALUES (9, 2, 0, 'x')"),
    Shape(
      "SELECT id FROM t WHERE (a <> 1) IS NOT TRUE OR a = 2",
      after: "INSERT INTO t VALUES (9, NULL, 0, 'x')"
    ),
    Shape(
      "SELECT u.id FROM u LEFT JOIN t ON t.b = u.id WHERE t.a IS ?",
      [nil],
      after: "INSERT INTO t VALUES (9, 7, 1, 'x')"
    ),
    Shape(
      "SELECT u.id FROM u LEFT JOIN s ON s.w = u.id WHERE s.v IS ?",
      [nil],
      after: "INSERT INTO s VALUES (9, 7, 1)"
    ),
    Shape(
      "SELECT u.id FROM u LEFT JOIN t ON t.b = u.id AND t.a = ? WHERE t.id IS NULL",
      [7],
      after: "INSERT INTO t VALUES (9, 7, 1, 'x')"
    ),
    Shape(
      "SELECT s.id FROM u, s WHERE s.v = u.word AND u.word = 5",
      after: "INSERT INTO s VALUES (9, '5', 1)"
    ),
    Shape(
      "SELECT t.id FROM u, t WHERE t.c = u.word AND u.word = ?",
      [5],
      after: "INSERT INTO t VALUES (9, 0, 0, '5')"
    ),
    Shape("SELECT id FROM t WHERE a BETWEEN 1 AND 4", after: "INSERT INTO t VALUES (9, 3, 0, 'x')"),
    Shape("SELECT id FROM s WHERE v >= 1 AND v <= 4", after: "INSERT INTO s VALUES (9, 3, 0)"),
    // The hook has no value of a row id that follows a virtual column.
    Shape("SELECT id FROM g WHERE id > 3", after: "INSERT INTO g (id, v) VALUES (9, 3)"),
    Shape("SELECT id FROM g WHERE id BETWEEN 8 AND 9", after: "UPDATE g SET id = 9"),
    Shape("SELECT v FROM g WHERE id <= 1", after: "DELETE FROM g"),
    Shape("SELECT v FROM g WHERE id <= 1", after: "UPDATE g SET v = 8"),
    Shape("SELECT v FROM g WHERE id <= 1", after: "UPDATE g SET id = 9"),
    Shape("SELECT v FROM g WHERE id = 1 OR id > 50", after: "UPDATE g SET id = 9"),
    Shape("SELECT v FROM g WHERE id = 8 OR v = 1", after: "INSERT INTO g (id, v) VALUES (8, 2)"),
    Shape("SELECT w FROM s WHERE oid > 5", after: "INSERT INTO s VALUES (9, 3, 0)"),
    // SQLite makes another range of each pattern.
    Shape("SELECT id FROM l WHERE a LIKE ?", ["b%"], after: "INSERT INTO l VALUES (9, 'Bc')"),
    Shape("SELECT id FROM l WHERE a LIKE ?", ["b"], after: "INSERT INTO l VALUES (9, 'B')"),
    Shape("SELECT id FROM l WHERE a LIKE ?", ["_c"], after: "INSERT INTO l VALUES (9, 'Bc')"),
    Shape("SELECT id FROM l WHERE a LIKE ?", [5], after: "INSERT INTO l VALUES (9, 5)"),
    Shape("SELECT id FROM l WHERE a GLOB ?", ["b*"], after: "INSERT INTO l VALUES (9, 'bc')"),
    Shape("SELECT id FROM l WHERE a LIKE ?", ["b@%"], after: "INSERT INTO l VALUES (9, 'B@c')"),
    Shape("SELECT v FROM g INDEXED BY g_id WHERE id = 9", after: "UPDATE g SET id = 9"),
    // The text of a number is compared with the number itself.
    Shape("SELECT id FROM x WHERE +a > 5", after: "INSERT INTO x VALUES (9, '1')"),
    Shape("SELECT id FROM x WHERE +a >= ?", [5], after: "INSERT INTO x VALUES (9, '')"),
    Shape("SELECT id FROM x WHERE +a BETWEEN 1 AND 'z'", after: "INSERT INTO x VALUES (9, '')"),
    Shape(
      "SELECT x.id FROM y CROSS JOIN x WHERE y.b = 5 AND y.b < x.a",
      after: "INSERT INTO x VALUES (9, '1')"
    ),
    // The hook shows an integer as the nearest real number.
    Shape("SELECT k FROM z WHERE k = 9007199254740993", after: "DELETE FROM z"),
    Shape("SELECT k FROM z WHERE k = 9007199254740993", after: "UPDATE z SET k = 1"),
    Shape("SELECT k FROM z WHERE k > 9007199254740992", after: "DELETE FROM z"),
    Shape("SELECT id FROM q WHERE n = 9007199254740993", after: "DELETE FROM q"),
    Shape("SELECT n FROM q", after: "UPDATE q SET n = 9007199254740992"),
    Shape("SELECT id FROM s WHERE v <= 3", after: "INSERT INTO s VALUES (9, 3, 0)"),
    Shape("SELECT id FROM d WHERE v > 3", after: "INSERT INTO d VALUES (9, 5)"),
    Shape("SELECT id FROM d WHERE v < 3 ORDER BY v", after: "INSERT INTO d VALUES (9, 1)"),
    Shape("SELECT id FROM p WHERE (v, w) > (3, 4)", after: "INSERT INTO p VALUES (9, 3, 5)"),
    Shape(
      "SELECT id FROM t WHERE c = 'x' COLLATE NOCASE OR c = 'y'",
      after: "INSERT INTO t VALUES (9, 0, 0, 'X')"
    ),
    Shape(
      "SELECT id FROM t WHERE c = 'x' OR c = 'y' COLLATE NOCASE",
      after: "INSERT INTO t VALUES (9, 0, 0, 'Y')"
    ),
    Shape(
      "SELECT id FROM t WHERE (a <= 5) IS NOT TRUE",
      after: "INSERT INTO t VALUES (9, NULL, 0, '')"
    ),
    Shape(
      "SELECT id FROM t WHERE (a > 5) IS NOT FALSE",
      after: "INSERT INTO t VALUES (9, NULL, 0, '')"
    ),
  ]

  @Test(arguments: shapes)
  func `a change is seen where other rows than those of a value matter`(
    shape: Shape
  ) async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, c);
          CREATE TABLE s (id INTEGER PRIMARY KEY, v, w INTEGER);
          CREATE INDEX s_v ON s (v); CREATE INDEX s_w ON s (w);
          CREATE TABLE u (id INTEGER PRIMARY KEY, word TEXT);
          INSERT INTO u VALUES (1, '5');
          CREATE TABLE x (id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX x_a ON x (a);
          CREATE TABLE y (id INTEGER PRIMARY KEY, b, c INT); INSERT INTO y VALUES (1, 5, 0);
          CREATE TABLE z (r REAL, k INTEGER PRIMARY KEY) WITHOUT ROWID;
          INSERT INTO z VALUES (1.5, 9007199254740993);
          CREATE TABLE q (id INTEGER PRIMARY KEY, g REAL AS (1.5) VIRTUAL, n INTEGER, m INTEGER);
          INSERT INTO q (n) VALUES (9007199254740993);
          CREATE TABLE d (id INTEGER PRIMARY KEY, v); CREATE INDEX d_v ON d (v DESC);
          CREATE TABLE p (id INTEGER PRIMARY KEY, v INTEGER, w INTEGER);
          CREATE INDEX p_v ON p (v, w);
          CREATE TABLE g (w AS (v) VIRTUAL, id INTEGER PRIMARY KEY, v);
          CREATE INDEX g_id ON g (id, v);
          CREATE TABLE l (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE);
          CREATE INDEX l_a ON l (a);
          INSERT INTO g (id, v) VALUES (1, 1)
          """
      )
    }
    let request = SQLRequest<Int64>(sql: shape.sql, arguments: shape.arguments)
    @Sendable func fetch(_ db: Database) throws -> [Int64] { try request.fetchAll(db) }
    let seen = Lock([Int64]())
    let observation = ValueObservation.tracking(AllElements(request))
      .start(in: pool, onError: { Issue.record($0) }) { ids in seen.withLock { $0 = ids } }
    try await pool.quiesce()
    let before = seen.withLock { $0 }
    try await pool.write { try $0.execute(sql: shape.change) }
    try await pool.quiesce()
    let after = try await pool.read(fetch)
    #expect(before != after)
    #expect(seen.withLock { $0 } == after)
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: [true, false])
  func `a condition counts from the transaction on that begins after it`(
    isOfOtherPool: Bool
  ) async throws {
    let directory = TemporaryDirectory()
    let writer = try DatabasePool(path: directory.file())
    try await writer.write { try $0.execute(sql: Self.schema) }
    let reader = isOfOtherPool ? try DatabasePool(path: directory.file()) : writer
    let seen = Lock([Row]())
    let started = Lock(AnyDatabaseCancellable?.none)
    try await writer.write { db in
      // No observation searches for a value yet.
      try db.execute(sql: "UPDATE ticket SET title = 'written before' WHERE id = 4")
      let delivered = DispatchSemaphore(value: 0)
      let observation = ValueObservation.tracking { try Self.tickets($0, of: 5) }
        .start(in: reader, onError: { Issue.record($0) }) { rows in
          seen.withLock { $0 = rows }
          delivered.signal()
        }
      started.withLock { $0 = observation }
      delivered.wait()
      try db.execute(sql: "UPDATE ticket SET title = 'written after' WHERE id = 24")
    }
    try await reader.quiesce()
    try await writer.quiesce()
    let titles = seen.withLock { $0.map { $0["title"] as String } }
    #expect(titles.prefix(2) == ["written before", "written after"])
    let before = reader.observationStatistics.runs
    try await writer.write { try $0.execute(sql: "UPDATE ticket SET title = 'x' WHERE id = 5") }
    try await reader.quiesce()
    #expect(reader.observationStatistics.runs == before)
    withExtendedLifetime(started) {}
  }

  @Test func `a request has its conditions when its events are handled`() async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write { try $0.execute(sql: Self.schema) }
    let request = SQLRequest<Int64>(sql: "SELECT id FROM ticket WHERE id > ?", arguments: [90])
    let fetches = Lock(0)
    let observation = ValueObservation.tracking(AllElements(request))
      .handleEvents(willFetch: { fetches.withLock { $0 += 1 } })
      .start(in: pool, onError: { Issue.record($0) }, onChange: { _ in })
    try await pool.quiesce()
    try await pool.write { try $0.execute(sql: "DELETE FROM ticket WHERE id = 5") }
    try await pool.quiesce()
    #expect(fetches.withLock { $0 } == 1)
    try await pool.write { try $0.execute(sql: "DELETE FROM ticket WHERE id = 95") }
    try await pool.quiesce()
    #expect(fetches.withLock { $0 } == 2)
    observation.cancel()
  }

  @Test func `a closure may look for another bound in each run`() async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write { db in
      try db.execute(
        sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER); CREATE INDEX t_a ON t (a)"
      )
    }
    let bound = Lock(5)
    let seen = Lock([Int64]())
    let observation = ValueObservation.tracking { db in
      try Int64.fetchAll(
        db,
        sql: "SELECT a FROM t WHERE a < ? ORDER BY a",
        arguments: [bound.withLock { $0 }]
      )
    }
    .start(in: pool, onError: { Issue.record($0) }) { values in seen.withLock { $0 = values } }
    try await pool.quiesce()
    bound.withLock { $0 = 10 }
    try await pool.write { try $0.execute(sql: "INSERT INTO t (a) VALUES (8)") }
    try await pool.quiesce()
    #expect(seen.withLock { $0 } == [8])
    withExtendedLifetime(observation) {}
  }

  // MARK: Random values

  /// Declarations of a column whose values are compared in different ways.
  static let declarations = [
    "INTEGER", "TEXT", "REAL", "NUMERIC", "", "BLOB", "TEXT COLLATE NOCASE", "TEXT COLLATE RTRIM",
    "COLLATE NOCASE", "DATE", "INTEGER NOT NULL DEFAULT 5", "TEXT DEFAULT 'a'",
  ]

  private static let integers: [Int64] = [
    0, 1, 5, -1, 9_007_199_254_740_993, 9_007_199_254_740_992, .max, .min,
  ]
  private static let reals: [Double] = [
    0, -0.0, 1, 1.5, 5, 9_007_199_254_740_992, 1e300, -9.223372036854775808e18,
  ]
  private static let texts = [
    "", "a", "A", "a ", "a\0b", "A\0c", "5", " 5", "5.0", "1e0", "ä", "Ä", "0x5",
    "9007199254740993",
  ]
  private static let blobs = [Data(), Data([0x61]), Data("5".utf8)]
  private static let values: [DatabaseValue] =
    integers.map(\.databaseValue) + reals.map(\.databaseValue) + texts.map(\.databaseValue)
    + blobs.map(\.databaseValue) + [.null]

  @Test(arguments: declarations, [true, false])
  func `soak: each value equals a fresh run after changes of any values`(
    declaration: String,
    hasIndex: Bool
  ) async throws {
    var random = SeededGenerator(seed: hasIndex ? 1 : 2)
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, other);
          INSERT INTO t (other) VALUES (1), (2), (3);
          ALTER TABLE t ADD COLUMN v \(declaration);
          \(hasIndex ? "CREATE INDEX t_v ON t (v)" : "")
          """
      )
    }
    let all = Self.values.flatMap { value in
      [
        "v = ?1", "v IS ?1", "v IN (?1, 1, 'a')", "v = ?1 AND id > 2", "v BETWEEN ?1 AND 'b'",
        "v <> ?1", "v > ?1", "v < ?1 OR v IS NULL", "v >= ?1 AND v < 'b'",
        "v <= ?1 AND other >= 0", "(v, id) > (?1, 3)",
        "id IN (SELECT id FROM t WHERE v > ?1 ORDER BY v DESC)",
      ].map {
        (condition: $0, value: value)
      }
    }
    let queries = all.shuffled(using: &random).prefix(Soak.size(all.count, inSuite: 20)).map { $0 }
    let requests = queries.map {
      SQLRequest<Int64>(
        sql: "SELECT id FROM t WHERE \($0.condition) ORDER BY id",
        arguments: [$0.value]
      )
    }
    @Sendable func fetch(_ db: Database, _ index: Int) throws -> [Int64] {
      try requests[index].fetchAll(db)
    }
    let seen = Lock([[Int64]](repeating: [], count: queries.count))
    var cancellables: [AnyDatabaseCancellable] = []
    for index in queries.indices {
      // A closure may find another bound in each run, so that its ranges do not count.
      let observation =
        index.isMultiple(of: 4)
        ? .tracking { try fetch($0, index) }
        : ValueObservation.tracking(AllElements(requests[index]))
      cancellables.append(
        observation.start(in: pool, onError: { Issue.record($0) }) { ids in
          seen.withLock { $0[index] = ids }
        }
      )
    }
    try await pool.quiesce()
    let before = pool.observationStatistics.runs
    let steps = 60
    for step in 0..<steps {
      let value = Self.values.randomElement(using: &random) ?? .null
      let id = Int64.random(in: 1...12, using: &random)
      let kind = Int.random(in: 0..<6, using: &random)
      try await pool.write { db in
        if step.isMultiple(of: 10) { try db.execute(sql: "DELETE FROM t WHERE id > 100") }
        switch kind {
        case 0:
          try db.execute(
            sql: "REPLACE INTO t (id, other, v) VALUES (?, 0, coalesce(?, 7))",
            arguments: [id, value]
          )
        case 1:
          try db.execute(sql: "UPDATE OR IGNORE t SET v = ? WHERE id = ?", arguments: [value, id])
        case 2: try db.execute(sql: "DELETE FROM t WHERE id = ?", arguments: [id])
        case 3:
          try db.execute(sql: "UPDATE OR IGNORE t SET id = id + 1 WHERE id = ?", arguments: [id])
        case 4 where step.isMultiple(of: 4):
          // More rows than are read. The last rows differ.
          try db.execute(
            sql: """
              WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1005)
              INSERT INTO t SELECT i + 100, 0, CASE WHEN i > 1001 THEN coalesce(?, 7) ELSE 777 END
              FROM n
              """,
            arguments: [value]
          )
        case 4: try db.execute(sql: "DELETE FROM t WHERE id > 100")
        default: try db.execute(sql: "UPDATE t SET other = other + 1 WHERE id = ?", arguments: [id])
        }
      }
      try await pool.quiesce()
      let expected = try await pool.read { db in try queries.indices.map { try fetch(db, $0) } }
      let values = seen.withLock { $0 }
      for index in queries.indices where values[index] != expected[index] {
        Issue.record(
          "step \(step), \(kind): \(queries[index]) has \(values[index]), not \(expected[index])"
        )
      }
    }
    let runs = pool.observationStatistics.runs - before
    #expect(runs < steps * queries.count / 2, "most commits run few queries")
    withExtendedLifetime(cancellables) {}
  }
}
