import CWellspringSQLite
import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// P4: a commit that touches no part of a query's region does not run the query again.
@Suite("P4: nothing is run needlessly") struct ObservationPrecisionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let query: String
    let change: String
    var testDescription: String { "\(query) | \(change)" }
  }

  static let untouched: [Case] = [
    Case(query: "SELECT a FROM t", change: "UPDATE u SET a = 'other table'"),
    Case(query: "SELECT a FROM t", change: "INSERT INTO u VALUES (9, 9, 9)"),
    Case(query: "SELECT a FROM t", change: "UPDATE t SET b = 'other column'"),
    Case(query: "SELECT a FROM t", change: "UPDATE t SET a = a"),
    Case(query: "SELECT a FROM t", change: "UPDATE t SET a = 'none' WHERE id = 77"),
    Case(query: "SELECT a FROM t", change: "DELETE FROM t WHERE id = 77"),
    Case(query: "SELECT count(*) FROM t", change: "UPDATE t SET a = 'x', b = 'y'"),
    Case(
      query: "SELECT a FROM t WHERE id = 1",
      change: "UPDATE t SET a = 'other row' WHERE id = 2"
    ),
    Case(query: "SELECT a FROM t WHERE id = 1", change: "DELETE FROM t WHERE id = 2"),
    Case(query: "SELECT a FROM t WHERE id = 1", change: "INSERT INTO t VALUES (3, 'c', 'c')"),
    Case(query: "SELECT a FROM t WHERE id = 1", change: "UPDATE t SET b = 'x' WHERE id = 1"),
    Case(
      query: "SELECT t.a FROM t JOIN u ON u.id = t.id",
      change: "UPDATE u SET b = 'column that is not joined'"
    ),
    Case(
      query: "SELECT a FROM t",
      change: "SAVEPOINT s; UPDATE t SET a = 'undone'; ROLLBACK TO s; RELEASE s; DELETE FROM u"
    ),
    Case(query: "SELECT x FROM w", change: "UPDATE w SET x = x"),
    Case(query: "SELECT double FROM g", change: "UPDATE g SET x = x"),
    Case(query: "SELECT y FROM g", change: "UPDATE g SET x = 5"),
    Case(query: "SELECT a, id FROM k", change: "UPDATE k SET b = 5"),
    Case(query: "SELECT count(*) FROM g JOIN z USING (y)", change: "UPDATE g SET x = 5"),
    Case(query: "SELECT a FROM t", change: "INSERT INTO f VALUES ('new')"),
    Case(query: "SELECT a FROM t", change: "UPDATE f SET x = 'new'; DELETE FROM f"),
    Case(query: "SELECT a FROM t", change: "INSERT INTO r VALUES (1, 2, 3); DELETE FROM r"),
    Case(query: "SELECT double FROM h", change: "UPDATE h SET y = y"),
    Case(query: "SELECT count(*) FROM e", change: "UPDATE e SET at = 5"),
    Case(query: "SELECT EXISTS (SELECT 1 FROM e)", change: "UPDATE e SET at = 5"),
    Case(query: "SELECT count(*) FROM e, t", change: "UPDATE e SET at = 5; UPDATE t SET a = 'x'"),
    Case(
      query: "WITH s(i) AS (SELECT 1) SELECT count(*) FROM s",
      change: "UPDATE t SET a = 'x'; DELETE FROM u"
    ),
    Case(
      query: "WITH s AS MATERIALIZED (SELECT a FROM t) SELECT count(*) FROM s",
      change: "UPDATE u SET a = 'x'"
    ),
    Case(
      query: "SELECT a FROM t WHERE EXISTS (WITH s AS (SELECT id FROM t) SELECT 1 FROM s)",
      change: "UPDATE t SET b = 'x'"
    ),
  ]

  static let touched: [Case] = [
    Case(query: "SELECT a FROM t", change: "UPDATE t SET a = 'new'"),
    Case(query: "SELECT id FROM t WHERE b = 'b'", change: "UPDATE t SET b = 'new'"),
    Case(query: "SELECT count(*) FROM t", change: "INSERT INTO t VALUES (3, 'c', 'c')"),
    Case(query: "SELECT a FROM t WHERE id = 1", change: "UPDATE t SET a = 'new'"),
    Case(
      query: "SELECT a FROM t",
      change: "SAVEPOINT s; UPDATE t SET a = 'kept'; RELEASE s"
    ),
    Case(
      query: "SELECT a FROM t",
      change: """
        SAVEPOINT s; UPDATE t SET a = 'kept'; SAVEPOINT i; UPDATE t SET a = 'undone'; ROLLBACK TO i;
        RELEASE i; RELEASE s
        """
    ),
    Case(query: "SELECT double FROM g", change: "UPDATE g SET x = 5"),
    Case(query: "SELECT y FROM g", change: "UPDATE g SET y = 5"),
    Case(query: "SELECT count(*) FROM g JOIN z USING (y)", change: "UPDATE g SET y = 5"),
    Case(query: "SELECT count(*) FROM g JOIN z USING (x)", change: "UPDATE g SET x = 5"),
    Case(query: "SELECT count(*) FROM g NATURAL JOIN d", change: "UPDATE g SET x = 5"),
    // The new value equals the old value of the previous column.
    Case(query: "SELECT y FROM h", change: "UPDATE h SET y = 1"),
    Case(query: "SELECT double FROM h", change: "UPDATE h SET x = 5"),
    Case(query: "SELECT count(*) FROM e", change: "INSERT INTO e VALUES (2, 2, 'b')"),
    Case(query: "SELECT count(*) FROM e", change: "DELETE FROM e"),
    Case(query: "SELECT id FROM e ORDER BY at", change: "UPDATE e SET at = 5"),
    Case(query: "SELECT count(*) FROM e WHERE at > 3", change: "UPDATE e SET at = 5"),
    Case(
      query: "WITH s AS MATERIALIZED (SELECT a FROM t) SELECT count(*) FROM s",
      change: "DELETE FROM t"
    ),
  ]

  private func makePool(_ directory: TemporaryDirectory) throws -> DatabasePool {
    let pool = try DatabasePool(path: directory.file())
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);
          CREATE TABLE u (id INTEGER PRIMARY KEY, a, b);
          CREATE TABLE w (id TEXT PRIMARY KEY, x) WITHOUT ROWID;
          CREATE TABLE g (double GENERATED ALWAYS AS (x * 2) VIRTUAL, x, y);
          CREATE TABLE h (double GENERATED ALWAYS AS (x * 2) VIRTUAL, x, y, id PRIMARY KEY)
            WITHOUT ROWID;
          CREATE TABLE k (double AS (a * 2) VIRTUAL, a, id INTEGER PRIMARY KEY, b, c);
          INSERT INTO k VALUES (1, 1, 2, 3);
          CREATE TABLE z (x, y);
          CREATE TABLE d (double);
          CREATE TABLE e (id INTEGER PRIMARY KEY, at INTEGER, name TEXT);
          CREATE INDEX e_on_at ON e (at);
          INSERT INTO e VALUES (1, 1, 'long enough to make the table larger than the index');
          CREATE VIRTUAL TABLE f USING fts5(x);
          CREATE VIRTUAL TABLE r USING rtree(id, x0, x1);
          INSERT INTO z VALUES (1, 2);
          INSERT INTO d VALUES (2);
          INSERT INTO f VALUES ('old');
          CREATE TABLE marker (x);
          INSERT INTO t VALUES (1, 'a', 'b'), (2, 'a', 'b');
          INSERT INTO u VALUES (1, 'a', 'b'), (2, 'a', 'b');
          INSERT INTO w VALUES ('k', 1);
          INSERT INTO g VALUES (1, 2);
          INSERT INTO h VALUES (1, 2, 'k');
          INSERT INTO marker VALUES (0)
          """
      )
    }
    return pool
  }

  /// Makes the change of a case and then a visible change of another table, and counts the runs of
  /// the query until the second change is seen.
  private func runs(_ test: Case, isRecorded: Bool) async throws -> Int {
    let directory = TemporaryDirectory()
    let pool = try makePool(directory)
    let transactions = isRecorded ? try pool.recordTransactions() : nil
    let query = ValueObservation.tracking { db in try Row.fetchAll(db, sql: test.query) }
    let marker = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT x FROM marker")
    }
    let (recorder, first) = query.record(in: pool)
    _ = try await recorder.nextValue()
    let (markers, second) = marker.record(in: pool)
    _ = try await markers.nextValue()
    let before = pool.observationStatistics.runs
    try await pool.write { db in try db.execute(sql: test.change) }
    try await pool.write { db in try db.execute(sql: "UPDATE marker SET x = x + 1") }
    #expect(try await markers.nextValue() == 1)
    defer {
      first.cancel()
      second.cancel()
    }
    // A query that took long at first is run beside the other ones.
    try await pool.quiesce()
    // The change of the marker is the last transaction.
    if let transactions { #expect(transactions.lastItems.count == 1) }
    // One run is the run of the marker.
    return pool.observationStatistics.runs - before - 1
  }

  @Test(arguments: untouched, [false, true])
  func `a query does not run again after an unrelated change, recorded or not`(
    test: Case,
    isRecorded: Bool
  ) async throws {
    #expect(try await runs(test, isRecorded: isRecorded) == 0)
  }

  @Test(arguments: touched, [false, true])
  func `a query runs again once after a related change, recorded or not`(
    test: Case,
    isRecorded: Bool
  ) async throws {
    #expect(try await runs(test, isRecorded: isRecorded) == 1)
  }

  // Once the raw handle has changed the schema, each commit compares the header of the file.
  @Test(arguments: [
    "ALTER TABLE u ADD COLUMN c", "PRAGMA user_version = 7; INSERT INTO f VALUES ('a')",
  ])
  func `a change of the header counts once`(change: String) async throws {
    let directory = TemporaryDirectory()
    let pool = try makePool(directory)
    let query = ValueObservation.tracking { db in try String.fetchOne(db, sql: "SELECT a FROM t") }
    let (_, cancellable) = query.record(in: pool)
    try await pool.write { db in
      #expect(sqlite3_exec(db.sqliteConnection, "CREATE TABLE raw (x)", nil, nil, nil) == SQLITE_OK)
    }
    try await pool.write { db in try db.execute(sql: change) }
    try SQLiteShell.run(directory.file(), "PRAGMA user_version = 8")
    try await pool.quiesce()
    let before = pool.observationStatistics.runs
    try await pool.write { db in try db.execute(sql: "UPDATE u SET a = 'other table'") }
    try await pool.quiesce()
    #expect(pool.observationStatistics.runs == before)
    cancellable.cancel()
  }

  /// Observes the name of one item, and waits for the first value.
  private func observeName(in shop: Shop) async throws -> AnyDatabaseCancellable {
    let (names, cancellable) = ValueObservation.tracking { db in
      try String.fetchOne(db, sql: "SELECT name FROM item WHERE id = 1")
    }.record(in: shop.pool)
    _ = try await names.nextValue()
    return cancellable
  }

  // A transaction tracks enough for the observations that were there when it began.
  @Test func `an observation that begins in a transaction makes no other one run`() async throws {
    let shop = try Shop()
    let first = try await observeName(in: shop)
    let pool = shop.pool
    let second = Lock<AnyDatabaseCancellable?>(nil)
    try await pool.write { db in
      second.withLock { second in
        second = Shop.items.start(
          in: pool,
          scheduling: .immediate,
          onError: { _ in },
          onChange: { _ in }
        )
      }
      try db.execute(sql: "UPDATE item SET price = 9 WHERE id = 2")
    }
    try await pool.quiesce()
    // The new observation misses nothing.
    #expect(pool.observationStatistics.runs == 3)
    second.withLock { $0 = nil }
    first.cancel()
  }

  // A transaction tracks more than enough when an observation ends meanwhile.
  @Test func `an observation that ends in a transaction makes no other one run`() async throws {
    let shop = try Shop()
    let first = try await observeName(in: shop)
    let (items, second) = Shop.items.record(in: shop.pool)
    _ = try await items.nextValue()
    try await shop.pool.write { db in
      second.cancel()
      try db.execute(sql: "UPDATE item SET price = 9 WHERE id = 2")
    }
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.runs == 2)
    first.cancel()
  }

  // When the schema has changed, compiling a query on a full-text index reads `PRAGMA
  // data_version`, and compiling one on an R-tree reads the planner's statistics.
  @Test(arguments: ["SELECT rowid FROM f WHERE f MATCH 'a'", "SELECT id FROM r WHERE x0 > 1"])
  func `a query on a virtual table does not depend on other tables`(sql: String) async throws {
    let directory = TemporaryDirectory()
    let pool = try makePool(directory)
    try await pool.write { db in
      try db.execute(sql: "INSERT INTO f VALUES ('a'); INSERT INTO r VALUES (1, 2, 3); ANALYZE")
    }
    let query = ValueObservation.tracking { db in try Int.fetchAll(db, sql: sql) }
    let (_, cancellable) = query.record(in: pool)
    for number in 0..<3 {
      try await pool.write { db in try db.execute(sql: "CREATE TABLE other\(number) (x)") }
      try await pool.quiesce()
      let before = pool.observationStatistics.runs
      try await pool.write { db in try db.execute(sql: "INSERT INTO other\(number) VALUES (1)") }
      try await pool.quiesce()
      #expect(pool.observationStatistics.runs == before)
    }
    cancellable.cancel()
  }

  @Test func `a change of the schema counts once, also before other changes in its access`()
    async throws
  {
    let shop = try Shop()
    let (items, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await items.nextValue()
    let pool = shop.pool
    try await pool.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE other (x)")
      for _ in 0..<5 { try db.execute(sql: "INSERT INTO other VALUES (1)") }
    }
    try await pool.quiesce()
    let commits = pool.observationStatistics.commits
    // Commits before the rerun begins are coalesced with the commit of the schema change.
    let wakeUps = try #require(cancellable.explain()).wakeUps
    #expect(commits == 6)
    #expect(wakeUps.count == 1)
    cancellable.cancel()
  }

  @Test func `a pragma makes the commit after it count as everything, and no other`() async throws {
    var configuration = Configuration()
    // A query that is kept for patches after a slow run is touched again.
    configuration.patchingThreshold = .max
    let shop = try Shop(configuration)
    let (names, cancellable) = ValueObservation.tracking { db in
      try String.fetchAll(db, sql: "SELECT name FROM item")
    }.record(in: shop.pool)
    _ = try await names.nextValue()
    try await shop.pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA cache_size = 100")
      for price in 1...5 {
        try db.inTransaction {
          try db.execute(sql: "UPDATE item SET price = ?", arguments: [price])
          return .commit
        }
      }
    }
    try await shop.pool.quiesce()
    let explanation = try #require(cancellable.explain())
    #expect(explanation.wakeUps.count == 1, "\(explanation)")
    cancellable.cancel()
  }

  @Test func `an equal result is not delivered`() async throws {
    let directory = TemporaryDirectory()
    let pool = try makePool(directory)
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT sum(length(a)) FROM t") ?? 0
    }
    let (recorder, cancellable) = observation.record(in: pool)
    #expect(try await recorder.nextValue() == 2)
    for name in ["z", "zz"] {
      try await pool.write { db in try db.execute(sql: "UPDATE t SET a = ?", arguments: [name]) }
      try await pool.quiesce()
    }
    #expect(try await recorder.nextValue() == 4)
    let statistics = pool.observationStatistics
    #expect(statistics.runs == 3)
    #expect(statistics.suppressed == 1)
    #expect(statistics.deliveries == 2)
    cancellable.cancel()
  }

  @Test func `P5: a write of one row runs none of many observations of other rows`() async throws {
    let directory = TemporaryDirectory()
    let pool = try makePool(directory)
    var cancellables: [AnyDatabaseCancellable] = []
    let started = Recorder<Int>()
    for id in 100..<400 {
      let observation = ValueObservation.tracking { db in
        try String.fetchOne(db, sql: "SELECT a FROM t WHERE id = ?", arguments: [id])
      }
      cancellables.append(
        observation.start(in: pool, onError: { _ in }, onChange: { _ in started.append(id) })
      )
    }
    for _ in 100..<400 { _ = try await started.nextValue() }
    let before = pool.observationStatistics.runs
    try await pool.write { db in
      try db.execute(
        sql: "UPDATE t SET a = 'one' WHERE id = 1; INSERT INTO t VALUES (250, 'n', 'n')"
      )
    }
    #expect(try await started.nextValue() == 250)
    #expect(pool.observationStatistics.runs == before + 1)
    #expect(pool.observationStatistics.live == 300)
    cancellables.removeAll()
    #expect(pool.observationStatistics.live == 0)
  }

  @Test(arguments: ["DELETE FROM item WHERE id = 1", "UPDATE item SET name = 'b'"])
  func `a write to a database in memory is one commit from the first one on`(_ sql: String) throws {
    for _ in 1...20 {
      let queue = try DatabaseQueue()
      try queue.write { db in
        try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
        try db.execute(sql: "INSERT INTO item VALUES (1, 'a'), (2, 'b')")
      }
      let observation = ValueObservation.tracking { db in
        try String.fetchAll(db, sql: "SELECT name FROM item")
      }
      let cancellable = observation.start(
        in: queue,
        scheduling: .immediate,
        onError: { _ in },
        onChange: { _ in }
      )
      try queue.write { try $0.execute(sql: sql) }
      try queue.quiesce()
      #expect(queue.observationStatistics.commits == 1)
      #expect(queue.observationStatistics.runs == 2)
      cancellable.cancel()
    }
  }

  @Test func `P4: EXPLAIN of a change changes nothing`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    let before = shop.pool.observationStatistics.runs
    try await shop.pool.write { db in
      for sql in ["CREATE TABLE u (a)", "DELETE FROM item", "SAVEPOINT s", "DROP TABLE item"] {
        _ = try Row.fetchAll(db, sql: "EXPLAIN \(sql)")
      }
    }
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.runs == before)
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }

  /// The first use of a virtual table in a process connects to it, which SQLite reports as if the
  /// statement changed the schema.
  struct FirstUse: Sendable, CustomTestStringConvertible {
    let module: String
    let statement: String
    var testDescription: String { statement }
  }

  static let firstUses = [
    FirstUse(module: "fts5(x)", statement: "INSERT INTO v (x) VALUES ('a')"),
    FirstUse(module: "fts5(x)", statement: "UPDATE v SET x = 'b'"),
    FirstUse(module: "fts5(x)", statement: "DELETE FROM v"),
    FirstUse(module: "fts5(x)", statement: "INSERT INTO log SELECT x FROM v"),
    FirstUse(module: "fts4(x)", statement: "INSERT INTO v (x) VALUES ('a')"),
    FirstUse(module: "fts4(x)", statement: "UPDATE v SET x = 'b'"),
    FirstUse(module: "fts4(x)", statement: "DELETE FROM v"),
    FirstUse(module: "fts4(x)", statement: "INSERT INTO synchronized VALUES ('a')"),
    FirstUse(module: "fts3(x)", statement: "INSERT INTO v (x) VALUES ('a')"),
    FirstUse(module: "rtree(id, x, y)", statement: "INSERT INTO v (x, y) VALUES (1, 2)"),
    FirstUse(module: "fts5(x)", statement: "INSERT INTO log SELECT value FROM json_each('[1, 2]')"),
    FirstUse(
      module: "fts5(x)",
      statement: "INSERT INTO log SELECT name FROM pragma_table_info('t')"
    ),
    FirstUse(module: "fts5(x)", statement: "INSERT INTO synchronized VALUES ('a')"),
  ]

  @Test(arguments: firstUses)
  func `a statement that connects to a virtual table of another process touches only its own`(
    use: FirstUse
  ) async throws {
    let directory = TemporaryDirectory()
    try SQLiteShell.run(
      directory.file(),
      """
      CREATE TABLE t (a); INSERT INTO t VALUES (1);
      CREATE TABLE log (x); CREATE TABLE synchronized (x);
      CREATE VIRTUAL TABLE v USING \(use.module);
      CREATE TRIGGER g AFTER INSERT ON synchronized BEGIN INSERT INTO v SELECT * FROM v; END
      """
    )
    let pool = try DatabasePool(path: directory.file())
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Int.fetchAll(db, sql: "SELECT a FROM t")
    }.record(in: pool)
    #expect(try await recorder.nextValue() == [1])
    let before = pool.observationStatistics.runs
    for _ in 0..<3 {
      try await pool.write { db in try db.cachedStatement(sql: use.statement).execute() }
      try await pool.write { db in try db.execute(sql: use.statement) }
    }
    try await pool.quiesce()
    #expect(pool.observationStatistics.runs == before)
    try await pool.write { db in try db.execute(sql: "UPDATE t SET a = 2") }
    #expect(try await recorder.nextValue() == [2])
    cancellable.cancel()
  }
}
