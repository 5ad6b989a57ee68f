import Foundation
import Storage
import Synchronization
import Testing

@testable import StorageTestSupport

@Suite struct ConnectionQueueInterruptTests {
  @Test(arguments: [false, true])
  func `A-012: an interrupt stops running statements, and no later ones`(writes: Bool) async throws
  {
    let shop = try Shop()
    let pool = shop.pool
    let began = Recorder<Void>()
    let access = Task {
      if writes {
        _ = try await pool.write { db in
          try db.execute(sql: "DELETE FROM item")
          began.append(())
          return try Int.fetchOne(db, sql: EndlessQuery.sql)
        }
      } else {
        _ = try await pool.read { db in
          began.append(())
          return try Int.fetchOne(db, sql: EndlessQuery.sql)
        }
      }
    }
    try await began.nextValue()
    let isOver = Recorder<ResultCode?>()
    Task {
      do {
        try await access.value
        isOver.append(nil)
      } catch {
        isOver.append((error as? DatabaseError)?.resultCode)
      }
    }
    // An interrupt before the statement begins does nothing, so interrupt repeatedly.
    async let code = isOver.nextValue()
    let interrupts = Task {
      while !Task.isCancelled {
        pool.interrupt()
        await Task.yield()
      }
    }
    #expect(try await code == .SQLITE_INTERRUPT)
    interrupts.cancel()
    await interrupts.value
    #expect(
      try await pool.write { db in try Item.fetchAll(db, sql: "SELECT * FROM item") } == [
        .cup, .pot,
      ]
    )
  }

  @Test func `an interrupt of the rollback leaves no transaction open`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let isOver = Atomic(false)
    let interrupts = Thread { while !isOver.load(ordering: .relaxed) { pool.interrupt() } }
    interrupts.start()
    defer { isOver.store(true, ordering: .relaxed) }
    for _ in 0..<500 {
      let wasInside = try? await pool.writeWithoutTransaction { db in
        let wasInside = db.isInsideTransaction
        try? db.inTransaction {
          try db.execute(sql: "DELETE FROM item")
          throw CancellationError()
        }
        return wasInside
      }
      try #require(wasInside != true)
    }
    isOver.store(true, ordering: .relaxed)
    let count = try await pool.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
    }
    #expect(count == 2)
  }
}
