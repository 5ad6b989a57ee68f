import Dispatch
import Foundation
import Storage
import Testing
import WellspringSystem

@testable import StorageTestSupport

@Suite struct DatabasePoolTests {
  struct Undo: Error {}

  static let items = "SELECT * FROM item ORDER BY id"

  func items(_ pool: DatabasePool) throws -> [Item] {
    try pool.read { db in try Item.fetchAll(db, sql: Self.items) }
  }

  @Test func `CON-13, CON-14: sync and async reads return what sync and async writes wrote`()
    async throws
  {
    let shop = try Shop()
    func insert(_ sql: String) throws -> Int64 {
      try shop.pool.write { db in
        try db.execute(sql: sql)
        return db.lastInsertedRowID
      }
    }
    let row = try insert("INSERT INTO item VALUES (3, 'jug', 5)")
    let next = try await shop.pool.write { db in
      try db.execute(sql: "INSERT INTO item VALUES (4, 'can', 6)")
      return db.lastInsertedRowID
    }
    #expect([row, next] == [3, 4])
    let names = try await shop.pool.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM item ORDER BY id")
    }
    #expect(names == ["cup", "pot", "jug", "can"])
    #expect(try items(shop.pool).map(\.name) == names)
  }

  @Test func `CON-14, TXN-02: a write that throws is rolled back, and rethrows`() async throws {
    let shop = try Shop()
    #expect(throws: Undo.self) {
      try shop.pool.write { db in
        try db.execute(sql: "DELETE FROM item")
        throw Undo()
      }
    }
    await #expect(throws: Undo.self) {
      try await shop.pool.write { db in
        try db.execute(sql: "DROP TABLE item")
        throw Undo()
      }
    }
    #expect(try items(shop.pool) == [.cup, .pot])
  }

  @Test func `readers do not see uncommitted changes, and do not wait for the writer`() throws {
    let shop = try Shop()
    try shop.pool.write { db in
      try db.execute(sql: "DELETE FROM item WHERE id = 1")
      // This would hang if reads waited for writes.
      #expect(try items(shop.pool) == [.cup, .pot])
      try db.execute(sql: "CREATE TABLE other (x)")
      #expect(try items(shop.pool) == [.cup, .pot])
    }
    #expect(try items(shop.pool) == [.pot])
  }

  @Test func `TXN-07: a read sees one state from its first query to its end`() throws {
    let shop = try Shop()
    try shop.pool.read { db in
      #expect(try Item.fetchAll(db, sql: Self.items) == [.cup, .pot])
      try shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
      #expect(try Item.fetchAll(db, sql: Self.items) == [.cup, .pot])
    }
    #expect(try items(shop.pool) == [])
  }

  @Test func `as many reads run at the same time as maximumReaderCount allows`() async throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 3
    let shop = try Shop(configuration)
    let pool = shop.pool
    // Each read waits for two other reads: the test ends only if three run at the same time.
    let inside = Lock((now: 0, most: 0))
    let barrier = Barrier(3)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<12 {
        group.addTask {
          try await pool.read { db throws in
            inside.withLock {
              $0.now += 1
              $0.most = max($0.most, $0.now)
            }
            barrier.wait()
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 2)
            inside.withLock { $0.now -= 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(inside.withLock { $0.most } == 3)
  }

  @Test(
    arguments: [
      "DELETE FROM item", "INSERT INTO item VALUES (9, 'x', 1)", "UPDATE item SET price = 0",
      "CREATE TABLE other (x)", "DROP TABLE item", "PRAGMA user_version = 3", "VACUUM",
      "CREATE TEMP TABLE other (x)", "DELETE FROM item RETURNING id",
    ]
  )
  func `a read refuses statements that write`(sql: String) throws {
    let shop = try Shop()
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: Item.schema) }
    let message = "attempt to write through a read-only access: use write instead of read"
    for reader in [shop.pool, queue] as [any DatabaseReader] {
      let error = expectDatabaseError(.SQLITE_READONLY, message) {
        try reader.read { db in try db.execute(sql: sql) }
      }
      #expect(error?.sql == sql)
      expectDatabaseError(.SQLITE_READONLY, message) {
        _ = try reader.read { db in try Row.fetchAll(db, sql: sql) }
      }
    }
    #expect(try items(shop.pool) == [.cup, .pot])
    try queue.write { db in try Item.cup.insert(db) }
  }

  @Test func `a full disk throws an error, and no commit is lost`() throws {
    let shop = try Shop()
    let picture = String(repeating: "x", count: 100_000)
    for _ in 0..<2 {
      let error = expectDatabaseError(.SQLITE_FULL, "database or disk is full") {
        try shop.pool.write { db in
          try db.execute(sql: "PRAGMA max_page_count = 4")
          try db.execute(sql: "UPDATE item SET price = 0")
          try db.execute(sql: "INSERT INTO item VALUES (3, ?, 0)", arguments: [picture])
        }
      }
      #expect(error?.underlyingError == nil)
      #expect(try items(shop.pool) == [.cup, .pot])
    }
    try shop.pool.write { db in
      try db.execute(sql: "PRAGMA max_page_count = 1000")
      try Item(id: 3, name: picture, price: nil).insert(db)
    }
    #expect(try items(shop.pool).count == 3)
    #expect(try SQLiteShell.run(shop.path, "PRAGMA integrity_check") == "ok")
  }

  @Test func `TXN-04: writes of many tasks run one at a time, and none is lost`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          try await pool.write { db in
            let price = try Double.fetchOne(db, sql: "SELECT price FROM item WHERE id = 1") ?? 0
            try db.execute(sql: "UPDATE item SET price = ? WHERE id = 1", arguments: [price + 1])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try items(pool)[0].price == 104)
  }

  @Test func `pools on one file see each other's commits`() throws {
    let shop = try Shop()
    let other = try DatabasePool(path: shop.path, configuration: .patient)
    try other.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    #expect(try items(shop.pool) == [.pot])
    try shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    #expect(try items(other) == [])
  }
}

/// A barrier that lets threads pass in groups.
private final class Barrier: Sendable {
  private let size: Int
  private let state: Lock<[DispatchSemaphore]> = Lock([])

  init(_ size: Int) { self.size = size }

  func wait() {
    let semaphore = DispatchSemaphore(value: 0)
    let group = state.withLock { waiting -> [DispatchSemaphore] in
      waiting.append(semaphore)
      guard waiting.count == size else { return [] }
      defer { waiting.removeAll() }
      return waiting
    }
    for member in group { member.signal() }
    semaphore.wait()
  }
}
