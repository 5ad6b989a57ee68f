import CWellspringSQLite
import Recording
import Storage
import Testing

@testable import Replication

/// Which changes of a transaction are recorded, and when.
@Suite struct TransactionTests {
  private static let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, v UNIQUE);"

  @Test func `each commit is one transaction, also of plain SQL and of single statements`() throws {
    let pair = try RecordedPair(Self.table)
    try pair.primary.write { try $0.execute(sql: "INSERT INTO t VALUES (1, 1)") }
    try pair.run("BEGIN; INSERT INTO t VALUES (2, 2); INSERT INTO t VALUES (3, 3); COMMIT")
    try pair.run("SAVEPOINT a; INSERT INTO t VALUES (4, 4); RELEASE a")
    try pair.run("INSERT INTO t VALUES (5, 5); DELETE FROM t WHERE id = 1")
    try pair.primary.writeWithoutTransaction { db in
      let ids = try Int.fetchAll(db, sql: "INSERT INTO t VALUES (6, 6), (7, 7) RETURNING id")
      #expect(ids == [6, 7])
      let first = try Int.fetchOne(db, sql: "INSERT INTO t VALUES (8, 8), (9, 9) RETURNING id")
      #expect(first == 8)
      #expect(!db.isInsideTransaction)
    }
    #expect(pair.transactions.map(\.items.count) == [1, 2, 1, 1, 1, 2, 2])
    #expect(pair.calls == Array(repeating: ["will", "did"], count: 7).flatMap(\.self))
    try pair.expectEqual()
  }

  @Test func `a transaction that changes nothing, or is rolled back, is not recorded`() throws {
    let pair = try RecordedPair(Self.table)
    try pair.primary.write { _ = try Int.fetchAll($0, sql: "SELECT id FROM t") }
    try pair.run("BEGIN; INSERT INTO t VALUES (1, 1); ROLLBACK; UPDATE t SET v = v")
    #expect(throws: DatabaseError.self) {
      try pair.primary.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1, 1); INSERT OR ROLLBACK INTO t VALUES (1, 2)")
      }
    }
    #expect(throws: DatabaseError.self) { try pair.run("INSERT INTO t VALUES (1, 1), (1, 2)") }
    #expect(pair.calls == [])
    try pair.expectEqual(after: "INSERT INTO t VALUES (1, 1)")
  }

  @Test func `savepoints that were undone leave nothing`() throws {
    let pair = try RecordedPair(Self.table)
    try pair.primary.write { db in
      try db.execute(
        sql: """
          INSERT INTO t VALUES (1, 1); SAVEPOINT a; INSERT INTO t VALUES (2, 2);
          SAVEPOINT b; CREATE TABLE u (x); INSERT INTO u VALUES (1); ROLLBACK TO b;
          INSERT INTO t VALUES (3, 3); RELEASE b; SAVEPOINT a; DELETE FROM t; ROLLBACK TO a;
          RELEASE a; INSERT INTO t VALUES (4, 4); ROLLBACK TO a; INSERT INTO t VALUES (5, 5);
          """
      )
      try? db.inSavepoint {
        try db.execute(sql: "DELETE FROM t")
        throw CancellationError()
      }
    }
    #expect(pair.transactions[0].items.count == 2)
    try pair.expectEqual()
  }

  @Test func `statements that failed leave nothing, unless they keep their rows`() throws {
    let pair = try RecordedPair(
      Self.table + """
        CREATE TABLE log (x);
        CREATE TRIGGER b BEFORE INSERT ON t BEGIN INSERT INTO log VALUES (new.id); END;
        CREATE TRIGGER f AFTER UPDATE ON t WHEN new.v = 'fail' BEGIN SELECT raise(FAIL, 'no'); END;
        CREATE TRIGGER g AFTER UPDATE ON t WHEN new.v = 'abort' BEGIN SELECT raise(ABORT, 'no'); END;
        """
    )
    let failing = [
      "INSERT INTO t VALUES (10, 10), (11, 11), (1, 12)",
      "INSERT OR FAIL INTO t VALUES (20, 20), (21, 21), (1, 22)",
      "INSERT OR FAIL INTO t VALUES (1, 30)",
      "UPDATE t SET v = CASE id WHEN 2 THEN 'fail' ELSE v || 'x' END",
      "UPDATE t SET v = CASE id WHEN 2 THEN 'abort' ELSE v || 'y' END",
      "UPDATE OR FAIL t SET id = id + 1 WHERE id < 4",
      "UPDATE OR FAIL t SET v = 'same'",
    ]
    for isOne in [true, false] {
      try pair.expectEqual(after: "DELETE FROM t; INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)")
      func failAll(_ db: Database) throws {
        for sql in failing {
          #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
        }
      }
      if isOne {
        try pair.primary.write(failAll)
      } else {
        try pair.primary.writeWithoutTransaction(failAll)
      }
      try pair.expectEqual()
    }
  }

  private static let equalKeys: [(collation: String, key: String, spelling: String)] = [
    ("NOCASE", "T2", "t2"), ("RTRIM", "T2", "T2 "), ("BINARY", "T2", "T3"),
  ]

  @Test(arguments: equalKeys)
  func `a failed statement that spells a key in another way may keep its rows`(
    collation: String,
    key: String,
    spelling: String
  ) throws {
    let pair = try RecordedPair(
      """
      CREATE TABLE k (a TEXT COLLATE \(collation), b, c, PRIMARY KEY (b, a)) WITHOUT ROWID;
      INSERT INTO k VALUES ('\(key)', 0, 1), ('x', 0, 2);
      """
    )
    for conflict in ["", "OR FAIL", "OR ABORT", "OR FAIL"] {
      try pair.primary.write { db in
        #expect(throws: DatabaseError.self) { () throws in
          try db.execute(sql: "UPDATE \(conflict) k SET a = '\(spelling)'")
        }
        try db.execute(sql: "UPDATE k SET c = c + 1 WHERE a = 'x'")
      }
      try pair.expectEqual()
    }
    let keys = try pair.replica.read { try String.fetchAll($0, sql: "SELECT a FROM k ORDER BY c") }
    #expect(keys == [spelling, "x"])
  }

  @Test func `a kept row is found beside one that the collation of its column takes as equal`()
    throws
  {
    let pair = try RecordedPair(
      """
      CREATE TABLE k (a TEXT COLLATE NOCASE, c, PRIMARY KEY (a COLLATE BINARY)) WITHOUT ROWID;
      INSERT INTO k VALUES ('T2', 1);
      """
    )
    _ = try pair.primary.write { db in
      #expect(throws: DatabaseError.self) { () throws in
        try db.execute(sql: "INSERT OR FAIL INTO k VALUES ('t2', 1), ('T2', 2)")
      }
    }
    try pair.expectEqual()
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `texts are recorded whatever encoding the file has`(encoding: String) throws {
    let pair = try RecordedPair(
      """
      PRAGMA encoding = '\(encoding)';
      CREATE TABLE k (a TEXT PRIMARY KEY, b) WITHOUT ROWID;
      INSERT INTO k VALUES ('x', 'y'), ('ä', 'ö');
      CREATE TRIGGER stop BEFORE DELETE ON k WHEN old.b = 'ö' BEGIN SELECT raise(ABORT, 'no'); END;
      """
    )
    let found = try pair.primary.read { try String.fetchOne($0, sql: "PRAGMA encoding") }
    #expect(found == encoding)
    try pair.primary.write { db in
      #expect(throws: DatabaseError.self) { () throws in try db.execute(sql: "DELETE FROM k") }
      #expect(throws: DatabaseError.self) { () throws in
        try db.execute(sql: "INSERT OR FAIL INTO k VALUES ('€', 1), ('x', 2)")
      }
      // The bytes are no text in any encoding.
      try db.execute(sql: "INSERT INTO k VALUES ('bytes', CAST(x'ff00fe' AS TEXT))")
      #expect(throws: DatabaseError.self) { () throws in
        try db.execute(sql: "UPDATE OR FAIL k SET a = 'same', b = 'ü' WHERE b <> 'ö'")
      }
      try db.execute(sql: "CREATE TABLE copy AS SELECT * FROM k")
    }
    try pair.expectEqual()
    let texts = try pair.replica.read { try String.fetchAll($0, sql: "SELECT a FROM copy") }
    #expect(Set(texts).isSuperset(of: ["same", "ä"]))
  }

  @Test func `rows that a full-text table holds in memory survive a failed statement`() throws {
    let pair = try RecordedPair(Self.table + "CREATE VIRTUAL TABLE f USING fts5(x);")
    try pair.primary.write { db in
      try db.execute(sql: "INSERT INTO f VALUES ('one')")
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT INTO t VALUES (1, 1), ('no integer', 2)")
      }
      try db.execute(sql: "INSERT INTO f VALUES ('two'); SAVEPOINT s; INSERT INTO f VALUES ('no')")
      try db.execute(sql: "ROLLBACK TO s; RELEASE s; INSERT INTO t VALUES (2, 2)")
    }
    #expect(pair.transactions.last?.snapshotReason == nil)
    try pair.expectEqual()
  }

  // SQLite undoes the rows of such a statement only if it has expected the error.
  @Test func `a failed REPLACE leaves what it has left`() throws {
    let pair = try RecordedPair(
      "CREATE TABLE r (id INTEGER PRIMARY KEY, v REAL); INSERT INTO r VALUES (3, 1)"
    )
    try pair.primary.write { db in
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT OR REPLACE INTO r VALUES (3, 3), ('no integer', 1)")
      }
      try db.execute(sql: "INSERT INTO r VALUES (4, 4)")
    }
    try pair.expectEqual()
  }

  @Test func `an error of the delegate rolls back, and the write throws it`() throws {
    struct Refused: Error {}
    let pair = try RecordedPair(Self.table)
    pair.willCommit = { _, _ in throw Refused() }
    #expect(throws: Refused.self) {
      try pair.primary.write { try $0.execute(sql: "INSERT INTO t VALUES (1, 1)") }
    }
    #expect(throws: Refused.self) { try pair.run("INSERT INTO t VALUES (1, 1)") }
    #expect(throws: Refused.self) { try pair.run("BEGIN; INSERT INTO t VALUES (1, 1); COMMIT") }
    #expect(throws: Refused.self) {
      try pair.primary.writeWithoutTransaction { db in
        do {
          _ = try Int.fetchOne(db, sql: "INSERT INTO t VALUES (1, 1), (2, 2) RETURNING id")
        } catch {
          #expect(!db.isInsideTransaction)
          throw error
        }
      }
    }
    #expect(try pair.primary.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
    pair.willCommit = nil
    try pair.expectEqual(after: "INSERT INTO t VALUES (1, 1)")
    #expect(pair.transactions.count == 1)
  }

  @Test func `the delegate reads and writes in the transaction, and its rows are not recorded`()
    throws
  {
    let pair = try RecordedPair(Self.table)
    try pair.run("CREATE TABLE _replication_outbox (id INTEGER PRIMARY KEY, body)")
    pair.willCommit = { transaction, db in
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 1)
      try db.execute(
        sql: "INSERT INTO _replication_outbox (body) VALUES (?)",
        arguments: [transaction.encoded().count]
      )
    }
    try pair.run("INSERT INTO t VALUES (1, 1)")
    #expect(pair.transactions.map(\.items.count) == [1])
    let rows = try pair.primary.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM _replication_outbox")
    }
    #expect(rows == 1)
  }

  @Test func `a commit that a deferred foreign key or an observer refuses is not announced`() throws
  {
    let pair = try RecordedPair(
      "CREATE TABLE p (id INTEGER PRIMARY KEY);"
        + "CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED)"
    )
    #expect(throws: DatabaseError.self) {
      try pair.primary.write { try $0.execute(sql: "INSERT INTO c VALUES (1)") }
    }
    #expect(throws: DatabaseError.self) { try pair.run("INSERT INTO c VALUES (1)") }
    let observer = RefusingObserver()
    pair.primary.add(transactionObserver: observer)
    #expect(throws: RefusingObserver.Refused.self) {
      try pair.primary.write { try $0.execute(sql: "INSERT INTO p VALUES (1)") }
    }
    #expect(throws: RefusingObserver.Refused.self) { try pair.run("INSERT INTO p VALUES (1)") }
    #expect(pair.calls == [])
    pair.primary.remove(transactionObserver: observer)
    try pair.expectEqual(after: "INSERT INTO p VALUES (1); INSERT INTO c VALUES (1)")
  }

  @Test func `the raw connection cannot commit what was not recorded`() throws {
    let pair = try RecordedPair(Self.table)
    try pair.primary.writeWithoutTransaction { db in
      let raw = db.sqliteConnection
      #expect(sqlite3_exec(raw, "INSERT INTO t VALUES (1, 1)", nil, nil, nil) != SQLITE_OK)
      try db.execute(sql: "BEGIN; INSERT INTO t VALUES (2, 2)")
      #expect(sqlite3_exec(raw, "COMMIT", nil, nil, nil) != SQLITE_OK)
      #expect(!db.isInsideTransaction)
    }
    #expect(pair.calls == [])
    try pair.expectEqual(after: "INSERT INTO t VALUES (3, 3)")
  }

  @Test func `rows of attached and temporary tables are not recorded`() throws {
    let pair = try RecordedPair(Self.table)
    try pair.run("ATTACH ':memory:' AS other; CREATE TABLE other.o (x); CREATE TEMP TABLE tt (x)")
    try pair.run("BEGIN; INSERT INTO o VALUES (1); INSERT INTO tt VALUES (1); COMMIT")
    try pair.run("INSERT INTO tt VALUES (2); DROP TABLE other.o; DROP TABLE tt")
    try pair.run("CREATE TEMP TRIGGER x AFTER INSERT ON t BEGIN UPDATE t SET v = 9; END")
    #expect(pair.calls == [])
    try pair.expectEqual(after: "INSERT INTO t VALUES (1, 1)")
    #expect(pair.transactions[0].items.count == 2)
  }

  @Test func `a blob that is written in place is read when the transaction ends`() throws {
    let pair = try RecordedPair(
      "CREATE TABLE b (id INTEGER PRIMARY KEY, a, x, y TEXT);"
        + "INSERT INTO b VALUES (1, 1, zeroblob(4), 'text'), (2, 2, zeroblob(4), 'text')"
    )
    func write(_ db: Database, _ column: String, _ row: Int64, _ bytes: [UInt8]) {
      var blob: OpaquePointer?
      #expect(
        sqlite3_blob_open(db.sqliteConnection, "main", "b", column, row, 1, &blob) == SQLITE_OK
      )
      #expect(sqlite3_blob_write(blob, bytes, Int32(bytes.count), 1) == SQLITE_OK)
      sqlite3_blob_close(blob)
    }
    try pair.primary.write { db in
      write(db, "x", 1, [7, 8])
      write(db, "y", 2, [0xFF, 0x41])
      try db.execute(sql: "UPDATE b SET a = 5 WHERE id = 1; UPDATE b SET id = 9 WHERE id = 2")
    }
    try pair.expectEqual()
    try pair.primary.write { db in
      try db.execute(sql: "SAVEPOINT s")
      write(db, "x", 1, [1])
      try db.execute(sql: "ROLLBACK TO s; RELEASE s; DELETE FROM b WHERE id = 9")
      write(db, "x", 1, [3])
      try db.execute(sql: "ALTER TABLE b RENAME COLUMN x TO z; ALTER TABLE b RENAME TO c")
    }
    try pair.expectEqual()
  }

  @Test func `changesets are recorded when they are applied, and cannot be made`() throws {
    let pair = try RecordedPair(Self.table)
    let changeset = try pair.replica.write { db in
      let changeset = try db.recordChangeset { try db.execute(sql: "INSERT INTO t VALUES (1, 1)") }
      try db.execute(sql: "DELETE FROM t")
      return changeset
    }
    try pair.primary.write { try $0.apply(changeset: changeset) }
    #expect(throws: DatabaseError.self) {
      try pair.primary.write { try $0.apply(changeset: changeset) }
    }
    try pair.expectEqual()
    #expect(throws: DatabaseError.self) {
      try pair.primary.write { db in _ = try db.recordChangeset {} }
    }
  }
}

private final class RefusingObserver: TransactionObserver, Sendable {
  struct Refused: Error {}

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseWillCommit() throws { throw Refused() }
  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {}
}
