import Dispatch
import Storage
import Synchronization
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseReaderQuiescenceTests {
  @Test func `quiesce returns after the callbacks of all commits so far`() async throws {
    let shop = try Shop()
    let latest = Atomic<Int>(-1)
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT max(id) FROM item") ?? 0
    }.start(in: shop.pool, onError: { Issue.record($0) }) { value in
      latest.store(value, ordering: .sequentiallyConsistent)
    }
    for id in 3..<200 {
      try await shop.pool.write { db in
        try Item(id: Int64(id), name: "jug", price: nil).insert(db)
      }
      try await shop.pool.quiesce()
      #expect(latest.load(ordering: .sequentiallyConsistent) == id)
    }
    cancellable.cancel()
  }

  // A subscriber that comes while the query runs gets its value then, though it is equal to the
  // last value.
  @Test func `quiesce returns when new subscribers have got the value`() async throws {
    let shop = try Shop()
    let request = ProbeOfItems()
    let observation = ValueObservation.tracking(request)
    let first = observation.start(in: shop.pool, onError: { Issue.record($0) }) { _ in }
    for price in 0..<300 {
      // A change that the query reads, but that does not change its result.
      try await shop.pool.write { db in
        try db.execute(sql: "UPDATE item SET price = ?", arguments: [price])
      }
      let calls = Atomic<Int>(0)
      let second = observation.start(in: shop.pool, onError: { Issue.record($0) }) { _ in
        calls.add(1, ordering: .sequentiallyConsistent)
      }
      try await shop.pool.quiesce()
      #expect(calls.load(ordering: .sequentiallyConsistent) == 1)
      second.cancel()
    }
    first.cancel()
  }

  private struct ProbeOfItems: ObservationRequest {
    func fetch(_ db: Database) throws -> Int {
      try Int.fetchOne(db, sql: "SELECT count(price) >= 0 FROM item") ?? 0
    }
  }

  @Test func `quiesce returns after the commits of another process`() async throws {
    let shop = try Shop()
    let latest = Atomic<Int>(-1)
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT max(id) FROM item") ?? 0
    }.start(in: shop.pool, onError: { Issue.record($0) }) { value in
      latest.store(value, ordering: .sequentiallyConsistent)
    }
    for id in 3..<8 {
      try SQLiteShell.run(shop.path, "INSERT INTO item VALUES (\(id), 'jug', NULL)")
      try await shop.pool.quiesce()
      #expect(latest.load(ordering: .sequentiallyConsistent) == id)
    }
    cancellable.cancel()
  }

  @Test func `quiesce returns without observations, and after closing`() async throws {
    let shop = try Shop()
    try await shop.pool.quiesce()
    try shop.pool.close()
    try await shop.pool.quiesce()
  }

  @Test func `quiesce inside a callback throws`() async throws {
    let shop = try Shop()
    let recorder = Recorder<String>()
    let cancellable = Shop.items.start(
      in: shop.pool,
      onError: { Issue.record($0) },
      onChange: { [pool = shop.pool] _ in
        do {
          try pool.quiesce()
          recorder.append("returned")
        } catch {
          recorder.append("\(error)")
        }
      }
    )
    #expect(
      try await recorder.nextValue() == """
        SQLite error 21: quiesce() was called inside a callback of an observation, or inside an \
        access to a database, for which it would wait: call it outside
        """
    )
    cancellable.cancel()
  }

  @Test func `P5: a slow query delays no other query`() async throws {
    let shop = try Shop()
    let gate = Gate()
    let slow = ValueObservation.tracking { db in
      gate.pass()
      // Longer than the limit for a quick query.
      let until = DispatchTime.now() + .milliseconds(15)
      while DispatchTime.now() < until {}
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
    }
    let (slowRecorder, slowCancellable) = slow.record(in: shop.pool)
    let (quickRecorder, quickCancellable) = Shop.items.record(in: shop.pool)
    #expect(try await slowRecorder.nextValue() == 2)
    #expect(try await quickRecorder.nextValue().count == 2)
    gate.close()
    for id in 3...5 {
      try await shop.pool.write { db in
        try Item(id: Int64(id), name: "jug", price: nil).insert(db)
      }
      #expect(try await quickRecorder.nextValue().count == id)
    }
    gate.open()
    #expect(try await slowRecorder.value { $0 == 5 } == 5)
    slowCancellable.cancel()
    quickCancellable.cancel()
  }

  @Test func `P10: observations on one reader neither wait for each other forever nor starve`()
    async throws
  {
    var configuration = Configuration()
    configuration.maximumReaderCount = 1
    let shop = try Shop(configuration)
    let observers = (0..<1000).map { number in
      ValueObservation.tracking { db in
        number + (try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0)
      }.record(in: shop.pool)
    }
    for (number, observer) in observers.enumerated() {
      #expect(try await observer.recorder.nextValue() == number + 2)
    }
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    for (number, observer) in observers.enumerated() {
      #expect(try await observer.recorder.nextValue() == number)
    }
    for observer in observers { observer.cancellable.cancel() }
  }
}
