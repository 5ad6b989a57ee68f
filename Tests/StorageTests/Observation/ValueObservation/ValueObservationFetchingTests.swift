import Dispatch
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite(.patient) struct ValueObservationFetchingTests {
  private struct Count: ObservationRequest {
    func fetch(_ db: Database) throws -> Int {
      try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
    }
  }

  @Test func `a value can be fetched once`() async throws {
    let shop = try Shop()
    let count = try await ValueObservation.tracking(Count()).map { $0 + 100 }.fetch(in: shop.pool)
    #expect(count == 102)
    #expect(shop.pool.observationStatistics.runs == 1)
    #expect(shop.pool.observationStatistics.live == 0)
  }

  @Test func `fetching runs the query of the observations of an equal request`() async throws {
    let shop = try Shop()
    let observation = ValueObservation.tracking(Count())
    let (recorder, cancellable) = observation.record(in: shop.pool)
    #expect(try await recorder.nextValue() == 2)
    #expect(try await observation.fetch(in: shop.pool) == 2)
    #expect(shop.pool.observationStatistics.runs == 2)
    #expect(shop.pool.observationStatistics.live == 1)
    // The equal value was not delivered: the next value is the value of the commit.
    try await shop.pool.write { db in try Item(id: 3, name: "jug").insert(db) }
    #expect(try await recorder.nextValue() == 3)
    cancellable.cancel()
  }

  @Test func `fetching throws the error of the query`() async throws {
    let shop = try Shop()
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM nothing")
    }
    await #expect(throws: DatabaseError.self) { try await observation.fetch(in: shop.pool) }
    try shop.pool.close()
    await #expect(throws: DatabaseError.self) {
      try await ValueObservation.tracking(Count()).fetch(in: shop.pool)
    }
  }

  @Test func `a cancelled task fetches nothing`() async throws {
    let shop = try Shop()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await ValueObservation.tracking(Count()).fetch(in: shop.pool)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    try await shop.pool.quiesce()
    #expect(shop.pool.observationStatistics.live == 0)
  }

  @Test func `fetching does not wait for slow callbacks of equal observations`() async throws {
    struct Prices: ObservationRequest {
      func fetch(_ db: Database) throws -> [Double?] {
        try Double?.fetchAll(db, sql: "SELECT price FROM item ORDER BY id")
      }
    }
    let shop = try Shop()
    let queue = DispatchQueue(label: "stopped")
    let (recorder, cancellable) = ValueObservation.tracking(Prices())
      .record(in: shop.pool, scheduling: .async(onQueue: queue))
    _ = try await recorder.nextValue()
    queue.suspend()
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = 7") }
    #expect(try await ValueObservation.tracking(Prices()).fetch(in: shop.pool) == [7, 7])
    queue.resume()
    #expect(try await recorder.nextValue() == [7, 7])
    cancellable.cancel()
  }

  @Test func `fetching while an equal observation starts gives the value`() async throws {
    let shop = try Shop()
    let observation = ValueObservation.tracking(Count())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<Soak.size(20_000, inSuite: 300) {
            let count = try await observation.fetch(in: shop.pool)
            #expect(count == 2)
          }
        }
        group.addTask {
          for _ in 0..<Soak.size(20_000, inSuite: 300) {
            let (recorder, cancellable) = observation.record(in: shop.pool)
            let first = try await recorder.nextValue()
            #expect(first == 2)
            cancellable.cancel()
          }
        }
      }
      try await group.waitForAll()
    }
  }

  // SQLite compiles a query with the schema that the connection remembers, and finds out that it is
  // an old one when the query runs.
  @Test(arguments: [false, true])
  func `P1: an error caused by an outdated schema ends with the schema change`(isForeign: Bool)
    async throws
  {
    let shop = try Shop()
    try await shop.pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE a (x); INSERT INTO a VALUES (7);
          CREATE TABLE b (x, y); INSERT INTO b VALUES (8, 9)
          """
      )
    }
    let (recorder, cancellable) = ValueObservation.tracking { db in
      try Int.fetchAll(db, sql: "SELECT * FROM a UNION ALL SELECT * FROM b")
    }.record(in: shop.pool)
    let error = try await recorder.nextError() as? DatabaseError
    #expect(error?.message?.contains("same number of result columns") == true)
    let sql = "ALTER TABLE b DROP COLUMN y"
    if isForeign {
      try SQLiteShell.run(shop.path, sql)
    } else {
      try await shop.pool.write { db in try db.execute(sql: sql) }
    }
    #expect(try await recorder.nextValue() == [7, 8])
    cancellable.cancel()
  }

  // A read that is not part of the observation may be the first read of its connection with the new
  // schema.
  @Test func `an error that an old schema explains does not persist after a concurrent read`()
    async throws
  {
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    let shop = try Shop(configuration)
    let sql = "SELECT * FROM a UNION ALL SELECT * FROM b"
    try await shop.pool.write { db in
      try db.execute(sql: "CREATE TABLE a (x); CREATE TABLE b (x, y); INSERT INTO b VALUES (8, 9)")
    }
    await #expect(throws: DatabaseError.self) {
      try await shop.pool.read { db in try Int.fetchAll(db, sql: sql) }
    }
    try SQLiteShell.run(shop.path, "ALTER TABLE b DROP COLUMN y")
    let nothing = try await shop.pool.writeWithoutTransaction { db in
      shop.pool.concurrentRead { _ in }
    }
    try nothing.wait()
    let values = try await ValueObservation.tracking { db in
      try Int.fetchAll(db, sql: sql)
    }.fetch(in: shop.pool)
    #expect(values == [8])
  }
}
