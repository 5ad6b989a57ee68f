import Dispatch
import Storage
import Synchronization
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite struct ObservationDeliveryTests {
  static let count = ValueObservation.tracking { db in
    try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? -1
  }

  // MARK: Results

  @Test func `P8: results continue after an error`() async throws {
    let shop = try Shop()
    var seen: [String] = []
    for await result in Self.count.results(in: shop.pool) {
      switch result {
      case .success(let count): seen.append("\(count)")
      case .failure(let error): seen.append((error as? DatabaseError)?.message ?? "")
      }
      switch seen.count {
      case 1: try await rename("item", "hidden", shop)
      case 2: try await rename("hidden", "item", shop)
      default: try shop.pool.close()
      }
    }
    #expect(seen == ["2", "no such table: item", "2"])
  }

  private func rename(_ old: String, _ new: String, _ shop: Shop) async throws {
    try await shop.pool.write { db in try db.execute(sql: "ALTER TABLE \(old) RENAME TO \(new)") }
  }

  @Test func `an unbounded sequence keeps every fetched value`() async throws {
    let shop = try Shop()
    var counts: [Int] = []
    for try await count in Self.count.values(in: shop.pool, bufferingPolicy: .unbounded) {
      counts.append(count)
      if counts.count == 1 {
        for id in 3...6 {
          try await shop.pool.write { db in
            try Item(id: Int64(id), name: "new", price: nil).insert(db)
          }
          try await shop.pool.quiesce()
        }
      }
      if count == 6 { break }
    }
    #expect(counts == [2, 3, 4, 5, 6])
  }

  // MARK: Schedulers

  @Test func `A-094: callbacks run on the given queue`() async throws {
    let key = DispatchSpecificKey<Int>()
    let queue = DispatchQueue(label: "test")
    queue.setSpecific(key: key, value: 7)
    let shop = try Shop()
    let (recorder, cancellable) = Self.count.map { [$0, DispatchQueue.getSpecific(key: key) ?? 0] }
      .record(in: shop.pool, scheduling: .async(onQueue: queue))
    #expect(try await recorder.nextValue() == [2, 7])
    cancellable.cancel()
  }

  @Test func `A-094: callbacks run in tasks, in order`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Self.count.map { [$0, Task.currentPriority == .low ? 1 : 0] }
      .record(in: shop.pool, scheduling: .task(priority: .low))
    #expect(try await recorder.nextValue() == [2, 1])
    for id in 3...20 {
      try await shop.pool.write { db in
        try Item(id: Int64(id), name: "new", price: nil).insert(db)
      }
    }
    var last = 2
    while last < 20 {
      let next = try await recorder.nextValue()[0]
      #expect(next > last)
      last = next
    }
    cancellable.cancel()
  }

  /// Runs tasks on a queue.
  private final class QueueExecutor: TaskExecutor {
    private static let key = DispatchSpecificKey<Bool>()
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    private let queue = DispatchQueue(label: "executor")

    init() { queue.setSpecific(key: Self.key, value: true) }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  @Test func `A-094: callbacks run in tasks on the given executor`() async throws {
    let shop = try Shop()
    let recorder = Recorder<Bool>()
    let cancellable = Self.count.start(in: shop.pool, scheduling: .task(on: QueueExecutor())) {
      recorder.append(error: $0)
    } onChange: { _ in
      recorder.append(QueueExecutor.isCurrent)
    }
    #expect(try await recorder.nextValue())
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    #expect(try await recorder.nextValue())
    cancellable.cancel()
  }

  @Test @MainActor func `A-094: callbacks run on the main actor`() async throws {
    let shop = try Shop()
    let recorder = Recorder<Int>()
    var calls = 0
    let cancellable = Self.count.start(in: shop.pool, scheduling: .mainActor) { error in
      recorder.append(error: error)
    } onChange: { count in
      MainActor.assertIsolated()
      calls += 1
      recorder.append(count)
    }
    #expect(try await recorder.nextValue() == 2)
    #expect(calls == 1)
    cancellable.cancel()
  }

  @Test func `the first immediate call comes before all other calls`() throws {
    let shop = try Shop()
    let pool = shop.pool
    for round in 0..<20 {
      let log = LineLog()
      let cancellable = Self.count.handleEvents(didReceiveValue: { count in
        // The value of a commit in the first call comes after that call.
        if log.all.isEmpty {
          try! pool.write { db in
            try Item(id: Int64(round + 100), name: "new", price: nil).insert(db)
          }
        }
        log.append("begin \(count)")
        log.append("end \(count)")
      }).start(in: pool, scheduling: .immediate, onError: { _ in }, onChange: { _ in })
      let first = log.all.prefix(2)
      #expect(first == ["begin \(2 + round)", "end \(2 + round)"])
      cancellable.cancel()
    }
  }

  // MARK: Sharing

  @Test func `A-097: a shared observation runs once for all its followers`() async throws {
    let shop = try Shop()
    let maps = Atomic(0)
    let shared = Self.count.map { count in
      maps.add(1, ordering: .relaxed)
      return count * 10
    }.shared(in: shop.pool, extent: .observationLifetime)
    #expect(shop.pool.observationStatistics.live == 0)
    let first = Recorder<Int>()
    let one = shared.start(onError: { first.append(error: $0) }, onChange: { first.append($0) })
    #expect(try await first.nextValue() == 20)
    var values = shared.values().makeAsyncIterator()
    #expect(try await values.next() == 20)
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    #expect(try await first.nextValue() == 10)
    #expect(try await values.next() == 10)
    #expect(maps.load(ordering: .relaxed) == 2)
    #expect(shop.pool.observationStatistics.runs == 2)
    one.cancel()
    #expect(shop.pool.observationStatistics.live == 1)
  }

  @Test func `P9: a shared observation ends when its extent ends`() async throws {
    let shop = try Shop()
    func follow(
      _ shared: SharedValueObservation<Int>
    ) async throws -> AnyDatabaseCancellable {
      let recorder = Recorder<Int>()
      let cancellable = shared.start(
        onError: { recorder.append(error: $0) },
        onChange: { recorder.append($0) }
      )
      #expect(try await recorder.nextValue() == 2)
      return cancellable
    }
    let whileObserved = Self.count.shared(in: shop.pool)
    for _ in 0..<2 {
      let cancellable = try await follow(whileObserved)
      #expect(shop.pool.observationStatistics.live == 1)
      cancellable.cancel()
      #expect(shop.pool.observationStatistics.live == 0)
    }
    var lasting: SharedValueObservation? = Self.count
      .shared(in: shop.pool, extent: .observationLifetime)
    try await follow(lasting!).cancel()
    #expect(shop.pool.observationStatistics.live == 1)
    lasting = nil
    #expect(shop.pool.observationStatistics.live == 0)
    #expect(lasting == nil)
  }

  @Test func `a shared immediate observation calls back before start returns`() throws {
    let shop = try Shop()
    let shared = Self.count.shared(in: shop.pool, scheduling: .immediate)
    let log = LineLog()
    let first = shared.start(onError: { _ in }, onChange: { log.append("first \($0)") })
    let second = shared.start(onError: { _ in }, onChange: { log.append("second \($0)") })
    #expect(log.all == ["first 2", "second 2"])
    try shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    // It waits for all followers of the shared observation.
    try shop.pool.quiesce()
    #expect(log.all.sorted() == ["first 1", "first 2", "second 1", "second 2"])
    first.cancel()
    second.cancel()
  }

  @Test func `P9: operators and shared observations release what they hold`() async throws {
    final class Token: Sendable {}
    let shop = try Shop()
    weak var token: Token?
    do {
      let strong = Token()
      token = strong
      let observation = Self.count.map { count -> Int in withExtendedLifetime(strong) { count } }
        .handleEvents(didReceiveValue: { _ in withExtendedLifetime(strong) {} })
        .throttle(for: .milliseconds(1))
      let (recorder, cancellable) = observation.record(in: shop.pool)
      _ = try await recorder.nextValue()
      cancellable.cancel()
      for try await _ in observation.shared(in: shop.pool).values() { break }
    }
    // A thread of the library may release the objects of the loop just after the loop has ended.
    try await eventually { token == nil && shop.pool.observationStatistics.live == 0 }
  }

  @Test func `P10: operators can use the database in any way`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let (recorder, cancellable) = Self.count.map { count -> Int in
      if count < 5 {
        try pool.write { db in
          try Item(id: Int64(count + 1), name: "new", price: nil).insert(db)
        }
      }
      let (_, inner) = Self.count.record(in: pool, scheduling: .immediate)
      inner.cancel()
      return try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0 }
    }.record(in: pool)
    _ = try await recorder.value { $0 == 5 }
    cancellable.cancel()
  }
}
