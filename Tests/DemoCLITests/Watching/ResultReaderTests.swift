import Foundation
import Storage
import Testing

@testable import DemoCLI

@Suite struct ResultReaderTests {
  private static let fill = """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
    INSERT INTO t SELECT i, 'row ' || i, i / 3, x'00' FROM n;
    """

  private func makeDatabase(_ sql: String = fill) throws -> DatabaseQueue {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c); \(sql)")
    }
    return database
  }

  /// Where a row stores its values.
  private func address(_ row: [DatabaseValue]) -> UnsafeRawPointer? {
    row.withUnsafeBytes(\.baseAddress)
  }

  /// Returns the number of rows of `next` that `previous` does not have in the same place of the
  /// memory.
  private func copied(_ next: WatchedResult, since previous: WatchedResult) -> Int {
    let known = Set(previous.rows.map(address))
    return next.rows.count { !known.contains(address($0)) }
  }

  private static let queries: [WatchedQuery] = [
    .table("t"), .sql("SELECT a, b, c FROM t"), .sql("SELECT a, b FROM t", key: ["a"]),
    .sql("SELECT count(*), b FROM t GROUP BY b"),
  ]

  @Test(arguments: queries)
  func `what is read after a commit is what a first reading returns`(query: WatchedQuery) throws {
    let database = try makeDatabase()
    let reader = ResultReader(query)
    _ = try database.read(reader.fetch)
    for sql in [
      "UPDATE t SET a = 'other' WHERE id = 1", "UPDATE t SET a = NULL WHERE id % 7 = 0",
      "DELETE FROM t WHERE id IN (1, 40, 41, 42, 300)", "DELETE FROM t WHERE id < 100",
      "INSERT INTO t SELECT id - 5000, a, b, c FROM t WHERE id < 200",
      "UPDATE t SET b = b + 1", "UPDATE t SET c = 'x' WHERE id = 150",
      "UPDATE t SET a = x'78' WHERE id = 151", "UPDATE t SET a = 'x' WHERE id = 151",
      "UPDATE t SET a = CAST(x'FF' AS TEXT) WHERE id = 152", "UPDATE t SET b = -0.0",
      "UPDATE t SET b = 0.0", "UPDATE t SET b = 0", "UPDATE t SET a = 'é'",
      "UPDATE t SET a = 'e\u{301}'", "ALTER TABLE t ADD COLUMN d DEFAULT 5", "DELETE FROM t",
      Self.fill.replacing("x'00'", with: "'', 1"), "ALTER TABLE t RENAME COLUMN d TO e",
    ] {
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
    let reader = ResultReader(query)
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
}
