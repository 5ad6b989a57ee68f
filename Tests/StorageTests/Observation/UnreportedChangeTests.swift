import CWellspringSQLite
import Storage
import Testing

/// P1: changes that SQLite's hooks report late, wrongly or not at all are seen like all others.
@Suite struct UnreportedChangeTests {
  private func execute(_ db: Database, _ sql: String) {
    #expect(sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil) == SQLITE_OK)
  }

  private static let prices = ValueObservation.tracking { db in
    try Double.fetchAll(db, sql: "SELECT price FROM item WHERE price IS NOT NULL ORDER BY id")
  }

  // MARK: The raw handle

  @Test func `a column that moves to the left is followed`() async throws {
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

  @Test func `a commit is seen although a rollback follows in one call`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Self.prices.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [4])
    try await shop.pool.writeWithoutTransaction { db in
      execute(db, "UPDATE item SET price = 7; BEGIN; UPDATE item SET price = 8; ROLLBACK")
    }
    #expect(try await recorder.nextValue() == [7, 7])
    cancellable.cancel()
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

  // https://www.sqlite.org/lang_vacuum.html: row ids of tables without INTEGER PRIMARY KEY may change.
  @Test func `row ids that VACUUM changes are seen`() async throws {
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

  // REPLACE reports more rows than it counts as changed. That must not hide the rows of the full-text
  // index, which are counted and not reported.
  @Test(arguments: [
    "",
    """
    REPLACE INTO u VALUES (1, 3); REPLACE INTO u VALUES (2, 1); REPLACE INTO u VALUES (1, 1);
    REPLACE INTO u VALUES (3, 1);
    """,
  ])
  func `the vocabulary of a full-text index is followed`(before: String) async throws {
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
}
