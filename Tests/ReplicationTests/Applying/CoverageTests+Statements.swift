import Foundation
import Recording
import Storage
import Testing

@testable import Replication

/// Rows that change by other ways than by the statement that names their table.
extension CoverageTests {
  @Test func `triggers on views, and triggers that call themselves, are repeated as rows`() throws {
    let pair = try RecordedPair(
      """
      CREATE TABLE t (a, b); CREATE VIEW v AS SELECT a, b FROM t;
      CREATE TRIGGER vi INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES (new.a, 'view'); END;
      CREATE TRIGGER vu INSTEAD OF UPDATE OF b ON v BEGIN
        UPDATE t SET b = new.b WHERE a = old.a;
      END;
      CREATE TRIGGER vd INSTEAD OF DELETE ON v BEGIN DELETE FROM t WHERE a = old.a; END;
      CREATE TABLE r (n);
      CREATE TRIGGER ri AFTER INSERT ON r WHEN new.n < 9 BEGIN INSERT INTO r VALUES (new.n + 1); END;
      """
    )
    try pair.expectEqual(after: "INSERT INTO v VALUES (1, 2), (3, 4), (5, 6)")
    try pair.expectEqual(after: "UPDATE v SET b = a || 'x' WHERE a > 1; DELETE FROM v WHERE a = 3")
    try pair.expectEqual(after: "PRAGMA recursive_triggers = ON; INSERT INTO r VALUES (1)")
    #expect(try pair.replica.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM r") } == 9)
  }

  @Test func `temporary triggers of the primary are repeated as rows`() throws {
    let pair = try RecordedPair("CREATE TABLE t (a); CREATE TABLE u (a)")
    try pair.expectEqual(
      after: """
        CREATE TEMP TRIGGER x AFTER INSERT ON main.t BEGIN INSERT INTO u VALUES (new.a * 2); END;
        INSERT INTO t VALUES (1), (2); DROP TRIGGER x; INSERT INTO t VALUES (3)
        """
    )
    #expect(try pair.replica.read { try Int.fetchAll($0, sql: "SELECT a FROM u") } == [2, 4])
  }

  @Test func `RETURNING, UPDATE FROM, WITH and upserts are repeated as rows`() throws {
    let pair = try RecordedPair(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, u UNIQUE, n); CREATE TABLE s (u, n)"
    )
    try pair.expectEqual(
      after: """
        INSERT INTO t (u, n) VALUES ('a', 1), ('b', 2), ('c', 3) RETURNING id;
        INSERT INTO s VALUES ('a', 10), ('b', 20), ('x', 30);
        UPDATE t SET n = s.n FROM s WHERE s.u = t.u RETURNING t.n;
        """
    )
    try pair.expectEqual(
      after: """
        INSERT INTO t (u, n) SELECT u, n FROM s WHERE true
          ON CONFLICT (u) DO UPDATE SET n = n + excluded.n WHERE u = 'a';
        WITH RECURSIVE c (x) AS (VALUES (100) UNION ALL SELECT x + 1 FROM c WHERE x < 150)
          INSERT INTO t (id, u) SELECT x, x FROM c;
        DELETE FROM t WHERE id % 2 = 0 RETURNING *;
        """
    )
  }

  @Test func `a row that is read while RETURNING goes on is recorded with its statement`() throws {
    let pair = try RecordedPair("CREATE TABLE t (id INTEGER PRIMARY KEY, n)")
    try pair.primary.write { db in
      // The cursor is left in the middle: SQLite has changed all rows by then.
      let rows = try Row.fetchCursor(
        db,
        sql: "INSERT INTO t (n) VALUES (1), (2), (3) RETURNING id"
      )
      #expect(try rows.next()?[0] == 1)
    }
    try pair.expectEqual()
    #expect(try pair.replica.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 3)
  }

  @Test func `a first table with AUTOINCREMENT and its rows are one transaction`() throws {
    let pair = try RecordedPair()
    let sql = """
      CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY AUTOINCREMENT, v UNIQUE);
      INSERT OR REPLACE INTO t (v) VALUES ('a'), ('b'), ('a');
      """
    for _ in 1...3 {
      try pair.primary.write { try $0.execute(sql: sql) }
      try pair.expectEqual()
    }
    #expect(pair.transactions.count == 3)
  }

  @Test func `all rows of a table go at once`() throws {
    let pair = try RecordedPair(
      """
      CREATE TABLE t (a); CREATE TABLE k (a PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p REFERENCES p ON DELETE CASCADE);
      INSERT INTO t VALUES (1), (2), (3); INSERT INTO k VALUES ('x'), ('y');
      INSERT INTO p VALUES (1), (2); INSERT INTO c VALUES (1), (2), (1);
      """
    )
    try pair.expectEqual(after: "DELETE FROM t; DELETE FROM k; DELETE FROM p")
    #expect(pair.transactions[0].items.count == 3)
  }

  @Test func `strict tables keep the types of their columns`() throws {
    let pair = try RecordedPair(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, x TEXT, b BLOB, a ANY) STRICT;"
        + "CREATE TABLE k (a ANY, x TEXT, PRIMARY KEY (a)) STRICT, WITHOUT ROWID"
    )
    try pair.expectEqual(
      after: """
        INSERT INTO t VALUES (1, 2, 3, x'04', '5'), (2, NULL, NULL, NULL, 5.0);
        UPDATE t SET a = '007' WHERE id = 2; UPDATE t SET r = 9 WHERE id = 1;
        INSERT INTO k VALUES ('1', 'text'), (1, 'integer'), (x'31', 'blob');
        UPDATE k SET x = 'changed' WHERE a = '1'; DELETE FROM k WHERE a = x'31';
        """
    )
  }

  @Test func `values of functions are recorded, and the functions are not called again`() throws {
    let pair = try RecordedPair(
      "CREATE TABLE t (a DEFAULT (random()), b, c DEFAULT CURRENT_TIMESTAMP)"
    )
    try pair.primary.writeWithoutTransaction { db in
      db.add(function: DatabaseFunction("onlyHere", argumentCount: 0) { _ in "here" })
    }
    try pair.expectEqual(
      after: """
        INSERT INTO t (b) VALUES (randomblob(9)), (onlyHere()), (julianday('now'));
        UPDATE t SET b = total_changes() WHERE rowid = 1;
        CREATE TABLE copied AS SELECT random() AS r, a FROM t ORDER BY random();
        """
    )
  }

  @Test func `indexes with conditions and on expressions are kept by the rows`() throws {
    let pair = try RecordedPair(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);
      CREATE UNIQUE INDEX i ON t (a) WHERE b > 0; CREATE INDEX e ON t (lower(a) || b, b DESC);
      """
    )
    try pair.expectEqual(
      after: """
        INSERT INTO t VALUES (1, 'A', 1), (2, 'A', 0), (3, 'B', 2);
        UPDATE t SET b = 0 WHERE id = 1; UPDATE t SET b = 3 WHERE id = 2;
        UPDATE OR REPLACE t SET b = 1, a = 'B' WHERE id = 1;
        """
    )
    let problems = try pair.replica.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    #expect(problems == ["ok"])
  }

  @Test func `external content and prefix indexes of FTS5 are equal by their tables`() throws {
    let pair = try RecordedPair(
      """
      CREATE TABLE doc (id INTEGER PRIMARY KEY, body TEXT);
      CREATE VIRTUAL TABLE f USING fts5(body, content='doc', content_rowid='id', prefix='2 3');
      CREATE TRIGGER di AFTER INSERT ON doc BEGIN
        INSERT INTO f (rowid, body) VALUES (new.id, new.body);
      END;
      CREATE TRIGGER du AFTER UPDATE ON doc BEGIN
        INSERT INTO f (f, rowid, body) VALUES ('delete', old.id, old.body);
        INSERT INTO f (rowid, body) VALUES (new.id, new.body);
      END;
      """
    )
    try pair.expectEqual(after: "INSERT INTO doc (body) VALUES ('one word'), ('two words')")
    try pair.expectEqual(after: "UPDATE doc SET body = 'three wonders' WHERE id = 1")
    try pair.expectEqual(after: "INSERT INTO f(f) VALUES ('rebuild')")
    let found = try pair.replica.read { db in
      try Int.fetchAll(db, sql: "SELECT rowid FROM f WHERE f MATCH 'wo*' ORDER BY rowid")
    }
    #expect(found == [1, 2])
    try pair.replica.write { try $0.execute(sql: "INSERT INTO f(f) VALUES ('integrity-check')") }
  }

  @Test func `a collation of the application in a key works where the copy has it`() throws {
    let collation = DatabaseCollation("backwards") { left, right in right.compare(left) }
    let pair = try RecordedPair("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)")
    for database in [pair.primary, pair.replica] {
      try database.writeWithoutTransaction { $0.add(collation: collation) }
    }
    try pair.run("CREATE TABLE k (a TEXT COLLATE backwards PRIMARY KEY, b) WITHOUT ROWID")
    try pair.expectEqual(
      after: """
        INSERT INTO k VALUES ('a', 1), ('b', 2), ('c', 3);
        UPDATE k SET b = 9 WHERE a = 'b'; DELETE FROM k WHERE a = 'c';
        CREATE INDEX i ON t (a COLLATE backwards); INSERT INTO t (a) VALUES ('z'), ('y');
        """
    )
  }

  @Test func `a function that the copy lacks stops it with an error, and changes nothing`() throws {
    let pair = try RecordedPair("CREATE TABLE t (a)")
    try pair.primary.writeWithoutTransaction { db in
      db.add(function: DatabaseFunction("twice", argumentCount: 1, pure: true) { _ in 2 })
    }
    try pair.run("CREATE INDEX i ON t (twice(a))")
    let before = try pair.replica.read(DatabaseContent.init)
    #expect(throws: (any Error).self) { try pair.repeatAll() }
    #expect(try pair.replica.read(DatabaseContent.init) == before)
  }
}
