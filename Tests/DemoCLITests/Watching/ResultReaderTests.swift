import Foundation
import Storage
import Testing

@testable import DemoCLI

@Suite struct ResultReaderTests {
  private static let fill = """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
    INSERT INTO t SELECT i, 'row ' || i, i / 3, x'00' FROM n;
    """

  private static let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)"

  private func makeDatabase(_ sql: String = fill) throws -> DatabaseQueue {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.execute(sql: "\(Self.table); \(sql)")
    }
    return database
  }

  /// Returns the number of rows of `next` that `previous` does not have in the same place of the
  /// memory.
  private func copied(_ next: WatchedResult, since previous: WatchedResult) -> Int {
    let known = Set(addresses(previous))
    return addresses(next).count { !known.contains($0) }
  }

  private func addresses(_ result: WatchedResult) -> [UInt] {
    result.withAddresses { rows in (0..<rows.count).map { rows[$0] } }
  }

  private static let queries: [WatchedQuery] = [
    .table("t"), .sql("SELECT a, b, c FROM t"), .sql("SELECT a, b FROM t", key: ["a"]),
    .sql("SELECT count(*), b FROM t GROUP BY b"),
  ]

  private static let changes = [
    "UPDATE t SET a = 'other' WHERE id = 1", "UPDATE t SET a = NULL WHERE id % 7 = 0",
    "DELETE FROM t WHERE id IN (1, 40, 41, 42, 300)", "DELETE FROM t WHERE id < 100",
    "INSERT INTO t SELECT id - 5000, a, b, c FROM t WHERE id < 200",
    "UPDATE t SET b = b + 1", "UPDATE t SET c = 'x' WHERE id = 150",
    "UPDATE t SET a = x'78' WHERE id = 151", "UPDATE t SET a = 'x' WHERE id = 151",
    "UPDATE t SET a = CAST(x'FF' AS TEXT) WHERE id = 152", "UPDATE t SET b = -0.0",
    "UPDATE t SET b = 0.0", "UPDATE t SET b = 0", "UPDATE t SET a = 'é'",
    "UPDATE t SET a = 'e\u{301}'", "ALTER TABLE t ADD COLUMN d DEFAULT 5", "DELETE FROM t",
    Self.fill.replacing("x'00'", with: "'', 1"), "ALTER TABLE t RENAME COLUMN d TO e",
  ]

  @Test(arguments: queries)
  func `what is read after a commit is what a first reading returns`(query: WatchedQuery) throws {
    let database = try makeDatabase()
    let reader = ResultReader(query, slowDuration: .seconds(3_600))
    _ = try database.read(reader.fetch)
    for sql in Self.changes {
      try database.write { db in try db.execute(sql: sql) }
      let (next, fresh) = try database.read { db in (try reader.fetch(db), try query.fetch(db)) }
      #expect(next == fresh, "\(sql)")
      // Equal texts can differ in their bytes, and equal numbers in their signs.
      #expect("\(next)" == "\(fresh)", "\(sql)")
    }
  }
  @Test(arguments: queries.dropLast())
  func `rows that have not changed are not copied`(query: WatchedQuery) throws {
    let database = try makeDatabase()
    let reader = ResultReader(query, slowDuration: .seconds(3_600))
    var previous = try database.read(reader.fetch)
    for (sql, limit) in [
      ("CREATE TABLE other (x)", 0),
      ("UPDATE t SET a = 'other' WHERE id = 70", 1),
      ("INSERT INTO t VALUES (-1, 'first', 1, 2)", 1),
      ("INSERT INTO t VALUES (1000, 'last', 1, 2)", 1),
      ("DELETE FROM t WHERE id = -1", 0),
      // The search for the next known row gets wider, so that some rows are copied needlessly.
      ("DELETE FROM t WHERE id < 50", 64),
      ("UPDATE t SET b = b + 1 WHERE id BETWEEN 100 AND 199", 100),
    ] {
      try database.write { db in try db.execute(sql: sql) }
      let next = try database.read(reader.fetch)
      #expect(copied(next, since: previous) <= limit, "\(sql)")
      previous = next
    }
  }

  // MARK: Large results

  private static let fillLarge = fill.replacing("i < 300", with: "i < 3000")

  @Test(arguments: queries.dropLast())
  func `an observed large result is patched, also by commits of others`(query: WatchedQuery)
    async throws
  {
    let file = try await LoggedFile("\(Self.table); \(Self.fillLarge)")
    let pool = try file.watch()
    let reader = ResultReader(query)
    var values = ValueObservation.tracking { db in try reader.fetch(db) }.values(in: pool)
      .makeAsyncIterator()
    var previous = try #require(await values.next())
    #expect(previous.rows.count == 3_000)
    for (sql, limit) in [
      ("UPDATE t SET a = 'other' WHERE id = 70", 1),
      ("INSERT INTO t VALUES (-1, 'first', 1, 2)", 1),
      ("INSERT INTO t VALUES (5000, 'last', 1, 2)", 1),
      ("DELETE FROM t WHERE id IN (-1, 1000, 2000)", 0),
      ("UPDATE t SET a = 'twice' WHERE id IN (7, 2900)", 2),
      ("UPDATE t SET id = 9000 WHERE id = 8", 1),
      ("UPDATE t SET b = -1", 3_000), ("UPDATE t SET b = -2 WHERE id = 9", 3_000),
      ("UPDATE t SET b = -3 WHERE id = 9", 1),
    ] {
      try await file.file.execute(sql)
      let next = try #require(await values.next())
      #expect(copied(next, since: previous) <= limit, "\(sql)")
      let fresh = try await pool.read { db in try query.fetch(db) }
      #expect(next == fresh, "\(sql)")
      #expect("\(next)" == "\(fresh)", "\(sql)")
      previous = next
    }
  }

  /// A file with a log, which stays while this process has the file open.
  private struct LoggedFile {
    let file: TestFile
    private let owner: DatabaseQueue

    init(_ sql: String) async throws {
      file = try await TestFile("PRAGMA journal_mode = WAL")
      owner = try DatabaseQueue(path: file.path)
      try await owner.write { db in try db.execute(sql: sql) }
    }

    func watch() throws -> DatabasePool {
      var watched = WatchedFile(path: file.path)
      watched.keepsResults = true
      return try watched.open()
    }
  }

  @Test(arguments: [
    WatchedQuery.table("t"), .sql("SELECT * FROM t"), .sql("SELECT * FROM t", key: ["a"]),
  ])
  func `an observed large result follows changes of the schema`(query: WatchedQuery) async throws {
    let file = try await LoggedFile("\(Self.table); \(Self.fillLarge)")
    let pool = try file.watch()
    let reader = ResultReader(query)
    var values = ValueObservation.tracking { db in try reader.fetch(db) }.values(in: pool)
      .makeAsyncIterator()
    _ = try #require(await values.next())
    // Each time, it changes one row.
    let update = "UPDATE t SET a = a || '!' WHERE a = 'row 70' OR a GLOB 'row 70!*'"
    for sql in [
      update, "ALTER TABLE t ADD COLUMN d DEFAULT 5", update, update,
      "ALTER TABLE t RENAME COLUMN d TO e", update, update,
      "DELETE FROM t", Self.fillLarge.replacing("x'00'", with: "'', 1"), update, update,
      """
      BEGIN; DROP TABLE t; CREATE TABLE t (id, a PRIMARY KEY, b, c) WITHOUT ROWID; \(Self.fillLarge);
      COMMIT
      """, update, update,
      """
      BEGIN; ALTER TABLE t RENAME TO other; CREATE VIEW t AS SELECT b, a FROM other; COMMIT
      """,
      update.replacing("UPDATE t", with: "UPDATE other"),
      update.replacing("UPDATE t", with: "UPDATE other"),
    ] {
      try await file.file.execute(sql)
      let next = try #require(await values.next())
      let fresh = try await pool.read { db in try query.fetch(db) }
      #expect(next == fresh, "\(sql)")
      #expect(next.columns == fresh.columns && next.key == fresh.key, "\(sql)")
    }
  }

  @Test func `a slow result of one row is patched, too`() async throws {
    let file = try await LoggedFile("\(Self.table); \(Self.fillLarge)")
    let pool = try file.watch()
    let reader = ResultReader(.sql("SELECT count(*) FROM t WHERE b > 5"), slowDuration: .zero)
    var values = ValueObservation.tracking { db in try reader.fetch(db) }.values(in: pool)
      .makeAsyncIterator()
    let first = try #require(await values.next())
    var count = try #require(Int.fromDatabaseValue(first.rows[0][0]))
    for id in 1_000..<1_006 {
      try await file.file.execute("UPDATE t SET b = 0 WHERE id = \(id)")
      let next = try #require(await values.next())
      count -= 1
      #expect(next.rows[0] == [count.databaseValue])
    }
    #expect(pool.observationStatistics.patches == 6)
  }

  @Test(arguments: queries.dropLast())
  func `a large result that cannot be patched is read row by row`(query: WatchedQuery) throws {
    let database = try makeDatabase(Self.fillLarge)
    let reader = ResultReader(query)
    var previous = try database.read(reader.fetch)
    var copies: [Int] = []
    for number in 1...5 {
      try database.write { db in
        try db.execute(sql: "UPDATE t SET a = ? WHERE id = 70", arguments: ["other \(number)"])
      }
      let next = try database.read(reader.fetch)
      copies.append(copied(next, since: previous))
      previous = next
    }
    #expect(copies == [3_000, 3_000, 1, 1, 1])
  }

  @Test func `a slow result is fetched at once, and a quick small one row by row`() throws {
    for (slowDuration, expected) in [
      (Duration.zero, [300, 300, 300]), (.seconds(3_600), [1, 1, 1]),
    ] {
      let database = try makeDatabase()
      let reader = ResultReader(.table("t"), slowDuration: slowDuration)
      var previous = try database.read(reader.fetch)
      let copies = try (1...3).map { number in
        try database.write { db in
          try db.execute(sql: "UPDATE t SET a = ? WHERE id = 70", arguments: ["other \(number)"])
        }
        let next = try database.read(reader.fetch)
        defer { previous = next }
        return copied(next, since: previous)
      }
      // Without an observation, nothing can be patched.
      #expect(copies == expected)
    }
  }
}
