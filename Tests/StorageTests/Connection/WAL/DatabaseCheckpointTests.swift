import Foundation
import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseCheckpointTests {
  private func shop() throws -> Shop {
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    configuration.prepareDatabase { db in try db.setWALAutoCheckpoint(0) }
    return try Shop(configuration)
  }

  private func walSize(_ shop: Shop) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: shop.path + "-wal")
    return try #require(attributes[.size] as? Int)
  }

  @Test(arguments: [Database.CheckpointMode.passive, .full, .restart, .truncate])
  func `A-017: a checkpoint moves all pages and reports that`(mode: Database.CheckpointMode) throws
  {
    let shop = try shop()
    let result = try shop.pool.checkpoint(mode)
    #expect(result.isComplete && !result.isBusy)
    #expect((result.walFrameCount == 0) == (mode == .truncate))
    #expect((try walSize(shop) == 0) == (mode == .truncate))
  }

  @Test(arguments: [Database.CheckpointMode.passive, .full, .restart, .truncate])
  func `A-017: a reader of an older state blocks a checkpoint`(mode: Database.CheckpointMode) throws
  {
    let shop = try shop()
    let snapshot = try shop.pool.makeSnapshot()
    try shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 9") }
    let result = try shop.pool.checkpoint(mode)
    #expect(!result.isComplete)
    #expect(result.isBusy == (mode != .passive))
    #expect(result.checkpointedFrameCount > 0)
    #expect(result.checkpointedFrameCount < result.walFrameCount)
    try snapshot.close()
    #expect(try shop.pool.checkpoint(mode).isComplete)
  }

  @Test func `A-017: a database without a WAL has nothing to move`() throws {
    let result = try DatabaseQueue().checkpoint(.truncate)
    #expect(result.walFrameCount == 0 && result.isComplete && !result.isBusy)
  }

  @Test func `a checkpoint is refused where it cannot run`() throws {
    let shop = try shop()
    expectDatabaseError(
      .SQLITE_LOCKED,
      "no checkpoint can run inside a transaction: use writeWithoutTransaction"
    ) {
      _ = try shop.pool.write { db in try db.checkpoint() }
    }
    expectDatabaseError(
      .SQLITE_READONLY,
      "a checkpoint writes: use writeWithoutTransaction"
    ) {
      _ = try shop.pool.read { db in try db.checkpoint() }
    }
    #expect(throws: DatabaseError.self) { try shop.pool.checkpoint(.full, on: "nowhere") }
  }

  @Test func `a commit checkpoints a WAL that has reached the configured length`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.setWALAutoCheckpoint(4) }
    let shop = try Shop(configuration)
    for _ in 0..<30 {
      try shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = price + 1") }
    }
    #expect(try walSize(shop) < 20 * 4200)
  }
}
