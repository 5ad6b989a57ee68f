import Storage
import Testing
import WellspringSystem

@testable import StorageTestSupport

/// P1: an observation of the full database also sees changes that observations with smaller regions
/// do not see.
@Suite("P1: observations of the full database beside other ones")
struct FullDatabaseObservationTests {
  /// A query whose region is the full database, because of the pragma.
  private static let everything = ValueObservation.tracking { db in
    _ = try Int.fetchOne(db, sql: "PRAGMA user_version")
    return try Double?.fetchAll(db, sql: "SELECT price FROM item ORDER BY id")
  }

  private static let others = [
    "SELECT count(*) FROM item", "SELECT name FROM item", "SELECT name FROM item WHERE id = 1",
  ]

  private static func other(_ sql: String) -> ValueObservation<[Row]> {
    ValueObservation.tracking { db in try Row.fetchAll(db, sql: sql) }
  }

  @Test(arguments: others) func `a column that no other observation reads`(sql: String) async throws
  {
    let shop = try Shop()
    let (others, first) = Self.other(sql).record(in: shop.pool)
    _ = try await others.nextValue()
    let (recorder, second) = Self.everything.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [4, nil])
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 5") }
    #expect(try await recorder.nextValue() == [5, 5])
    // P4: the other query does not run for that.
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.runs == 3)
    first.cancel()
    second.cancel()
  }

  @Test(arguments: others)
  func `a column that no observation of another pool reads`(sql: String) async throws {
    let shop = try Shop()
    let otherPool = try DatabasePool(path: shop.pool.path)
    let (others, first) = Self.other(sql).record(in: otherPool)
    _ = try await others.nextValue()
    let (recorder, second) = Self.everything.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [4, nil])
    try await otherPool.write { db in try db.execute(sql: "UPDATE item SET price = 5") }
    #expect(try await recorder.nextValue() == [5, 5])
    first.cancel()
    second.cancel()
  }

  @Test(arguments: others)
  func `a region observation of the full database`(sql: String) async throws {
    let shop = try Shop()
    let (others, first) = Self.other(sql).record(in: shop.pool)
    _ = try await others.nextValue()
    let count = Lock(0)
    let second = DatabaseRegionObservation(tracking: .fullDatabase)
      .start(in: shop.pool, onError: { _ in }) { _ in count.withLock { $0 += 1 } }
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 5") }
    #expect(count.withLock { $0 } == 1)
    first.cancel()
    second.cancel()
  }

  // The commits after the last observer of everything are compared no further than before it.
  @Test func `a column that no observation reads any more`() async throws {
    let shop = try Shop()
    let (recorder, first) = Self.other("SELECT count(*) FROM item").record(in: shop.pool)
    _ = try await recorder.nextValue()
    let (all, second) = Self.everything.record(in: shop.pool)
    _ = try await all.nextValue()
    second.cancel()
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 5") }
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    #expect(try await recorder.nextValue() == [["count(*)": 0]])
    #expect(shop.pool.observationStatistics.runs == 3)
    first.cancel()
  }

  // A row that is not inserted after all uses up an id. There is no hook event for it.
  @Test(arguments: ["PRAGMA user_version", "SELECT 1"])
  func `the last ids of a table`(first: String) async throws {
    let shop = try Shop()
    try await shop.pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE numbered (id INTEGER PRIMARY KEY AUTOINCREMENT, name UNIQUE);
          INSERT INTO numbered (name) VALUES ('a')
          """
      )
    }
    let (recorder, cancellable) = ValueObservation.tracking { db in
      _ = try Int.fetchOne(db, sql: first)
      return try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence") ?? 0
    }.record(in: shop.pool)
    #expect(try await recorder.nextValue() == 1)
    try await shop.pool.write { db in
      try db.execute(sql: "INSERT OR IGNORE INTO numbered (name) VALUES ('a')")
    }
    #expect(try await recorder.nextValue() == 2)
    // P4: a statement that writes nothing uses up no id.
    let before = shop.pool.observationStatistics.runs
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM numbered WHERE id = 7") }
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.runs == before)
    cancellable.cancel()
  }
}
