import Dispatch
import Foundation
import Synchronization
import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

@Suite struct DatabaseReaderShutDownTests {
  @Test func `waiting writes are carried out, and new ones are refused`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let (holds, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let results = Recorder<String>()
    Thread.detachNewThread {
      try? pool.write { db in
        try db.execute(sql: "DELETE FROM item WHERE id = 1")
        holds.signal()
        mayEnd.wait()
        // A write may read through the pool until it has ended.
        results.append("\((try? pool.read { try Int.fetchOne($0, sql: "SELECT 7") }) ?? 0)")
      }
    }
    await waitWithoutBlocking(for: holds)
    pool.asyncWrite { db in
      try db.execute(sql: "DELETE FROM item WHERE id = 2")
    } completion: { _, result in
      results.append("\(result)")
    }
    // It must not end before the test has seen that it has begun.
    let end = Task { try await pool.shutDown(within: .seconds(300)) }
    // The shut-down has begun when new writes are refused.
    try await eventually { pool.core.writers?.refusal.message == "the database is shutting down" }
    mayEnd.signal()
    try await end.value
    #expect(try await results.nextValue() == "7")
    #expect(try await results.nextValue() == "success()")
    expectDatabaseError(.SQLITE_MISUSE, "the database is closed") { try pool.write { _ in } }
    let again = try DatabaseQueue(path: shop.path, configuration: .patient)
    #expect(try await again.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 0)
  }

  @Test func `nothing is left beside the file`() async throws {
    let shop = try Shop()
    _ = try await shop.pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") }
    #expect(FileStatus(path: shop.path + "-wal") != nil)
    try await shop.pool.shutDown()
    for suffix in ["-wal", "-shm"] { #expect(FileStatus(path: shop.path + suffix) == nil) }
  }

  @Test func `accesses are stopped when the time has passed`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let begins = Recorder<Void>()
    let read = Task {
      try await pool.read { db in
        begins.append(())
        return try Int.fetchOne(db, sql: EndlessQuery.sql)
      }
    }
    let write = Task {
      try await pool.write { db in
        try db.execute(sql: "DELETE FROM item")
        begins.append(())
        _ = try Int.fetchOne(db, sql: EndlessQuery.sql)
      }
    }
    for _ in 0..<2 { try await begins.nextValue() }
    let waiting = Task { try await pool.write { db in try db.execute(sql: "DELETE FROM item") } }
    let start = ContinuousClock.now
    let error = await #expect(throws: DatabaseError.self) {
      try await pool.shutDown(within: .milliseconds(400))
    }
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
    #expect(error?.message?.contains("wellspring.writer, wellspring.reader") == true)
    for failure in [await read.result.map { _ in }, await write.result] {
      expectDatabaseError(.SQLITE_MISUSE, "the database is shutting down") { try failure.get() }
    }
    await #expect(throws: DatabaseError.self) { try await waiting.value }
    let again = try DatabaseQueue(path: shop.path, configuration: .patient)
    #expect(try await again.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 2)
    #expect((FileStatus(path: shop.path + "-wal")?.size ?? 0) == 0)
  }

  @Test func `code that runs no SQL does not delay the shut-down`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let (holds, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let result = Recorder<String>()
    Thread.detachNewThread {
      do {
        try pool.write { db in
          try db.execute(sql: "DELETE FROM item")
          holds.signal()
          mayEnd.wait()
        }
        result.append("committed")
      } catch {
        result.append("\(error)")
      }
    }
    await waitWithoutBlocking(for: holds)
    let error = await #expect(throws: DatabaseError.self) {
      try await pool.shutDown(within: .milliseconds(200))
    }
    #expect(
      error?.message?.hasPrefix(
        "the time for the shut-down has passed: accesses were stopped"
      ) == true
    )
    mayEnd.signal()
    let text = try await result.nextValue()
    #expect(text.contains("the database is shutting down"), "\(text)")
    let again = try DatabaseQueue(path: shop.path, configuration: .patient)
    #expect(try await again.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 2)
  }

  @Test func `a second shut-down waits for the first one, within its own time`() async throws {
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
    let first = Task { try await pool.shutDown(within: .seconds(100)) }
    // The first shutdown has its turn when new writes are refused.
    try await eventually { pool.core.writers?.refusal.message == "the database is shutting down" }
    let error = await #expect(throws: DatabaseError.self) {
      try await pool.shutDown(within: .milliseconds(1))
    }
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
    #expect(error?.message == "another task is still shutting the database down")
    mayEnd.signal()
    try await first.value
  }

  @Test func `a backup is stopped with the error of the shut-down`() async throws {
    let shop = try Shop()
    try await shop.pool.write { db in
      try db.execute(sql: "CREATE TABLE large AS SELECT zeroblob(100000) AS bytes")
    }
    let (holds, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let result = Recorder<Void>()
    Thread.detachNewThread {
      do {
        let copy = try DatabaseQueue()
        try shop.pool.backup(to: copy, pagesPerStep: 1) { _ in
          holds.signal()
          mayEnd.wait()
        }
        result.append(())
      } catch {
        result.append(error: error)
      }
    }
    await waitWithoutBlocking(for: holds)
    await #expect(throws: DatabaseError.self) {
      try await shop.pool.shutDown(within: .milliseconds(200))
    }
    mayEnd.signal()
    let error = try await result.nextError()
    expectDatabaseError(.SQLITE_MISUSE, "the database is shutting down") { throw error }
  }

  @Test func `shutting down twice, or after closing, does nothing`() async throws {
    let shop = try Shop()
    async let first: Void = shop.pool.shutDown()
    async let second: Void = shop.pool.shutDown()
    _ = try await (first, second)
    try await shop.pool.shutDown()
    try shop.pool.close()
  }

  @Test func `a held statement is named`() async throws {
    let queue = try DatabaseQueue()
    let held = try queue.inDatabase { db in try db.makeStatement(sql: "SELECT 1") }
    let error = await #expect(throws: DatabaseError.self) { try await queue.shutDown() }
    #expect(error?.resultCode == .SQLITE_BUSY)
    #expect(error?.message?.contains(held.sql) == true)
  }

  @Test func `queues, watchers and snapshots shut down too`() async throws {
    let shop = try Shop()
    let snapshot = try shop.pool.makeSnapshot()
    var configuration = Configuration()
    configuration.readonly = true
    let watcher = try DatabasePool(path: shop.path, configuration: configuration)
    let queue = try DatabaseQueue()
    for reader in [snapshot, watcher, queue, shop.pool] as [any DatabaseReader] {
      try await reader.shutDown()
      expectDatabaseError(.SQLITE_MISUSE, "the database is closed") { try reader.read { _ in } }
    }
  }

  @Test func `under load nothing is lost, no loop is left, and the WAL is empty`() async throws {
    for round in 0..<Soak.size(2000, inSuite: 200) {
      try await shutDownUnderLoad(round)
    }
  }

  private func shutDownUnderLoad(_ round: Int) async throws {
    let directory = TemporaryDirectory()
    var configuration = Configuration()
    configuration.synchronous = .off
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    // In each other round, another pool of the process has the file open.
    let other = round.isMultiple(of: 2) ? try DatabasePool(path: directory.file()) : nil
    try await pool.write { db in try db.execute(sql: "CREATE TABLE entry (n INTEGER)") }
    let acknowledged = Lock(0)
    let unexpected = Lock<[String]>([])
    let isRunning = Recorder<Void>()
    let insert: @Sendable (Database) throws -> Void = {
      try $0.execute(sql: "INSERT INTO entry VALUES (1)")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<3 {
        group.addTask {
          do {
            while true {
              if task == 0 {
                _ = try await pool.read { try Int.fetchOne($0, sql: "SELECT sum(n) FROM entry") }
              } else {
                try await pool.write(insert)
                acknowledged.withLock { $0 += 1 }
                isRunning.append(())
              }
            }
          } catch let error as DatabaseError where error.isDatabaseClosed {
          } catch {
            unexpected.withLock { $0.append("\(error)") }
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          let counts = ValueObservation.tracking { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM entry") ?? 0
          }
          // The loop must end, or the test does not.
          for try await _ in counts.values(in: pool) {}
        }
      }
      for _ in 0...(round % 20) { try await isRunning.nextValue() }
      let start = ContinuousClock.now
      try await pool.shutDown(within: .seconds(20))
      #expect(ContinuousClock.now - start < .seconds(20))
      try await group.waitForAll()
    }
    #expect(unexpected.withLock { $0 } == [])
    #expect(pool.observationStatistics.live == 0)
    #expect((FileStatus(path: directory.file() + "-wal")?.size ?? 0) == 0)
    try other?.close()
    let again = try DatabaseQueue(path: directory.file())
    let count = try await again.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM entry") }
    #expect(count == acknowledged.withLock { $0 })
  }
}
