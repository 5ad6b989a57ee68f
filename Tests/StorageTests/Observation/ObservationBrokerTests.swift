import Dispatch
@testable import Storage
import Synchronization
import Testing

/// Who runs a query when, and who is told.
@Suite struct ObservationBrokerTests {
  /// Lets runs of a query go on, one at a time, or all.
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
      _ = runs.wait(timeout: .now() + 60)
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

  @Test func `P3: a newcomer does not wait until no commit touches the query`() async throws {
    let shop = try Shop()
    let gate = Gate()
    // The result is the same each time, so that no run has news for those who are there.
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
    // Another run is due by now, and does not end.
    try await gate.waitForRun()
    #expect(try await second.nextValue() == 1)
    gate.open()
    for cancellable in [firstCancellable, secondCancellable] { cancellable.cancel() }
  }

  @Test func `P3: a newcomer is not told what was true before it came`() async throws {
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

  @Test func `P4: many commits during a slow run do not make it run again`() async throws {
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

  @Test func `slow first runs leave a reader to other observations`() async throws {
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
    // Those that were cancelled while they waited are not run, and hold up nobody.
    for (_, cancellable) in slow.dropFirst(2).dropLast() { cancellable.cancel() }
    gate.open()
    #expect(try await slow.last?.recorder.nextValue() == 13)
    try await shop.pool.quiesce()
    // The first two began before the commit.
    #expect(gate.count.load(ordering: .relaxed) == 5)
    for (_, cancellable) in slow { cancellable.cancel() }
    cancellable.cancel()
  }

  @Test func `P3: an observation that starts beside a running write fetches once`() async throws {
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
    // The next write looks for commits of others first.
    try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET name = name") }
    try await shop.pool.quiesce()
    #expect(count.load(ordering: .relaxed) == 1)
    cancellable.cancel()
  }

  @Test func `P8: queries that fail are tried again less and less often`() {
    var now = DispatchTime.now().uptimeNanoseconds
    var retry: ObservationBroker.Retry?
    var delays: [UInt64] = []
    for _ in 0..<9 {
      now = DispatchTime.now().uptimeNanoseconds
      retry = ObservationBroker.Retry(after: retry)
      delays.append((retry!.time - now) / 1_000_000_000)
    }
    #expect(delays == [1, 2, 4, 8, 16, 32, 64, 64, 64])
  }

  @Test func `P8: a query in memory recovers from an error of something else`() async throws {
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
}
