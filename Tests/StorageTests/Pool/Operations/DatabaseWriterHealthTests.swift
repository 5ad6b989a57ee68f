import Dispatch
import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

@Suite struct DatabaseWriterHealthTests {
  @Test func `an idle pool is writable, and shows the size of its WAL`() async throws {
    let shop = try Shop()
    let health = await shop.pool.health(within: .seconds(30))
    #expect(health.isHealthy)
    #expect(health.walSize > 0)
    #expect(health.walSize == FileStatus(path: shop.path + "-wal").map { Int($0.size) })
    #expect(health.runningWrite == nil)
    #expect(health.longestRead == nil)
    #expect(health.oldestSnapshot == nil)
    #expect(health.integrityViolations == nil)
    #expect(health.description == "writable, WAL \(health.walSize) bytes")
  }

  @Test func `a database in memory is writable`() async throws {
    let health = await (try DatabaseQueue()).health(checkingIntegrity: true, within: .seconds(30))
    #expect(health.description == "writable, WAL 0 bytes, intact")
  }

  @Test func `a database that is opened to be read is healthy while it can be read`() async throws {
    let shop = try Shop()
    var configuration = Configuration()
    configuration.readonly = true
    let watcher = try DatabasePool(path: shop.path, configuration: configuration)
    let health = await watcher.health(checkingIntegrity: true, within: .seconds(30))
    #expect(health.isHealthy && !health.isWritable)
    #expect((health.writeError as? DatabaseError)?.resultCode == .SQLITE_READONLY)
    #expect(health.description == "read-only, WAL \(health.walSize) bytes, intact")
  }

  @Test func `a long write is named, and does not block the check`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let (holds, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      try? pool.write { _ in
        holds.signal()
        mayEnd.wait()
      }
    }
    await waitWithoutBlocking(for: holds)
    let health = await pool.health(within: .milliseconds(50))
    mayEnd.signal()
    #expect(!health.isWritable)
    let error = health.writeError as? DatabaseError
    #expect(error?.resultCode == .SQLITE_BUSY)
    #expect(error?.message?.hasPrefix("no write could begin within") == true)
    #expect(health.runningWrite?.name == "wellspring.writer")
    #expect(health.longestRead == nil)
  }

  @Test func `a lock of another process makes the database count as not writable`() async throws {
    let shop = try Shop()
    let session = try SQLiteSession(shop.path)
    await session.run("BEGIN IMMEDIATE")
    let health = await shop.pool.health(within: .milliseconds(50))
    #expect((health.writeError as? DatabaseError)?.resultCode == .SQLITE_BUSY)
    await session.run("COMMIT")
    #expect(await shop.pool.health(within: .seconds(30)).isWritable)
    await session.end()
  }

  @Test func `the longest read and the oldest snapshot are named`() async throws {
    var configuration = Configuration()
    configuration.label = "shop"
    let shop = try Shop(configuration)
    let pool = shop.pool
    let (holds, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      try? pool.read { _ in
        holds.signal()
        mayEnd.wait()
      }
    }
    await waitWithoutBlocking(for: holds)
    let snapshots = try ["monthly report", "export"].map { try pool.makeSnapshot(named: $0) }
    let health = await pool.health(within: .seconds(30))
    mayEnd.signal()
    #expect(health.longestRead?.name == "shop.reader")
    #expect(health.oldestSnapshot?.name == "monthly report")
    #expect(health.description.contains("longest read shop.reader "), "\(health)")
    for snapshot in snapshots { try snapshot.close() }
    #expect(await pool.health(within: .seconds(30)).oldestSnapshot == nil)
  }

  @Test func `observers of transactions receive nothing`() async throws {
    final class Ends: TransactionObserver, Sendable {
      let count = Lock(0)
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
      func databaseDidChange(with event: DatabaseEvent) {}
      func databaseDidCommit(_ db: Database) { count.withLock { $0 += 1 } }
      func databaseDidRollback(_ db: Database) { count.withLock { $0 += 1 } }
    }
    let shop = try Shop()
    let ends = Ends()
    shop.pool.add(transactionObserver: ends)
    for _ in 0..<3 { #expect(await shop.pool.health(within: .seconds(30)).isWritable) }
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    #expect(ends.count.withLock { $0 } == 1)
  }

  @Test func `a read-only pool says why it cannot be written`() async throws {
    let shop = try Shop()
    var configuration = Configuration()
    configuration.readonly = true
    let watcher = try DatabasePool(path: shop.path, configuration: configuration)
    let health = await watcher.health(within: .seconds(30))
    #expect((health.writeError as? DatabaseError)?.resultCode == .SQLITE_READONLY)
  }

  @Test func `a file without a name is noticed`() async throws {
    let shop = try Shop()
    try FileManager.default.removeItem(atPath: shop.path)
    let error = await shop.pool.health(within: .seconds(30)).writeError as? DatabaseError
    #expect(error?.extendedResultCode == .SQLITE_READONLY_DBMOVED)
  }

  @Test func `a closed database is not writable`() async throws {
    let shop = try Shop()
    try shop.pool.close()
    let health = await shop.pool.health(checkingIntegrity: true, within: .seconds(30))
    #expect((health.writeError as? DatabaseError)?.isDatabaseClosed == true)
    #expect((health.integrityError as? DatabaseError)?.isDatabaseClosed == true)
    #expect(!health.isHealthy)
  }

  @Test func `damage is found on request`() async throws {
    let shop = try Shop()
    try await shop.pool.write { db in
      try db.execute(
        sql: """
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = replace(sql, 'price REAL', 'price REAL NOT NULL');
          PRAGMA writable_schema = OFF;
          """
      )
    }
    try shop.pool.close()
    let pool = try DatabasePool(path: shop.path, configuration: .patient)
    #expect(await pool.health(within: .seconds(30)).isHealthy)
    let health = await pool.health(checkingIntegrity: true, within: .seconds(30))
    #expect(health.isWritable)
    #expect(health.integrityViolations == ["NULL value in item.price"])
    #expect(!health.isHealthy)
  }
}
