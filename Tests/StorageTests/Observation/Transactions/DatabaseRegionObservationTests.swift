import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import StorageTestSupport

@Suite struct DatabaseRegionObservationTests {
  /// Collects the calls on the threads of writes.
  private final class Log: Sendable {
    private let lines = Lock<[String]>([])
    func append(_ line: String) { lines.withLock { $0.append(line) } }
    func take() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  @Test func `A-099: each commit that touches the region is delivered on the thread of the write`()
    throws
  {
    let shop = try Shop()
    try shop.pool.write { db in try db.execute(sql: "CREATE TABLE note (text)") }
    let log = Log()
    let cancellable = DatabaseRegionObservation(
      tracking: DatabaseRegion(table: "item", columns: ["price"])
    ).start(in: shop.pool) { error in
      log.append("\(error)")
    } onChange: { db in
      log.append(
        (try? Double.fetchOne(db, sql: "SELECT price FROM item WHERE id = 1"))?
          .description ?? "-"
      )
    }
    for price in 1...3 {
      try shop.pool.write { db in
        try db.execute(sql: "UPDATE item SET price = ? WHERE id = 1", arguments: [price])
      }
    }
    #expect(log.take() == ["1.0", "2.0", "3.0"])
    try shop.pool.write { db in
      try db.execute(sql: "UPDATE item SET name = 'x'")
      try db.execute(sql: "INSERT INTO note VALUES ('x')")
    }
    try shop.pool.write { db in
      try db.inSavepoint {
        try db.execute(sql: "UPDATE item SET price = 77")
        return .rollback
      }
    }
    #expect(log.take() == [])
    try shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    #expect(log.take() == ["-"])
    cancellable.cancel()
    try shop.pool.write { db in try Item.cup.insert(db) }
    #expect(log.take() == [])
  }

  @Test func `a commit of a pool without observers is no foreign commit`() throws {
    let shop = try Shop()
    let second = try DatabasePool(path: shop.path, configuration: .patient)
    try shop.pool.write { db in try db.execute(sql: "CREATE TABLE note (text)") }
    let log = Log()
    let cancellable = DatabaseRegionObservation(tracking: DatabaseRegion(table: "item"))
      .start(in: shop.pool) { error in
        log.append("\(error)")
      } onChange: { _ in
        log.append("touched")
      }
    try shop.pool.write { db in try db.execute(sql: "INSERT INTO note VALUES ('x')") }
    _ = log.take()
    for pool in [second, shop.pool, second, shop.pool] {
      try pool.writeWithoutTransaction { db in
        try db.execute(sql: "INSERT INTO note VALUES ('y')")
      }
    }
    #expect(log.take() == [])
    try shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    #expect(log.take() == ["touched"])
    cancellable.cancel()
  }

  @Test func `the sequence yields every commit in order, with the region it changed`() async throws
  {
    let shop = try Shop()
    let changes = DatabaseRegionObservation(
      tracking: DatabaseRegion(table: "item", rowIDs: [1, 2])
    ).changes(in: shop.pool)
    for id in [1, 3, 2, 1] {
      try await shop.pool.write { db in
        try db.execute(sql: "REPLACE INTO item VALUES (?, 'x', 1)", arguments: [id])
      }
    }
    var regions: [String] = []
    var numbers: [UInt64] = []
    for await change in changes {
      regions.append(change.region.description)
      numbers.append(change.number)
      if regions.count == 3 { break }
    }
    #expect(regions == ["item(*)[1]", "item(*)[2]", "item(*)[1]"])
    #expect(numbers == numbers.sorted())
  }

  @Test func `P8: a region that does not exist yet is an error, and is observed later`()
    async throws
  {
    struct Missing: DatabaseRegionConvertible {
      func databaseRegion(_ db: Database) throws -> DatabaseRegion {
        try db.makeStatement(sql: "SELECT * FROM later").databaseRegion()
      }
    }
    let shop = try Shop()
    let pool = shop.pool
    let log = Log()
    let errors = Recorder<String>()
    let cancellable = DatabaseRegionObservation(tracking: Missing()).start(in: pool) { error in
      // P10: the error is not delivered inside an access.
      let count = try? pool.write { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") }
      errors.append("\((error as? DatabaseError)?.message ?? "") \(count ?? -1)")
    } onChange: { _ in
      log.append("change")
    }
    try await pool.write { db in try db.execute(sql: "DELETE FROM item") }
    try await pool.write { db in try Item.cup.insert(db) }
    #expect(try await errors.nextValue().hasPrefix("no such table: later"))
    #expect(log.take() == [])
    try await pool.write { db in try db.execute(sql: "CREATE TABLE later (x)") }
    _ = log.take()
    try await pool.write { db in try Item.pot.insert(db) }
    #expect(log.take() == [])
    try await pool.write { db in try db.execute(sql: "INSERT INTO later VALUES (1)") }
    #expect(log.take() == ["change"])
    cancellable.cancel()
  }

  @Test func `P10: the callback can write, read, start and cancel`() throws {
    let shop = try Shop()
    let pool = shop.pool
    let log = Log()
    nonisolated(unsafe) var cancellable: AnyDatabaseCancellable?
    cancellable = DatabaseRegionObservation(tracking: DatabaseRegion(table: "item"))
      .start(in: pool) {
        log.append("\($0)")
      } onChange: { db in
        do {
          let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
          log.append("\(count)")
          if count < 5 {
            try Item(id: Int64(count + 1), name: "new", price: nil).insert(db)
          } else {
            cancellable?.cancel()
          }
          _ = try pool.read { db in try Int.fetchOne(db, sql: "SELECT 1") }
          DatabaseRegionObservation(tracking: .fullDatabase)
            .start(in: pool, onError: { _ in }, onChange: { _ in }).cancel()
        } catch {
          log.append("\(error)")
        }
      }
    try pool.write { db in try Item(id: 3, name: "new", price: nil).insert(db) }
    #expect(log.take() == ["3", "4", "5"])
    try pool.write { db in try db.execute(sql: "DELETE FROM item") }
    #expect(log.take() == [])
  }

  @Test func `P9: an observation that was cancelled is released immediately`() throws {
    final class Token: Sendable {}
    let shop = try Shop()
    for isKnown in [false, true] {
      weak var token: Token?
      do {
        let strong = Token()
        token = strong
        let cancellable = DatabaseRegionObservation(tracking: .fullDatabase)
          .start(in: shop.pool, onError: { _ in }) { _ in withExtendedLifetime(strong) {} }
        if isKnown { try shop.pool.write { db in try db.execute(sql: "DELETE FROM item") } }
        cancellable.cancel()
      }
      #expect(token == nil)
    }
  }

  @Test func `closing the database calls onError, and ends the sequence`() async throws {
    let shop = try Shop()
    let log = Log()
    let observation = DatabaseRegionObservation(tracking: .fullDatabase)
    let early = observation.start(in: shop.pool) {
      log.append("\($0)")
    } onChange: { _ in
    }
    let changes = observation.changes(in: shop.pool)
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    try shop.pool.close()
    let late = observation.start(in: shop.pool) {
      log.append("\($0)")
    } onChange: { _ in
    }
    let closed = "\(DatabaseError.databaseIsClosed)"
    #expect(log.take() == [closed, closed])
    var count = 0
    for await _ in changes { count += 1 }
    #expect(count == 1)
    early.cancel()
    late.cancel()
  }

  @Test func `replacing the whole content is a change of the region`() throws {
    let shop = try Shop()
    let source = try Shop()
    try source.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 2") }
    let log = Log()
    let cancellable = DatabaseRegionObservation(tracking: DatabaseRegion(table: "item"))
      .start(in: shop.pool) {
        log.append("\($0)")
      } onChange: { db in
        let count = try? Int.fetchOne(db, sql: "SELECT count(*) FROM item")
        log.append("\(count ?? -1)")
      }
    try source.pool.backup(to: shop.pool)
    #expect(log.take() == ["1"])
    cancellable.cancel()
  }

  @Test(arguments: ["", "CREATE TABLE other (x)", "CREATE TEMP TABLE other (x)"])
  func `each commit of one access is delivered, whatever came before it`(sql: String) throws {
    let directory = TemporaryDirectory()
    let queue = try DatabaseQueue(path: directory.file())
    try queue.write { db in try db.execute(sql: Item.schema) }
    let shop = try Shop()
    for database in [queue as any DatabaseWriter, shop.pool] {
      let log = Log()
      let cancellable = DatabaseRegionObservation(tracking: DatabaseRegion(table: "item"))
        .start(in: database) { error in
          log.append("\(error)")
        } onChange: { db in
          log.append((try? Int.fetchOne(db, sql: "SELECT max(id) FROM item"))?.description ?? "-")
        }
      try database.writeWithoutTransaction { db in
        try db.execute(sql: sql)
        _ = log.take()
        for id in 11...13 {
          try db.execute(sql: "INSERT INTO item VALUES (?, 'x', 1)", arguments: [id])
        }
      }
      #expect(log.take() == ["11", "12", "13"])
      cancellable.cancel()
    }
  }

  @Test func `commits to a table that was made in the same access are delivered`() throws {
    let queue = try DatabaseQueue()
    let log = Log()
    let cancellable = DatabaseRegionObservation(tracking: DatabaseRegion(table: "item"))
      .start(in: queue) { _ in
      } onChange: { _ in
        log.append("change")
      }
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: Item.schema)
      _ = log.take()
      for _ in 1...3 { try db.execute(sql: "INSERT INTO item (name) VALUES ('x')") }
    }
    #expect(log.take().count == 3)
    cancellable.cancel()
  }
}
