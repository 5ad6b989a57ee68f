import Dispatch
import Foundation
import Synchronization
import Testing
import TestSupport

@testable import Storage
@testable import StorageTestSupport

/// When queries run, and which subscribers get their values.
@Suite struct ObservationBrokerTests {
  /// Holds runs of a query until a test lets one of them or all of them pass.
  private final class Gate: Sendable {
    private let runs = DispatchSemaphore(value: 0)
    private let begun = Recorder<Void>()
    private let isOpen = Atomic(false)
    let count = Atomic(0)

    /// Called by the query.
    func pass() {
      count.add(1, ordering: .relaxed)
      begun.append(())
      if isOpen.load(ordering: .acquiring) { return }
      // The time limit only ends a test that has failed.
      _ = runs.wait(timeout: .now() + Patience.seconds)
    }

    /// Waits until a run has come to the gate.
    func waitForRun() async throws { try await begun.nextValue() }

    func letOnePass() { runs.signal() }

    func open() {
      isOpen.store(true, ordering: .releasing)
      for _ in 0..<100 { runs.signal() }
    }
  }

  private struct GatedRequest: ObservationRequest {
    let gate: Gate
    let sql: String

    func fetch(_ db: Database) throws -> Int {
      let value = try Int.fetchOne(db, sql: sql) ?? 0
      gate.pass()
      return value
    }

    static func == (left: GatedRequest, right: GatedRequest) -> Bool { left.gate === right.gate }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(gate)) }
  }

  private func touch(_ pool: DatabasePool) async throws {
    try await pool.write { db in try db.execute(sql: "UPDATE item SET price = price + 1") }
  }

  @Test func `P3: a new subscriber does not wait until no commit touches the query`() async throws {
    let shop = try Shop()
    let gate = Gate()
    // The result is the same each time, so that no run delivers anything to the first subscriber.
    let request = GatedRequest(gate: gate, sql: "SELECT count(price) FROM item")
    let observation = ValueObservation.tracking(request)
    let (first, firstCancellable) = observation.record(in: shop.pool)
    try await gate.waitForRun()
    gate.letOnePass()
    _ = try await first.nextValue()
    try await touch(shop.pool)
    try await gate.waitForRun()
    let (second, secondCancellable) = observation.record(in: shop.pool)
    try await touch(shop.pool)
    gate.letOnePass()
    // By now another run has begun, which does not end.
    try await gate.waitForRun()
    #expect(try await second.nextValue() == 1)
    gate.open()
    for cancellable in [firstCancellable, secondCancellable] { cancellable.cancel() }
  }

  @Test func `P3: a new subscriber gets no value that was outdated before it came`() async throws {
    let shop = try Shop()
    let gate = Gate()
    let request = GatedRequest(gate: gate, sql: "SELECT price FROM item WHERE id = 1")
    let observation = ValueObservation.tracking(request)
    let (first, firstCancellable) = observation.record(in: shop.pool)
    try await gate.waitForRun()
    gate.letOnePass()
    #expect(try await first.nextValue() == 4)
    try await touch(shop.pool)
    try await gate.waitForRun()
    try await touch(shop.pool)
    let (second, secondCancellable) = observation.record(in: shop.pool)
    gate.letOnePass()
    #expect(try await first.nextValue() == 5)
    gate.open()
    #expect(try await second.nextValue() == 6)
    #expect(try await first.nextValue() == 6)
    for cancellable in [firstCancellable, secondCancellable] { cancellable.cancel() }
  }

  @Test func `P4: commits during a slow run that do not touch the query cause no other run`()
    async throws
  {
    let shop = try Shop()
    try await shop.pool.write { db in try db.execute(sql: "CREATE TABLE other (x)") }
    let gate = Gate()
    let request = GatedRequest(gate: gate, sql: "SELECT price FROM item WHERE id = 1")
    let (recorder, cancellable) = ValueObservation.tracking(request).record(in: shop.pool)
    try await gate.waitForRun()
    gate.letOnePass()
    #expect(try await recorder.nextValue() == 4)
    try await touch(shop.pool)
    try await gate.waitForRun()
    for _ in 0..<300 {
      try await shop.pool.write { db in try db.execute(sql: "INSERT INTO other VALUES (1)") }
    }
    gate.open()
    #expect(try await recorder.nextValue() == 5)
    try await shop.pool.quiesce()
    #expect(gate.count.load(ordering: .relaxed) == 2)
    cancellable.cancel()
  }

  @Test func `slow first runs leave a reader for other observations`() async throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = 3
    let shop = try Shop(configuration)
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    let gate = Gate()
    let slow = (0..<10).map { number in
      ValueObservation.tracking { db in
        gate.pass()
        return try Int.fetchOne(db, sql: "SELECT price + \(number) FROM item") ?? 0
      }.record(in: shop.pool)
    }
    for _ in 0..<2 { try await gate.waitForRun() }
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 2") }
    #expect(try await recorder.nextValue() == [.cup])
    #expect(gate.count.load(ordering: .relaxed) == 2)
    // Queries that were cancelled while they waited are not run, and hold up no other query.
    for (_, cancellable) in slow.dropFirst(2).dropLast() { cancellable.cancel() }
    gate.open()
    #expect(try await slow.last?.recorder.nextValue() == 13)
    try await shop.pool.quiesce()
    // The first two began before the commit.
    #expect(gate.count.load(ordering: .relaxed) == 5)
    for (_, cancellable) in slow { cancellable.cancel() }
    cancellable.cancel()
  }

  @Test func `P3: an observation that starts during a write fetches once`() async throws {
    let shop = try Shop()
    let isWriting = Recorder<Void>()
    let mayEnd = DispatchSemaphore(value: 0)
    let count = Atomic(0)
    DispatchQueue.global().async {
      try? shop.pool.write { db in
        try db.execute(sql: "UPDATE item SET price = 9")
        isWriting.append(())
        mayEnd.wait()
        throw CancellationError()
      }
    }
    try await isWriting.nextValue()
    let (recorder, cancellable) = ValueObservation.tracking { db in
      count.add(1, ordering: .relaxed)
      return try Double.fetchOne(db, sql: "SELECT price FROM item")
    }.record(in: shop.pool)
    #expect(try await recorder.nextValue() == 4)
    mayEnd.signal()
    try await shop.pool.quiesce()
    // The next write checks for foreign commits first.
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET name = name") }
    try await shop.pool.quiesce()
    #expect(count.load(ordering: .relaxed) == 1)
    cancellable.cancel()
  }

  private final class Sensor: Sendable {
    let isOff = Atomic(false)
  }

  // SQLite ends the read transaction of a query that fails with one of these errors.
  @Test(arguments: [ResultCode.SQLITE_IOERR, .SQLITE_FULL, .SQLITE_NOMEM])
  func `P8: a query that loses the snapshot by its error leaves the other queries alone`(
    code: ResultCode
  )
    async throws
  {
    let sensor = Sensor()
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      let function = DatabaseFunction("sensor", argumentCount: 0) { _ in
        guard sensor.isOff.load(ordering: .relaxed) else { return 0 }
        throw DatabaseError(resultCode: code, message: "the sensor is off")
      }
      db.add(function: function)
    }
    let shop = try Shop(configuration)
    func observe(_ sql: String) -> (Recorder<Int>, AnyDatabaseCancellable) {
      ValueObservation.tracking { db in try Int.fetchOne(db, sql: sql) ?? -1 }
        .record(in: shop.pool)
    }
    // One query runs before the failing one, and one after it.
    let (first, one) = observe("SELECT count(*) FROM item")
    #expect(try await first.nextValue() == 2)
    let (failing, two) = observe("SELECT count(*) + sensor() FROM item")
    #expect(try await failing.nextValue() == 2)
    let (last, three) = observe("SELECT sum(id) FROM item")
    #expect(try await last.nextValue() == 3)
    sensor.isOff.store(true, ordering: .relaxed)
    try await shop.pool.write { db in try Item(id: 3, name: "jug").insert(db) }
    #expect(try await first.nextValue() == 3)
    #expect(try await last.nextValue() == 6)
    let error = try await failing.nextError() as? DatabaseError
    #expect(error?.resultCode == code)
    #expect(error?.message == "the sensor is off")
    sensor.isOff.store(false, ordering: .relaxed)
    #expect(try await failing.nextValue() == 3)
    for cancellable in [one, two, three] { cancellable.cancel() }
  }

  @Test func `P8: a query in memory recovers from an error outside SQLite`() async throws {
    let queue = try DatabaseQueue()
    let mayFail = Atomic(true)
    let (recorder, cancellable) = ValueObservation.tracking { db in
      if mayFail.exchange(false, ordering: .relaxed) { throw CancellationError() }
      return try Int.fetchOne(db, sql: "SELECT 1")
    }.record(in: queue)
    #expect(try await recorder.nextError() is CancellationError)
    #expect(try await recorder.nextValue() == 1)
    cancellable.cancel()
  }

  @Test func `P8: a query in memory recovers from an error between two values`()
    async throws
  {
    let queue = try DatabaseQueue()
    try await queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let sensor = Sensor()
    sensor.isOff.store(true, ordering: .relaxed)
    let (recorder, cancellable) = ValueObservation.tracking { db in
      if sensor.isOff.load(ordering: .relaxed) { throw CancellationError() }
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
    }.record(in: queue)
    _ = try await recorder.nextError()
    // One commit lets the query succeed and another commit lets it fail, before any retry is due.
    sensor.isOff.store(false, ordering: .relaxed)
    try await queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
    #expect(try await recorder.nextValue() == 1)
    sensor.isOff.store(true, ordering: .relaxed)
    try await queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    _ = try await recorder.nextError()
    sensor.isOff.store(false, ordering: .relaxed)
    #expect(try await recorder.nextValue() == 2)
    cancellable.cancel()
  }

  // MARK: New subscribers

  /// Remembers whether it got an event.
  private final class Subscriber: ObservationSubscriber {
    let hasEvent = Atomic(false)

    func receive(_ moment: AnyObservedMoment) -> (any PendingCall)? {
      hasEvent.store(true, ordering: .relaxed)
      return nil
    }

    func flush(_ completion: @escaping @Sendable () -> Void) { completion() }
  }

  @Test func `P3: new subscribers that two threads deliver to all get the value`() throws {
    let queue = try DatabaseQueue()
    let fetcher = TypedQueryFetcher<Int>(dropsEqualValues: false) { _, _ in 1 }
    let query = ObservedQuery(id: QueryID(0), fetcher: fetcher)
    try queue.read { db in _ = query.accept(query.fetch(db, in: .none, isExact: true)) }
    for _ in 0..<Soak.size(1_000_000, inSuite: 10_000) {
      let (early, late) = (Subscriber(), Subscriber())
      query.add(early, since: CommitNumber(5))
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          query.deliverToNewSubscribers(upTo: CommitNumber(5))
        } else {
          query.add(late, since: CommitNumber(6))
          query.deliverToNewSubscribers(upTo: CommitNumber(6))
        }
      }
      #expect(early.hasEvent.load(ordering: .relaxed) && late.hasEvent.load(ordering: .relaxed))
      _ = query.release(early)
      _ = query.release(late)
    }
  }

  // Batches are short. Under commits that never cease, no batch takes all of these queries.
  @Test(.patient)
  func `P3: each of many queries is run in its turn`() async throws {
    let shop = try Shop()
    let isDone = Atomic(false)
    let observations = (0..<40).map { _ in
      ValueObservation.tracking { db in
        let price = try Double.fetchOne(db, sql: "SELECT max(price) FROM item") ?? 0
        Thread.sleep(forTimeInterval: 0.004)
        return price
      }.record(in: shop.pool)
    }
    for (recorder, _) in observations { _ = try await recorder.nextValue() }
    let writer = Task {
      while !isDone.load(ordering: .acquiring) { try await touch(shop.pool) }
    }
    defer { isDone.store(true, ordering: .releasing) }
    for _ in 0..<3 {
      for (recorder, _) in observations { _ = try await recorder.nextValue() }
    }
    isDone.store(true, ordering: .releasing)
    try await writer.value
    for (_, cancellable) in observations { cancellable.cancel() }
  }
}
