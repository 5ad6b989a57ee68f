import CWellspringSQLite
import Storage
import Testing

/// P1: whatever changes the result of a query, its observers get a value that includes it.
@Suite struct ChangeKindTests {
  /// A way to change a database, and a query that shows it.
  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    var schema = ""
    let query: String
    let change: String
    var testDescription: String { name }
  }

  static let kinds: [Kind] = [
    Kind(
      name: "insert",
      query: "SELECT * FROM t",
      change: "INSERT INTO t VALUES (9, 'x', 1)"
    ),
    Kind(name: "update", query: "SELECT a FROM t", change: "UPDATE t SET a = 'new' WHERE id = 1"),
    Kind(name: "delete", query: "SELECT count(*) FROM t", change: "DELETE FROM t WHERE id = 1"),
    Kind(name: "delete without WHERE", query: "SELECT count(*) FROM t", change: "DELETE FROM t"),
    Kind(
      name: "upsert",
      query: "SELECT b FROM t",
      change: "INSERT INTO t VALUES (1, 'a', 7) ON CONFLICT (id) DO UPDATE SET b = excluded.b"
    ),
    Kind(
      name: "rows removed by REPLACE",
      schema: "CREATE TABLE u (id INTEGER PRIMARY KEY, k UNIQUE); INSERT INTO u VALUES (1, 'k')",
      query: "SELECT id FROM u WHERE id = 1",
      change: "REPLACE INTO u VALUES (2, 'k')"
    ),
    Kind(
      name: "a changed row id",
      query: "SELECT a FROM t WHERE id = 1",
      change: "UPDATE t SET id = 100 WHERE id = 1"
    ),
    Kind(
      name: "a row that takes a looked-up row id",
      query: "SELECT a FROM t WHERE id = 100",
      change: "UPDATE t SET id = 100 WHERE id = 1"
    ),
    Kind(
      name: "WITHOUT ROWID",
      schema: "CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO w VALUES ('a', 1)",
      query: "SELECT v FROM w WHERE k = 'a'",
      change: "UPDATE w SET v = 2"
    ),
    Kind(
      name: "trigger",
      schema: """
        CREATE TABLE log (x);
        CREATE TRIGGER tr AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (new.a); END
        """,
      query: "SELECT count(*) FROM log",
      change: "UPDATE t SET a = 'z' WHERE id = 1"
    ),
    Kind(
      name: "foreign-key cascade",
      schema: """
        CREATE TABLE child (id INTEGER PRIMARY KEY, t REFERENCES t ON DELETE CASCADE);
        INSERT INTO child VALUES (1, 1)
        """,
      query: "SELECT * FROM child",
      change: "PRAGMA foreign_keys = ON; DELETE FROM t WHERE id = 1"
    ),
    Kind(
      name: "view",
      schema: "CREATE VIEW v AS SELECT upper(a) AS a FROM t",
      query: "SELECT * FROM v",
      change: "UPDATE t SET a = 'through a view' WHERE id = 1"
    ),
    Kind(
      name: "count over a view",
      schema: "CREATE VIEW v AS SELECT * FROM t WHERE b > 1",
      query: "SELECT count(*) FROM v",
      change: "UPDATE t SET b = 0"
    ),
    Kind(
      name: "a column joined by USING",
      schema: """
        CREATE TABLE p (k, x); CREATE TABLE q (k, y);
        INSERT INTO p VALUES (1, 1); INSERT INTO q VALUES (1, 1)
        """,
      query: "SELECT count(*) FROM p JOIN q USING (k)",
      change: "UPDATE q SET k = 2"
    ),
    Kind(
      name: "a column joined by NATURAL JOIN",
      schema: """
        CREATE TABLE p (k, x); CREATE TABLE q (k, y);
        INSERT INTO p VALUES (1, 1); INSERT INTO q VALUES (1, 1)
        """,
      query: "SELECT x, y FROM p NATURAL JOIN q",
      change: "UPDATE p SET k = 2"
    ),
    Kind(
      name: "a column behind a virtual generated one",
      schema: "CREATE TABLE g (a, b GENERATED ALWAYS AS (a * 2) VIRTUAL); INSERT INTO g VALUES (1)",
      query: "SELECT b FROM g",
      change: "UPDATE g SET a = 21"
    ),
    Kind(
      name: "a column behind a stored generated one",
      schema: "CREATE TABLE g (a, b GENERATED ALWAYS AS (a * 2) STORED); INSERT INTO g VALUES (1)",
      query: "SELECT b FROM g",
      change: "UPDATE g SET a = 21"
    ),
    Kind(
      name: "NULL in a column that was added with a default",
      schema: "ALTER TABLE t ADD COLUMN c DEFAULT 5",
      query: "SELECT c FROM t",
      change: "UPDATE t SET c = NULL"
    ),
    Kind(
      name: "full-text index",
      schema: "CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES ('one')",
      query: "SELECT x FROM f WHERE f MATCH 'two'",
      change: "INSERT INTO f VALUES ('two')"
    ),
    Kind(
      name: "full-text index with external content",
      schema: """
        CREATE VIRTUAL TABLE f USING fts5(a, content='t', content_rowid='id');
        INSERT INTO f(f) VALUES ('rebuild')
        """,
      query: "SELECT a FROM f WHERE f MATCH 'one'",
      change: "UPDATE t SET a = 'seen in the content table' WHERE id = 1"
    ),
    Kind(
      name: "R-tree",
      schema: "CREATE VIRTUAL TABLE r USING rtree(id, x0, x1); INSERT INTO r VALUES (1, 0, 1)",
      query: "SELECT id FROM r WHERE x0 < 5",
      change: "INSERT INTO r VALUES (2, 3, 4)"
    ),
    Kind(
      name: "added column",
      query: "SELECT * FROM t",
      change: "ALTER TABLE t ADD COLUMN extra DEFAULT 'e'"
    ),
    Kind(
      name: "renamed column",
      query: "SELECT * FROM t",
      change: "ALTER TABLE t RENAME COLUMN b TO renamed"
    ),
    Kind(
      name: "dropped and created table",
      query: "SELECT * FROM t",
      change: "DROP TABLE t; CREATE TABLE t AS SELECT 5 AS id, 'five' AS a"
    ),
    Kind(
      name: "user_version",
      query: "SELECT user_version FROM pragma_user_version",
      change: "PRAGMA user_version = 7"
    ),
    Kind(
      name: "the sequence of AUTOINCREMENT",
      schema: "CREATE TABLE s (id INTEGER PRIMARY KEY AUTOINCREMENT, x)",
      query: "SELECT seq FROM sqlite_sequence WHERE name = 's'",
      change: "INSERT INTO s (x) VALUES (1)"
    ),
    Kind(
      name: "a subquery",
      query: "SELECT 1 WHERE EXISTS (SELECT 1 FROM t WHERE b = 99)",
      change: "UPDATE t SET b = 99 WHERE id = 1"
    ),
    Kind(
      name: "a looked-up row id given as text",
      query: "SELECT a FROM t WHERE id = '1'",
      change: "UPDATE t SET a = 'by text' WHERE id = 1"
    ),
  ]

  struct Fixture {
    let directory = TemporaryDirectory()
    let pool: DatabasePool
    var path: String { directory.file() }

    init(_ kind: Kind) throws {
      pool = try DatabasePool(path: directory.file())
      try pool.write { db in
        try db.execute(
          sql: """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);
            INSERT INTO t VALUES (1, 'one', 1), (2, 'two', 2);
            \(kind.schema)
            """
        )
      }
    }

    /// Observes the query of `kind`, changes the database, and waits for the value after it.
    func check(_ kind: Kind, change: () async throws -> Void) async throws {
      let observation = ValueObservation.tracking { db in try Row.fetchAll(db, sql: kind.query) }
      let (recorder, cancellable) = observation.record(in: pool)
      let first = try await recorder.nextValue()
      try await change()
      let expected = try await pool.read { db in try Row.fetchAll(db, sql: kind.query) }
      #expect(expected != first, "the change must be visible in the query")
      _ = try await recorder.value { $0 == expected }
      cancellable.cancel()
    }
  }

  @Test(arguments: kinds) func `this pool sees`(kind: Kind) async throws {
    let fixture = try Fixture(kind)
    try await fixture.check(kind) {
      try fixture.pool.write { db in try db.execute(sql: kind.change) }
    }
  }

  @Test(arguments: kinds) func `this pool sees outside of a transaction`(kind: Kind) async throws {
    let fixture = try Fixture(kind)
    try await fixture.check(kind) {
      try fixture.pool.writeWithoutTransaction { db in try db.execute(sql: kind.change) }
    }
  }

  @Test(arguments: kinds) func `this pool sees from its raw handle`(kind: Kind) async throws {
    let fixture = try Fixture(kind)
    try await fixture.check(kind) {
      try fixture.pool.writeWithoutTransaction { db in
        let code = sqlite3_exec(db.sqliteConnection, kind.change, nil, nil, nil)
        #expect(code == SQLITE_OK)
      }
    }
  }

  @Test(arguments: kinds) func `another pool sees`(kind: Kind) async throws {
    let fixture = try Fixture(kind)
    let other = try DatabasePool(path: fixture.path)
    try await fixture.check(kind) {
      try await other.write { db in try db.execute(sql: kind.change) }
    }
  }

  @Test(arguments: kinds) func `another process is seen`(kind: Kind) async throws {
    let fixture = try Fixture(kind)
    try await fixture.check(kind) {
      try SQLiteShell.run(fixture.path, kind.change)
    }
  }

  @Test func `an incremental blob write is seen`() async throws {
    let kind = Kind(
      name: "blob",
      schema:
        "CREATE TABLE data (id INTEGER PRIMARY KEY, bytes); INSERT INTO data VALUES (1, x'0000')",
      query: "SELECT bytes FROM data",
      change: ""
    )
    let fixture = try Fixture(kind)
    try await fixture.check(kind) {
      try fixture.pool.write { db in
        var blob: OpaquePointer?
        let opened = sqlite3_blob_open(db.sqliteConnection, "main", "data", "bytes", 1, 1, &blob)
        #expect(opened == SQLITE_OK)
        #expect(sqlite3_blob_write(blob, "A", 1, 0) == SQLITE_OK)
        #expect(sqlite3_blob_close(blob) == SQLITE_OK)
      }
    }
  }

  @Test func `a change of a queue in memory is seen`() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in try db.execute(sql: Item.schema) }
    let (recorder, cancellable) = Shop.items.record(in: queue)
    #expect(try await recorder.nextValue() == [])
    try await queue.write { db in try Item.cup.insert(db) }
    #expect(try await recorder.nextValue() == [.cup])
    cancellable.cancel()
  }
}
