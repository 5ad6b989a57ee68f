import Recording
import Storage
import Testing

@testable import Replication

/// Changes of the schema among rows.
@Suite struct SchemaChangeTests {
  @Test func `statements that change the schema are repeated among the rows`() throws {
    let pair = try RecordedPair("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
    try pair.primary.write { db in
      try db.execute(
        sql: """
          INSERT INTO t VALUES (1, 'a');
          CREATE TABLE IF NOT EXISTS t (other);
          /* a comment */ CREATE TABLE main."new table" (x UNIQUE, y DEFAULT (1 + 1)); -- more
          INSERT INTO "new table" (x) VALUES (1), (2);
          CREATE INDEX i ON "new table" (y) WHERE x > 1;
          CREATE VIEW w AS SELECT * FROM t;
          CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO "new table" (x) VALUES (new.v); END;
          INSERT INTO t VALUES (2, 'b');
          ALTER TABLE "new table" RENAME TO n;
          ALTER TABLE n ADD COLUMN z DEFAULT 'z';
          INSERT INTO n VALUES (8, 8, 8);
          ALTER TABLE n RENAME COLUMN x TO xx;
          DROP INDEX i;
          ALTER TABLE n DROP COLUMN y;
          UPDATE n SET z = 'other' WHERE xx = 1;
          DROP VIEW w;
          DROP TRIGGER g;
          CREATE TABLE gone (a); INSERT INTO gone VALUES (1); DROP TABLE gone;
          PRAGMA user_version = 12; PRAGMA application_id = 13;
          """
      )
    }
    #expect(pair.transactions.count == 1)
    try pair.expectEqual()
    #expect(!pair.transactions[0].items.contains { "\($0)".contains("snapshotNeeded") })
  }

  @Test func `a table made from a query gets the rows of this query`() throws {
    let pair = try RecordedPair("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x'), ('y')")
    try pair.run("CREATE TEMP TABLE q (r); INSERT INTO q VALUES (5)")
    try pair.expectEqual(
      after: """
        CREATE TABLE c AS SELECT random() AS r, a, x'00' AS b, 1.5 AS f FROM t;
        CREATE TABLE d AS SELECT r FROM q WHERE false;
        CREATE TABLE IF NOT EXISTS c AS SELECT 1;
        INSERT INTO c (a) VALUES ('z');
        """
    )
  }

  @Test(arguments: [";", " ;\n", " -- a comment", ""])
  func `a table is made as its statement says, however the statement ends`(ending: String) throws {
    let pair = try RecordedPair()
    for statement in [
      "CREATE TABLE IF NOT EXISTS t (a TEXT PRIMARY KEY, b) WITHOUT ROWID",
      "INSERT INTO t VALUES ('a', 1)", "CREATE TABLE IF NOT EXISTS u (a)",
      "INSERT INTO u VALUES (1)",
    ] {
      try pair.run(statement + ending)
    }
    try pair.expectEqual()
  }

  @Test(arguments: [
    "CREATE INDEX IF NOT EXISTS i ON t (v)", "CREATE TABLE IF NOT EXISTS t (other)",
    "CREATE VIEW IF NOT EXISTS w AS SELECT 1", "DROP TABLE IF EXISTS missing", "REINDEX t",
  ])
  func `a statement that leaves the schema as it was is not repeated`(sql: String) throws {
    let pair = try RecordedPair(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v); CREATE INDEX i ON t (v);
      CREATE VIEW w AS SELECT v FROM t;
      """
    )
    try pair.primary.write { db in
      try db.execute(sql: sql + "; INSERT INTO t VALUES (1, 'a')")
    }
    try pair.expectEqual()
    #expect(pair.transactions.last?.items.count == 1)
  }

  @Test func `foreign keys act when a table is dropped`() throws {
    let pair = try RecordedPair(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY); INSERT INTO p VALUES (1), (2);
      CREATE TABLE c (p REFERENCES p ON DELETE CASCADE, q); INSERT INTO c VALUES (1, 1), (2, 2);
      """
    )
    try pair.expectEqual(after: "DROP TABLE p")
  }

  @Test func `statistics are rows`() throws {
    let pair = try RecordedPair(
      "CREATE TABLE t (a, b); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1, 2), (1, 3)"
    )
    try pair.expectEqual(after: "ANALYZE")
    try pair.expectEqual(after: "INSERT INTO t VALUES (4, 4); ANALYZE t; REINDEX")
    try pair.expectEqual(after: "PRAGMA optimize")
    #expect(!pair.transactions.contains { $0.snapshotReason != nil })
  }

  @Test(arguments: [true, false])
  func `statistics that SQLite makes by itself are rows`(isOne: Bool) throws {
    let pair = try RecordedPair(
      "CREATE TABLE t (a, b); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1, 2), (1, 3)"
    )
    try pair.primary.writeWithoutTransaction { db in
      if isOne { try db.execute(sql: "BEGIN") }
      // Only tables that a query has needed statistics for are analyzed.
      try db.execute(sql: "SELECT b FROM t WHERE a = 1 ORDER BY b; PRAGMA optimize")
      if isOne { try db.execute(sql: "COMMIT") }
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_stat1")
      #expect(count ?? 0 > 0)
    }
    #expect(pair.transactions.allSatisfy { $0.snapshotReason == nil })
    try pair.expectEqual()
  }

  @Test func `a failed or undone change of the schema leaves nothing`() throws {
    let pair = try RecordedPair("CREATE TABLE t (a); INSERT INTO t VALUES (1), (1)")
    try pair.primary.write { db in
      #expect(throws: DatabaseError.self) { try db.execute(sql: "CREATE UNIQUE INDEX i ON t (a)") }
      try db.execute(sql: "SAVEPOINT s; ALTER TABLE t ADD COLUMN b; INSERT INTO t VALUES (2, 2)")
      try db.execute(sql: "ROLLBACK TO s; RELEASE s; INSERT INTO t VALUES (3)")
      #expect(throws: DatabaseError.self) { try db.execute(sql: "CREATE TABLE t (x)") }
    }
    #expect(pair.transactions[0].items.count == 1)
    try pair.expectEqual()
  }

  @Test(arguments: [
    ("CREATE VIRTUAL TABLE f USING fts5(x)", "the virtual table f was made or dropped"),
    (
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = sql || ' ' WHERE name = 't'",
      "the schema was written by"
    ),
    ("VACUUM", "VACUUM may change the row ids of the table t"),
  ])
  func `what cannot be repeated asks for a snapshot, and says why`(
    sql: String,
    reason: String
  ) throws {
    let pair = try RecordedPair("CREATE TABLE t (a)")
    try pair.run(sql)
    #expect(pair.transactions.last?.snapshotReason?.contains(reason) == true)
    #expect(pair.calls.suffix(2) == ["will", "did"])
    let error = #expect(throws: Divergence.self) { try pair.repeatAll() }
    #expect(error?.description.contains(reason) == true)
  }

  @Test func `VACUUM changes nothing where row ids are declared`() throws {
    let pair = try RecordedPair(
      "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE k (k PRIMARY KEY) WITHOUT ROWID"
    )
    try pair.run("VACUUM")
    #expect(pair.calls == [])
    try pair.expectEqual(after: "INSERT INTO t VALUES (1)")
  }

  @Test func `pragmas of the connection are not recorded`() throws {
    let pair = try RecordedPair("CREATE TABLE t (a)")
    try pair.run("PRAGMA cache_size = 100; PRAGMA foreign_keys = OFF; PRAGMA synchronous = NORMAL")
    let isOff = try pair.primary.read { try Bool.fetchOne($0, sql: "PRAGMA foreign_keys") }
    #expect(isOff == false)
    #expect(pair.calls == [])
    try pair.expectEqual(after: "PRAGMA user_version = 3")
  }

  @Test func `fingerprints are equal for equal schemas only`() throws {
    let pair = try RecordedPair("CREATE TABLE t (a)")
    func fingerprints() throws -> [SchemaFingerprint] {
      try [pair.primary, pair.replica].map { try $0.read { try SchemaFingerprint($0) } }
    }
    let first = try fingerprints()
    #expect(first[0] == first[1])
    try pair.run("INSERT INTO t VALUES (1); CREATE TABLE _replication_x (y)")
    #expect(try fingerprints() == first)
    try pair.run("CREATE INDEX i ON t (a)")
    let second = try fingerprints()
    #expect(second[0] != second[1])
    #expect(second[1] == first[1])
    try pair.repeatAll()
    let third = try fingerprints()
    #expect(third[0] == third[1])
    #expect(third[0].bytes.count == 16)
  }
}
