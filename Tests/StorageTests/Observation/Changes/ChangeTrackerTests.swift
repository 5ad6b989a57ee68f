import CWellspringSQLite
import Dispatch
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// P1: changes that SQLite's hooks report late, wrongly or not at all are seen like all other
/// changes.
@Suite("P1: changes that hooks do not report") struct ChangeTrackerTests {
  private func execute(_ db: Database, _ sql: String) {
    #expect(sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil) == SQLITE_OK)
  }

  private static let prices = ValueObservation.tracking { db in
    try Double.fetchAll(db, sql: "SELECT price FROM item WHERE price IS NOT NULL ORDER BY id")
  }

  @Test func `a commit that failed first and succeeded later is seen`() async throws {
    let shop = try Shop()
    try await shop.pool.write { db in
      try db.execute(
        sql: "CREATE TABLE child (itemID REFERENCES item (id) DEFERRABLE INITIALLY DEFERRED)"
      )
    }
    let (recorder, cancellable) = Self.prices.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [4])
    try await shop.pool.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN; UPDATE item SET price = 9; INSERT INTO child VALUES (99)")
      #expect(throws: DatabaseError.self) { try db.execute(sql: "COMMIT") }
      try db.execute(sql: "DELETE FROM child; COMMIT")
    }
    #expect(try await recorder.nextValue() == [9, 9])
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.runs == 2)
    cancellable.cancel()
  }

  // MARK: The raw handle

  @Test func `a column that moves to the left is still observed`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Self.prices.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [4])
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 5") }
    #expect(try await recorder.nextValue() == [5, 5])
    try await shop.pool.write { db in execute(db, "ALTER TABLE item DROP COLUMN name") }
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 6") }
    #expect(try await recorder.nextValue() == [6, 6])
    cancellable.cancel()
  }

  @Test func `an integer that becomes a real number is seen in a table without row ids`()
    async throws
  {
    // SQLite 3.40 shows the old integer as a real number, because of the type of the next column.
    let queue = try DatabaseQueue()
    try await queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a, r REAL, k TEXT PRIMARY KEY) WITHOUT ROWID;
          INSERT INTO t VALUES (0, 1.5, 'x')
          """
      )
    }
    let observation = ValueObservation.tracking { db in
      try String.fetchOne(db, sql: "SELECT typeof(a) FROM t WHERE k = 'x'")
    }
    var values = observation.values(in: queue).makeAsyncIterator()
    #expect(try await values.next() == "integer")
    try await queue.write { try $0.execute(sql: "UPDATE t SET a = 0.0") }
    #expect(try await values.next() == "real")
  }

  @Test func `a commit is seen although a rollback follows in the same call`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Self.prices.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [4])
    try await shop.pool.writeWithoutTransaction { db in
      execute(db, "UPDATE item SET price = 7; BEGIN; UPDATE item SET price = 8; ROLLBACK")
    }
    #expect(try await recorder.nextValue() == [7, 7])
    cancellable.cancel()
  }

  // Only SQLite's WAL hook reports the end of a raw statement.
  @Test func `a commit of the raw handle is seen before the access ends`() async throws {
    let shop = try Shop()
    let recorder = Recorder<[Item]>()
    let seen = DispatchSemaphore(value: 0)
    let cancellable = Shop.items.start(in: shop.pool, onError: { _ in }) { items in
      recorder.append(items)
      if items.first?.price == 50 { seen.signal() }
    }
    _ = try await recorder.nextValue()
    try await shop.pool.writeWithoutTransaction { db in
      let sql = "BEGIN; UPDATE item SET price = 50 WHERE id = 1; COMMIT"
      #expect(sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil) == SQLITE_OK)
      #expect(seen.wait(timeout: .now() + Patience.seconds) == .success)
      let undone = "BEGIN; DELETE FROM item; ROLLBACK"
      #expect(sqlite3_exec(db.sqliteConnection, undone, nil, nil, nil) == SQLITE_OK)
    }
    // The rollback runs no query.
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.runs == 2)
    cancellable.cancel()
  }

  // SQLite decides when it compiles `DELETE` without `WHERE` whether to truncate the table.
  @Test func `a deletion compiled before the first observation is seen`() async throws {
    let shop = try Shop()
    nonisolated(unsafe) var compiled: OpaquePointer?
    try await shop.pool.write { db in
      try db.execute(sql: "CREATE TABLE copy AS SELECT * FROM item")
      let code = sqlite3_prepare_v2(db.sqliteConnection, "DELETE FROM item", -1, &compiled, nil)
      #expect(code == SQLITE_OK)
      try db.inSavepoint {
        try db.cachedStatement(sql: "DELETE FROM item").execute()
        return .rollback
      }
    }
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    try await shop.pool.write { db in
      try db.cachedStatement(sql: "DELETE FROM item").execute()
    }
    #expect(try await recorder.nextValue() == [])
    try await shop.pool.write { db in try Item.cup.insert(db) }
    #expect(try await recorder.nextValue() == [.cup])
    try await shop.pool.write { db in
      #expect(sqlite3_step(compiled) == SQLITE_DONE)
      #expect(sqlite3_finalize(compiled) == SQLITE_OK)
    }
    #expect(try await recorder.nextValue() == [])
    cancellable.cancel()
  }

  // The hook identifies a table by the address of its name, which SQLite may reuse after it undoes
  // a change of the schema.
  @Test(arguments: [false, true])
  func `tables are distinguished after a failed schema change`(isRaw: Bool) async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    let names = ["a", "b", "c", "d", "e", "f"]
    try await pool.write { db in
      for name in names {
        try db.execute(sql: "CREATE TABLE \(name) (x, y); INSERT INTO \(name) VALUES (0, 0)")
      }
      try db.execute(sql: "CREATE VIEW v AS SELECT y FROM a")
    }
    let observers = names.map { name in
      ValueObservation.tracking { db in try Int.fetchOne(db, sql: "SELECT x FROM \(name)") }
        .record(in: pool)
    }
    for (recorder, _) in observers { #expect(try await recorder.nextValue() == 0) }
    for first in names {
      let others = names.filter { $0 != first }
      try await pool.write { db in
        try db.execute(sql: "UPDATE \(first) SET x = x + 1")
        let failing = "ALTER TABLE a DROP COLUMN y"
        if isRaw {
          #expect(sqlite3_exec(db.sqliteConnection, failing, nil, nil, nil) != SQLITE_OK)
        } else {
          #expect(throws: DatabaseError.self) { () throws in try db.execute(sql: failing) }
        }
        for name in others { try db.execute(sql: "UPDATE \(name) SET x = x + 1") }
      }
    }
    for (recorder, _) in observers { _ = try await recorder.value { $0 == names.count } }
    for (_, cancellable) in observers { cancellable.cancel() }
  }

  @Test func `rows that a failing statement leaves are seen`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Self.prices.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [4])
    try await shop.pool.write { db in
      let sql = "INSERT OR FAIL INTO item VALUES (3, 'left', 7), (1, 'again', 1), (4, 'not', 8)"
      #expect(throws: DatabaseError.self) { () throws in try db.execute(sql: sql) }
    }
    #expect(try await recorder.nextValue() == [4, 7])
    cancellable.cancel()
  }

  // SQLite reports the content table of a full-text index only for the first query that a
  // connection compiles.
  @Test func `the second query of a connection observes the content table too`() async throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    let shop = try Shop(configuration)
    try await shop.pool.write { db in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE f USING fts5(name, content='item', content_rowid='id');
          INSERT INTO f (f) VALUES ('rebuild')
          """
      )
    }
    let observers = ["MATCH 'cup'", "MATCH 'cup OR pot'", "MATCH 'cup NOT pot'"].map { match in
      ValueObservation.tracking { db in
        try String.fetchAll(db, sql: "SELECT name FROM f WHERE f \(match) ORDER BY rowid")
      }.record(in: shop.pool)
    }
    for (recorder, _) in observers { _ = try await recorder.nextValue() }
    // The index no longer matches its content table.
    try await shop.pool.write { db in
      try db.execute(sql: "UPDATE item SET name = 'jug' WHERE id = 1")
    }
    for (recorder, _) in observers { #expect(try await recorder.nextValue().first == "jug") }
    for (_, cancellable) in observers { cancellable.cancel() }
  }

  @Test func `a backup into the database is seen`() async throws {
    let shop = try Shop()
    let path = shop.directory.file("source.sqlite")
    try SQLiteShell.run(path, "\(Item.schema); INSERT INTO item VALUES (1, 'copied', 42)")
    let (recorder, cancellable) = Self.prices.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [4])
    try await shop.pool.writeWithoutTransaction { db in
      var source: OpaquePointer?
      #expect(sqlite3_open(path, &source) == SQLITE_OK)
      let backup = sqlite3_backup_init(db.sqliteConnection, "main", source, "main")
      #expect(sqlite3_backup_step(backup, -1) == SQLITE_DONE)
      #expect(sqlite3_backup_finish(backup) == SQLITE_OK)
      #expect(sqlite3_close(source) == SQLITE_OK)
    }
    #expect(try await recorder.nextValue() == [42])
    cancellable.cancel()
  }

  // MARK: Statements without hooks

  // VACUUM may change the row ids of tables without INTEGER PRIMARY KEY:
  // https://www.sqlite.org/lang_vacuum.html
  @Test func `row ids changed by VACUUM are seen`() async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write { db in
      try db.execute(
        sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3); DELETE FROM t WHERE a = 2"
      )
    }
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Int.fetchAll(db, sql: "SELECT rowid FROM t")
    }.record(in: pool)
    #expect(try await recorder.nextValue() == [1, 3])
    try await pool.writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
    #expect(try await recorder.nextValue() == [1, 2])
    cancellable.cancel()
  }

  // SQLite reports more rows for REPLACE than it counts as changed. The surplus must not hide the
  // rows of the full-text index, which are counted but not reported.
  @Test(arguments: [
    "",
    """
    REPLACE INTO u VALUES (1, 3); REPLACE INTO u VALUES (2, 1); REPLACE INTO u VALUES (1, 1);
    REPLACE INTO u VALUES (3, 1);
    """,
  ])
  func `changes of a full-text index's vocabulary are seen`(before: String) async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE u (id INTEGER PRIMARY KEY, k UNIQUE);
          INSERT INTO u VALUES (1, 1), (2, 2), (3, 3);
          CREATE VIRTUAL TABLE f USING fts5(body);
          CREATE VIRTUAL TABLE v USING fts5vocab(f, row);
          INSERT INTO f VALUES ('a')
          """
      )
    }
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try String.fetchAll(db, sql: "SELECT term FROM v ORDER BY term")
    }.record(in: pool)
    var terms = ["a"]
    #expect(try await recorder.nextValue() == terms)
    for term in ["b", "c", "d"] {
      try await pool.write { db in
        try db.execute(sql: before + "INSERT INTO f VALUES ('\(term)')")
      }
      terms.append(term)
      #expect(try await recorder.nextValue() == terms)
    }
    cancellable.cancel()
  }

  @Test func `a transaction that spans several accesses is seen`() async throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let shop = try Shop(configuration)
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    try await shop.pool.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN; DELETE FROM item WHERE id = 1")
    }
    try await shop.pool.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TEMP TABLE unrelated (x)")
    }
    try await shop.pool.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }
    #expect(try await recorder.nextValue() == [.pot])
    try await shop.pool.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN; DELETE FROM item")
    }
    try await shop.pool.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
    try await shop.pool.write { db in try Item.cup.insert(db) }
    #expect(try await recorder.nextValue() == [.cup, .pot])
    cancellable.cancel()
  }

  @Test func `a query plan can be observed`() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in try db.execute(sql: Item.schema) }
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN SELECT price FROM item ORDER BY price")
        .map { $0.description }.joined()
    }.record(in: queue)
    #expect(try await recorder.nextValue().contains("TEMP B-TREE"))
    try await queue.write { db in try db.execute(sql: "CREATE INDEX item_on_price ON item (price)")
    }
    #expect(try await recorder.nextValue().contains("item_on_price"))
    cancellable.cancel()
  }

  @Test func `a compiled query observes a column added later`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = ValueObservation.tracking { db in
      let statement = try db.cachedStatement(sql: "SELECT * FROM item WHERE id = 1")
      return try Row.fetchOne(statement).map { $0.databaseValues } ?? []
    }.record(in: shop.pool)
    _ = try await recorder.nextValue()
    try await shop.pool.write { db in try db.execute(sql: "ALTER TABLE item ADD COLUMN stock") }
    #expect(try await recorder.nextValue().last == .null)
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET stock = 5") }
    #expect(try await recorder.nextValue().last == 5.databaseValue)
    cancellable.cancel()
  }

  @Test func `P1: a column renamed through writable_schema is seen`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Row.fetchAll(db, sql: "SELECT * FROM item").map { $0.databaseValue(at: 2) }
    }.record(in: shop.pool)
    _ = try await recorder.nextValue()
    try await shop.pool.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = replace(sql, 'price', 'cost') WHERE name = 'item'
          """
      )
    }
    try await shop.pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA schema_version = 1000; PRAGMA writable_schema = RESET")
    }
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET cost = 90") }
    _ = try await recorder.value { $0 == [(90.0).databaseValue, (90.0).databaseValue] }
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET cost = 91") }
    _ = try await recorder.value { $0 == [(91.0).databaseValue, (91.0).databaseValue] }
    cancellable.cancel()
  }

  // SQLite commits a write while other statements are still reading. Only the hooks report this
  // commit: the database has no WAL, whose index would count the commit.
  @Test(arguments: [false, true])
  func `P1: a commit of the raw handle during a cursor's iteration is seen`(endsInRollback: Bool)
    async throws
  {
    let queue = try DatabaseQueue()
    try await queue.write { db in
      try db.execute(sql: Item.schema)
      try db.execute(sql: "CREATE TABLE other (a); INSERT INTO other VALUES (1), (2)")
    }
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
    }.record(in: queue)
    #expect(try await recorder.nextValue() == 0)
    let commits = Recorder<Void>()
    let region = DatabaseRegionObservation(tracking: DatabaseRegion(table: "item")).start(in: queue)
    {
      commits.append(error: $0)
    } onChange: { _ in
      commits.append(())
    }
    try await queue.writeWithoutTransaction { db in
      let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM other")
      #expect(try cursor.next() == 1)
      let sql =
        "INSERT INTO item (name) VALUES ('jug')"
        + (endsInRollback ? "; BEGIN; DELETE FROM item; ROLLBACK" : "")
      execute(db, sql)
      try db.inTransaction { .rollback }
    }
    #expect(try await recorder.nextValue() == 1)
    try await commits.nextValue()
    region.cancel()
    cancellable.cancel()
  }

  @Test(arguments: ["EXPLAIN ROLLBACK TO s", "EXPLAIN QUERY PLAN ROLLBACK TO s"])
  func `P1: EXPLAIN of a rollback undoes nothing`(sql: String) async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    try await shop.pool.write { db in
      try db.execute(sql: "SAVEPOINT s; DELETE FROM item WHERE id = 1")
      _ = try Row.fetchAll(db, sql: sql)
      try db.execute(sql: "RELEASE s")
    }
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }

  @Test func `P4: a raw pragma that removes the WAL hook causes no foreign commits`()
    async throws
  {
    let shop = try Shop()
    try await shop.pool.write { db in try db.execute(sql: "CREATE TABLE other (a)") }
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    try await shop.pool.writeWithoutTransaction { db in
      execute(db, "PRAGMA wal_autocheckpoint = 500")
    }
    try await shop.pool.quiesce()
    let before = shop.pool.observationStatistics.runs
    for value in 1...3 {
      try await shop.pool.write { db in
        try db.execute(sql: "INSERT INTO other VALUES (?)", arguments: [value])
      }
    }
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.runs == before)
    #expect(try await shop.pool.writeWithoutTransaction { try $0.walAutoCheckpoint() } == 500)
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }
}
