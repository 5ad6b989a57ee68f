import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Files that this process writes, and other processes too.
@Suite struct WriterProbeTests {
  @Test(arguments: [ForeignFile.Journal.wal, .delete])
  func `a queue sees the commits of other processes`(journal: ForeignFile.Journal) async throws {
    let file = try ForeignFile(journal)
    let queue = try DatabaseQueue(path: file.path)
    let (recorder, cancellable) = Shop.items.record(in: queue)
    _ = try await recorder.nextValue()
    for price in 1...20 {
      try SQLiteShell.run(file.path, "PRAGMA busy_timeout = 5000; UPDATE item SET price = \(price)")
    }
    _ = try await recorder.value { $0.first?.price == 20 }
    cancellable.cancel()
  }

  private final class RowObserver: TransactionObserver {
    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { true }
  }

  // The observer of transactions makes the connection keep the columns that it has read.
  @Test(
    arguments: [ForeignFile.Journal.wal, .delete],
    [
      ("ALTER TABLE t DROP COLUMN a", "SELECT c FROM t", "UPDATE t SET c = 9"),
      ("ALTER TABLE t ADD COLUMN d DEFAULT 3", "SELECT d FROM t", "UPDATE t SET d = 9"),
      ("ALTER TABLE t RENAME COLUMN c TO d", "SELECT d FROM t", "UPDATE t SET d = 9"),
    ]
  )
  func `P1: an own commit is seen after another process has changed the schema unobserved`(
    journal: ForeignFile.Journal,
    change: (schema: String, query: String, update: String)
  ) async throws {
    let file = try ForeignFile(journal)
    try SQLiteShell.run(file.path, "CREATE TABLE t (a, b, c); INSERT INTO t VALUES (1, 2, 3)")
    let queue = try DatabaseQueue(path: file.path)
    try await queue.write { db in
      db.add(transactionObserver: RowObserver(), extent: .databaseLifetime)
    }
    let (first, end) = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT b FROM t")
    }.record(in: queue)
    #expect(try await first.nextValue() == 2)
    try await queue.write { db in try db.execute(sql: "UPDATE t SET b = 4") }
    #expect(try await first.nextValue() == 4)
    end.cancel()
    try SQLiteShell.run(file.path, change.schema)
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: change.query)
    }.record(in: queue)
    #expect(try await recorder.nextValue() == 3)
    try await queue.write { db in try db.execute(sql: change.update) }
    #expect(try await recorder.nextValue() == 9)
    cancellable.cancel()
  }

  @Test func `a foreign commit to the file and to an attached one is seen in both`() async throws {
    let (shop, annex) = (try Shop(), try Shop())
    try await shop.pool.write { db in try db.execute(sql: "CREATE TABLE log (n)") }
    let queue = try DatabaseQueue(path: shop.path, configuration: .patient)
    try await queue.writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH '\(annex.path)' AS annex")
    }
    let observation = ValueObservation.tracking { db in
      try Double.fetchOne(db, sql: "SELECT price FROM annex.item WHERE id = 1")
    }
    let (recorder, cancellable) = observation.record(in: queue)
    #expect(try await recorder.nextValue() == 4)
    for price in 5...9 {
      try SQLiteShell.run(
        shop.path,
        """
        PRAGMA busy_timeout = 5000; ATTACH '\(annex.path)' AS annex; BEGIN IMMEDIATE;
        INSERT INTO log VALUES (1); UPDATE annex.item SET price = \(price) WHERE id = 1; COMMIT
        """
      )
      _ = try await recorder.value { $0 == Double(price) }
    }
    cancellable.cancel()
  }

  @Test func `own and foreign commits are all seen`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    for id in 10..<40 {
      try await shop.pool.write { db in try Item(id: Int64(id), name: "own", price: 1).insert(db) }
      try SQLiteShell.run(shop.path, "INSERT INTO item VALUES (\(id + 100), 'foreign', 1)")
    }
    let items = try await recorder.value { $0.count == 62 }
    #expect(items.count { $0.name == "foreign" } == 30)
    cancellable.cancel()
  }

  @Test func `a pool reports that its file was replaced, and commits nothing to the old one`()
    async throws
  {
    let shop = try Shop()
    let other = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    try other.pool.close()
    let aside = shop.directory.file("aside.sqlite")
    try FileManager.default.moveItem(atPath: shop.path, toPath: aside)
    try FileManager.default.moveItem(atPath: other.path, toPath: shop.path)
    let message = """
      the file was moved, removed or replaced by another one while it was open: close the \
      database, and open \(shop.path) again
      """
    let reported = try await recorder.nextError() as? DatabaseError
    #expect(reported?.extendedResultCode == .SQLITE_READONLY_DBMOVED)
    #expect(reported?.message == message)
    let error = await #expect(throws: DatabaseError.self) {
      try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    }
    #expect(error?.message == message)
    // The file comes back.
    try FileManager.default.removeItem(atPath: shop.path)
    try FileManager.default.moveItem(atPath: aside, toPath: shop.path)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }
}
