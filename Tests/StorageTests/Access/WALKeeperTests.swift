import Dispatch
import Foundation
import Storage
import Synchronization
import Testing
import WellspringSystem

@testable import StorageTestSupport

@Suite struct WALKeeperTests {
  private static func configuration(limit: Int) -> Configuration {
    var configuration = Configuration()
    configuration.synchronous = .off
    configuration.maximumWALPageCount = limit
    configuration.prepareDatabase { db in try db.setWALAutoCheckpoint(limit / 2) }
    return configuration
  }

  private static func walSize(_ shop: Shop) -> Int64 {
    FileStatus(path: shop.path + "-wal")?.size ?? 0
  }

  @Test func `the WAL stays bounded while reads overlap the whole time`() async throws {
    let limit = 64
    let shop = try Shop(Self.configuration(limit: limit))
    let pool = shop.pool
    let isEnough = Atomic(false)
    let ended = Recorder<Void>()
    // Two readers take turns, so that one of them has a snapshot at each moment.
    let turns = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    for index in 0..<2 {
      Thread.detachNewThread {
        while !isEnough.load(ordering: .relaxed) {
          try? pool.read { db in
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
            turns[1 - index].signal()
            _ = turns[index].wait(timeout: .now() + 0.05)
          }
        }
        ended.append(())
      }
    }
    var largest: Int64 = 0
    for _ in 0..<600 {
      try await pool.write { db in
        try db.execute(sql: "UPDATE item SET price = coalesce(price, 0) + 1")
      }
      largest = max(largest, Self.walSize(shop))
    }
    isEnough.store(true, ordering: .relaxed)
    for _ in 0..<2 { try await ended.nextValue() }
    // Without a reset, 600 commits are more than 600 pages.
    #expect(largest < Int64(limit * 3 * 4120))
  }

  @Test func `a WAL that keeps growing is one report, and one with the count at the end`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let shop = try Shop(Self.configuration(limit: 8))
      let snapshot = try shop.pool.makeSnapshot(named: "monthly report")
      for _ in 0..<60 {
        try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = random()") }
      }
      try snapshot.close()
      try await shop.pool.shutDown()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("wellspring: ") }
    #expect(lines.count == 2, "\(text)")
    #expect(lines.first?.contains("pages and keeps growing: ") == true, "\(text)")
    #expect(lines.last?.hasSuffix(" times)") == true, "\(text)")
  }

  @Test func `a snapshot that holds the WAL is named in the error log`() async {
    // The log belongs to the process.
    await #expect(processExitsWith: .success) {
      let shop = try Shop(Self.configuration(limit: 8))
      let entries = Recorder<String>()
      Database.logError = { code, message in
        entries.append("\(code.rawValue) \(message)")
      }
      let snapshot = try shop.pool.makeSnapshot(named: "monthly report")
      for _ in 0..<20 {
        try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = random()") }
      }
      let message = try await entries.nextValue()
      try #require(message.contains(#"it is held by the snapshot "monthly report""#), "\(message)")
      // The WAL is emptied after the snapshot is closed.
      try snapshot.close()
      for _ in 0..<40 {
        try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = random()") }
      }
      try #require(Self.walSize(shop) < 60 * 4120)
    }
  }
}
