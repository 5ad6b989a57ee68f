import Dispatch
import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

/// The size of the WAL while observations run the whole time.
@Suite struct WALKeeperSoakTests {
  private static let duration = Soak.size(600, inSuite: 2)

  @Test func `soak: observations and a stalled consumer do not let the WAL grow`() async throws {
    var configuration = Configuration()
    configuration.synchronous = .normal
    configuration.maximumWALPageCount = 2000
    let shop = try Shop(configuration)
    let pool = shop.pool
    let observers = (0..<100).map { number in
      ValueObservation.tracking { db in
        number + (try Int.fetchOne(db, sql: "SELECT count(*) FROM item WHERE price > 1") ?? 0)
      }.start(in: pool, onError: { Issue.record($0) }, onChange: { _ in })
    }
    let consumer = Task {
      for try await _ in Shop.items.values(in: pool) {
        // Never asks for a second value.
        try await Task.sleep(for: .seconds(100_000))
      }
    }
    let padding = String(repeating: "x", count: 2000)
    let end = DispatchTime.now() + .seconds(Self.duration)
    var largest: Int64 = 0
    var number = 0
    while DispatchTime.now() < end {
      number += 1
      let id = Int64(3 + number % 500)
      try await pool.write { [number] db in
        try db.execute(
          sql: "INSERT OR REPLACE INTO item VALUES (?, ?, ?)",
          arguments: [id, padding, number % 3]
        )
      }
      largest = max(largest, FileStatus(path: shop.path + "-wal")?.size ?? 0)
    }
    // A page of the WAL takes 4,120 bytes. The factor 2 allows for writes while a reset waits.
    #expect(largest < 2 * 2000 * 4120, "\(number) writes")
    consumer.cancel()
    _ = await consumer.result
    for observer in observers { observer.cancel() }
  }
}
