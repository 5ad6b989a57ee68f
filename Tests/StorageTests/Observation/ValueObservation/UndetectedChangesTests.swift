import Storage
import Synchronization
import Testing

@testable import StorageTestSupport

@Suite struct UndetectedChangesTests {
  /// An observation of something outside the database.
  private final class Outside: Sendable {
    private let value = Atomic(0)
    func set(_ new: Int) { value.store(new, ordering: .relaxed) }

    func observe(in pool: DatabasePool) -> (recorder: Recorder<Int>, AnyDatabaseCancellable) {
      ValueObservation.tracking { db in
        try db.registerAccess(to: DatabaseRegion(table: "item"))
        return self.value.load(ordering: .relaxed)
      }.record(in: pool)
    }
  }

  @Test func `A-102: announced changes rerun the observations of the region`() async throws {
    let shop = try Shop()
    let outside = Outside()
    let (recorder, cancellable) = outside.observe(in: shop.pool)
    #expect(try await recorder.nextValue() == 0)
    outside.set(1)
    try await shop.pool.write { db in try db.notifyChanges(in: DatabaseRegion(table: "item")) }
    #expect(try await recorder.nextValue() == 1)
    outside.set(2)
    // Outside a transaction it is announced immediately.
    try await shop.pool.writeWithoutTransaction { db in
      try db.notifyChanges(in: DatabaseRegion(table: "item"))
    }
    #expect(try await recorder.nextValue() == 2)
    outside.set(3)
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    #expect(try await recorder.nextValue() == 3)
    cancellable.cancel()
  }

  @Test func `announcements of other regions, and those that are rolled back, re-run nothing`()
    async throws
  {
    let shop = try Shop()
    let outside = Outside()
    let (recorder, cancellable) = outside.observe(in: shop.pool)
    #expect(try await recorder.nextValue() == 0)
    try await shop.pool.write { db in
      try db.notifyChanges(in: DatabaseRegion(table: "other"))
      try db.inSavepoint {
        try db.notifyChanges(in: DatabaseRegion(table: "item"))
        return .rollback
      }
    }
    #expect(shop.pool.observationStatistics.runs == 1)
    outside.set(5)
    try await shop.pool.write { db in try db.notifyChanges(in: .fullDatabase) }
    #expect(try await recorder.nextValue() == 5)
    #expect(shop.pool.observationStatistics.runs == 2)
    cancellable.cancel()
  }

  @Test func `transaction observers are called without an event`() throws {
    final class Log: TransactionObserver {
      var count = 0
      func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        kind == .update(tableName: "item", columnNames: ["price"])
      }
      func databaseDidChange() { count += 1 }
    }
    try withDatabase { db in
      let log = Log()
      db.add(transactionObserver: log)
      try db.notifyChanges(in: DatabaseRegion(table: "ITEM", columns: ["PRICE"]))
      #expect(log.count == 1)
      try db.notifyChanges(in: DatabaseRegion(table: "item", columns: ["name"]))
      #expect(log.count == 1)
      withExtendedLifetime(log) {}
    }
  }
}
