import Sharing
import Testing
import TestSupport
import WellspringSystem

@Suite(.patient) struct SharedReaderScaleTests {
  @Test func `P6: a commit costs 10,000 readers of 100 keys 100 fetches in one snapshot`()
    async throws
  {
    let counter = Counter()
    var configuration = Configuration()
    configuration.maximumReaderCount = 2
    configuration.prepareDatabase { db in
      db.trace { event in
        if "\(event)".hasPrefix("BEGIN DEFERRED") { counter.count.withLock { $0 += 1 } }
      }
    }
    let shop = try TemporaryPool(
      configuration,
      schema: """
        CREATE TABLE item (id INTEGER PRIMARY KEY, price INTEGER NOT NULL);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
        INSERT INTO item SELECT i, 0 FROM n
        """
    )
    let readers = (0..<10_000).map { number in
      SharedReader<Int>(
        wrappedValue: -1,
        .fetchOne(
          sql: "SELECT price FROM item WHERE id = ?",
          arguments: [number % 100 + 1],
          database: shop.pool
        )
      )
    }
    #expect(shop.pool.observationStatistics.live == 100)
    #expect(shop.pool.observationStatistics.runs == 100)
    // The library splits a slow batch, so a slow machine gets several attempts.
    var snapshots: [Int] = []
    for price in 1...20 where !snapshots.contains(1) {
      counter.count.withLock { $0 = 0 }
      let fetches = shop.pool.observationStatistics.runs
      try await shop.pool.run("UPDATE item SET price = \(price)")
      try await shop.pool.quiesce()
      #expect(readers.allSatisfy { $0.wrappedValue == price })
      #expect(shop.pool.observationStatistics.runs == fetches + 100)
      snapshots.append(counter.count.withLock { $0 })
    }
    #expect(snapshots.contains(1))
  }

  private final class Counter: Sendable {
    let count = Lock(0)
  }
}
