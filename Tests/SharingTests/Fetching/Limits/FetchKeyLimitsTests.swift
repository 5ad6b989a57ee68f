import Dispatch
import Testing
import TestSupport

@testable import Sharing

@Suite(.patient) struct FetchKeyLimitsTests {
  private let clock = ManualClock()
  private let database: DatabaseQueue

  init() async throws {
    database = try await makeDatabase()
  }

  private func makeReader(_ key: FetchKey<[Item]>) -> SharedReader<[Item]> {
    SystemDeliveryClock.$current.withValue(clock) { SharedReader(key) }
  }

  private func insert(_ id: Int) async throws {
    try await database.run("INSERT INTO item VALUES (\(id), 'tub')")
  }

  @Test func `the limit is written at the end of a key`() throws {
    @SharedReader(
      .fetchAll(sql: "SELECT * FROM item", database: database).throttle(for: .seconds(1))
    )
    var items: [Item]
    @SharedReader(.fetchAll(Item.all(), database: database).debounce(for: .seconds(1))) var all
    @SharedReader(.fetchCount(Item.all(), database: database).throttle(for: .seconds(1)))
    var count = 0
    #expect(items.count == 2 && all.count == 2 && count == 2)
  }

  @Test(arguments: [DeliveryLimit.throttle(.seconds(10)), .debounce(.seconds(10))])
  func `changes are shown at the end of the interval`(limit: DeliveryLimit) async throws {
    let reader = makeReader(.items(in: database).limited(limit))
    var values = reader.values.makeAsyncIterator()
    #expect(await values.next()?.count == 2)
    try await insert(3)
    try await clock.nextWake()
    try await insert(4)
    #expect(reader.wrappedValue.count == 2)
    clock.advance(by: .seconds(9))
    #expect(reader.wrappedValue.count == 2)
    let other = SharedReader<[Item]>(.items(in: database))
    #expect(other.wrappedValue.count == 4)
    // The second commit may move the end of the interval at any time.
    let time = Task { [clock] in
      while !Task.isCancelled {
        clock.advance(by: .seconds(11))
        await Task.yield()
      }
    }
    let count = await values.next()?.count
    time.cancel()
    #expect(count == 3 || count == 4)
    try await database.quiesce()
    #expect(reader.wrappedValue.count == 4)
  }

  @Test func `a load and quiesce do not wait`() async throws {
    let reader = makeReader(.items(in: database).throttle(for: .seconds(10)))
    try await insert(3)
    try await clock.nextWake()
    #expect(reader.wrappedValue.count == 2)
    try await reader.load()
    #expect(reader.wrappedValue.count == 3)
    try await insert(4)
    try await database.quiesce()
    #expect(reader.wrappedValue.count == 4)
    try await database.run("DROP TABLE item")
    await #expect(throws: DatabaseError.self) { try await reader.load() }
    #expect(reader.wrappedValue.count == 4)
  }

  @Test func `keys with different limits share one query`() async throws {
    let key = FetchKey<[Item]>.items(in: database)
    let readers = [
      makeReader(key), makeReader(key.throttle(for: .seconds(10))),
      makeReader(key.throttle(for: .seconds(20))), makeReader(key.debounce(for: .seconds(10))),
      makeReader(key.throttle(for: .seconds(10))),
    ]
    #expect(database.observationStatistics.live == 1)
    #expect(database.observationStatistics.runs == 1)
    try await insert(3)
    for _ in 0..<3 { try await clock.nextWake() }
    // The reader without a limit may get its change after the other changes are held back.
    try await eventually { readers[0].wrappedValue.count == 3 }
    #expect(readers.map(\.wrappedValue.count) == [3, 2, 2, 2, 2])
    #expect(database.observationStatistics.runs == 2)
  }

  @Test func `a value that returns is not delivered again`() async throws {
    let reader = makeReader(.items(in: database).throttle(for: .seconds(10)))
    var values = reader.values.makeAsyncIterator()
    #expect(await values.next()?.count == 2)
    try await insert(3)
    try await clock.nextWake()
    try await database.run("DELETE FROM item WHERE id = 3")
    try await database.quiesce()
    try await insert(4)
    try await database.quiesce()
    #expect(await values.next()?.count == 3)
  }

  @Test func `the last value comes before the end of the database`() async throws {
    let reader = makeReader(.items(in: database).throttle(for: .seconds(10)))
    var values = reader.values.makeAsyncIterator()
    #expect(await values.next()?.count == 2)
    try await insert(3)
    try await clock.nextWake()
    try database.close()
    while await values.next() != nil {}
    #expect(reader.wrappedValue.count == 3)
    #expect((reader.loadError as? DatabaseError)?.isDatabaseClosed == true)
  }

  @Test func `values come where the scheduler says`() async throws {
    let queue = DispatchQueue(label: "limited")
    let isOnQueue = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: isOnQueue, value: true)
    let places = AsyncStream.makeStream(of: Bool.self)
    let limiter = DeliveryLimiter<Int>(
      .throttle(.seconds(10)),
      clock: clock,
      scheduler: .async(onQueue: queue)
    ) { _ in
      places.continuation.yield(DispatchQueue.getSpecific(key: isOnQueue) ?? false)
    }
    limiter.receive(1)
    limiter.receive(2)
    clock.advance(by: .seconds(10))
    await withCheckedContinuation { continuation in limiter.flush { continuation.resume() } }
    limiter.receive(3)
    await withCheckedContinuation { continuation in limiter.flush { continuation.resume() } }
    places.continuation.finish()
    var all: [Bool] = []
    for await place in places.stream { all.append(place) }
    // The first event is delivered by the thread that brings it.
    #expect(all == [false, true, true])
  }

  @Test func `an observation with a limit ends with its last reader`() async throws {
    var reader: SharedReader? = makeReader(.items(in: database).debounce(for: .seconds(10)))
    try await insert(3)
    try await clock.nextWake()
    #expect(reader?.wrappedValue.count == 2)
    reader = nil
    try await eventually { database.observationStatistics.live == 0 }
    clock.advance(by: .seconds(10))
  }

  @Test func `the system's clock wakes at the time`() async {
    let clock = SystemDeliveryClock()
    let start = clock.now
    await withCheckedContinuation { continuation in
      clock.wake(at: start + .milliseconds(5)) { continuation.resume() }
    }
    #expect(clock.now >= start + .milliseconds(5))
  }
}
