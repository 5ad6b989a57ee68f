import Testing
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// The events of a query, and the subscribers that get them. The broker decides when it runs.
@Suite struct ObservedQueryTests {
  /// Keeps the events as texts, each after its sequence number.
  private final class Subscriber: ObservationSubscriber {
    private struct State {
      var events: [String] = []
      var lastSequence: UInt64 = 0
      var flushes: [@Sendable () -> Void] = []
    }

    // Guards the events, and the completions of flushes.
    private let state = Lock(State())

    var events: [String] { state.withLock { $0.events } }

    func receive(_ moment: AnyObservedMoment) -> (any PendingCall)? {
      let text = Self.text(of: moment)
      state.withLock { state in
        guard moment.sequence > state.lastSequence else { return }
        state.lastSequence = moment.sequence
        state.events.append("\(moment.sequence): \(text)")
      }
      return nil
    }

    private static func text(of moment: AnyObservedMoment) -> String {
      switch moment.event(of: Int.self) {
      case .value(let numbered): "\(numbered.value)"
      case .failure(let error): (error as? DatabaseError)?.message ?? "\(error)"
      case .closed: "closed"
      }
    }

    func flush(_ completion: @escaping @Sendable () -> Void) {
      state.withLock { $0.flushes.append(completion) }
    }

    /// Calls the completions of the flushes so far.
    func endFlushes() {
      for completion in state.withLock({ $0.flushes }) { completion() }
    }
  }

  /// A query for the number of prices, and the connection that runs it.
  private struct Counting {
    let db: Database
    let query: ObservedQuery
    /// The snapshot of the last run.
    var number = CommitNumber.none

    /// Runs the query in the next snapshot, and delivers its event if that is new.
    @discardableResult
    mutating func run() -> Delivery {
      number = number.next
      let delivery = query.accept(query.fetch(db, in: number, isExact: true))
      if delivery.mustDeliver { _ = query.deliver(upTo: number) }
      return delivery
    }

    func insert(_ id: Int64) throws { try Item(id: id, name: "new", price: 1).insert(db) }

    func execute(_ sql: String) throws { try db.execute(sql: sql) }

    /// Adds a subscriber, whose first value must include the commits up to a number.
    func subscribe(since number: CommitNumber = .none) -> Subscriber {
      let subscriber = Subscriber()
      query.add(subscriber, since: number)
      return subscriber
    }
  }

  private static func makeQuery(dropsEqualValues: Bool = true) -> ObservedQuery {
    let fetcher = TypedQueryFetcher<Int>(dropsEqualValues: dropsEqualValues) { db, _ in
      try Int.fetchOne(db, sql: "SELECT count(price) FROM item") ?? -1
    }
    return ObservedQuery(id: QueryID(0), fetcher: fetcher)
  }

  private func withCounting(
    dropsEqualValues: Bool = true,
    _ body: (inout Counting) throws -> Void
  ) throws {
    try withDatabase { db throws in
      var counting = Counting(
        db: db,
        query: Self.makeQuery(dropsEqualValues: dropsEqualValues)
      )
      try body(&counting)
    }
  }

  // MARK: Values and errors

  @Test(arguments: [true, false])
  func `an equal value is delivered only if equal values are not dropped`(
    dropsEqualValues: Bool
  ) throws {
    try withCounting(dropsEqualValues: dropsEqualValues) { counting throws in
      let subscriber = counting.subscribe()
      for isNew in [true, !dropsEqualValues] {
        let delivery = counting.run()
        #expect(delivery.mustDeliver == isNew)
        #expect(!delivery.hasFailed)
      }
      try counting.insert(1)
      let delivery = counting.run()
      #expect(delivery.mustDeliver)
      let expected = dropsEqualValues ? ["1: 0", "2: 1"] : ["1: 0", "2: 0", "3: 1"]
      #expect(subscriber.events == expected)
    }
  }

  @Test func `an error is delivered once, until it changes`() throws {
    try withCounting { counting throws in
      let subscriber = counting.subscribe()
      counting.run()
      try counting.execute("ALTER TABLE item RENAME TO hidden")
      for isNew in [true, false, false] {
        let delivery = counting.run()
        #expect(delivery.hasFailed)
        #expect(delivery.mustDeliver == isNew)
        #expect((delivery.error != nil) == isNew)
      }
      try counting.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)")
      counting.run()
      let events = ["1: 0", "2: no such table: item", "3: no such column: price"]
      #expect(subscriber.events == events)
    }
  }

  @Test func `a value after an error is delivered, though it equals the value before`() throws {
    try withCounting { counting throws in
      let subscriber = counting.subscribe()
      counting.run()
      for _ in 0..<2 {
        try counting.execute("ALTER TABLE item RENAME TO hidden")
        counting.run()
        try counting.execute("ALTER TABLE hidden RENAME TO item")
        counting.run()
        counting.run()
      }
      let error = "no such table: item"
      let events = ["1: 0", "2: \(error)", "3: 0", "4: \(error)", "5: 0"]
      #expect(subscriber.events == events)
    }
  }

  // MARK: Subscribers that come late

  @Test func `a subscriber gets no value from before its start`() throws {
    try withCounting { counting throws in
      counting.run()
      let late = counting.subscribe(since: CommitNumber(2))
      counting.query.deliverToNewSubscribers(upTo: CommitNumber(1))
      _ = counting.query.deliver(upTo: CommitNumber(1))
      #expect(late.events == [])
      #expect(counting.query.mayHaveNewSubscribers)
      counting.query.deliverToNewSubscribers(upTo: CommitNumber(2))
      #expect(late.events == ["1: 0"])
      #expect(!counting.query.mayHaveNewSubscribers)
    }
  }

  @Test func `a subscriber that comes before the first event waits for it`() throws {
    try withCounting { counting throws in
      let early = counting.subscribe()
      counting.query.deliverToNewSubscribers(upTo: .max)
      #expect(early.events == [])
      #expect(counting.query.mayHaveNewSubscribers)
      counting.run()
      #expect(early.events == ["1: 0"])
      #expect(!counting.query.mayHaveNewSubscribers)
    }
  }

  @Test func `a subscriber of a failing query gets its error, and no value`() throws {
    try withCounting { counting throws in
      counting.run()
      try counting.execute("DROP TABLE item")
      counting.run()
      let late = counting.subscribe(since: CommitNumber(9))
      counting.query.deliver(to: late)
      #expect(late.events == ["2: no such table: item"])
      #expect(!counting.query.mayHaveNewSubscribers)
    }
  }

  @Test func `a subscriber that joins gets the events after the one that it is given`() throws {
    try withCounting { counting throws in
      let (first, second) = (Subscriber(), Subscriber())
      let none = counting.query.join(first, since: .none)
      #expect(none == nil)
      counting.run()
      // An equal value leaves the earlier one the latest.
      counting.run()
      let latest = counting.query.join(second, since: .none)
      #expect(latest?.sequence == 1)
      #expect(latest?.value(of: Int.self)?.number == 1)
      #expect(!counting.query.mayHaveNewSubscribers)
      try counting.insert(1)
      counting.run()
      #expect(first.events == ["1: 0", "2: 1"])
      #expect(second.events == ["2: 1"])
    }
  }

  // MARK: Subscriptions

  @Test func `the pace is the shortest one, if no subscriber wants each value`() {
    let query = Self.makeQuery()
    #expect(query.pace == nil)
    let subscribers = (0..<3).map { _ in Subscriber() }
    let paces: [(own: UInt64?, common: UInt64?)] = [(9, 9), (5, 5), (nil, nil)]
    for (subscriber, pace) in zip(subscribers, paces) {
      #expect(query.hold())
      query.add(subscriber, since: .none, pace: pace.own)
      #expect(query.pace == pace.common)
      #expect(query.mayRest)
    }
    let rest: [UInt64?] = [5, 9, nil]
    for (subscriber, pace) in zip(subscribers.reversed(), rest) {
      let isLast = query.release(subscriber)
      #expect(!isLast)
      #expect(query.pace == pace)
      #expect(query.mayRest == (pace != nil))
    }
  }

  @Test func `a query ends with its last subscription`() throws {
    try withCounting { counting throws in
      let (first, second) = (counting.subscribe(), Subscriber())
      // A subscription that has not started counts too.
      #expect(counting.query.hold())
      #expect(!counting.query.release(first))
      #expect(!counting.query.mayHaveNewSubscribers)
      counting.run()
      #expect(first.events == [])
      #expect(counting.query.release(second))
      #expect(!counting.query.hold())
    }
  }

  @Test func `the end of the database is delivered once, and no event counts after it`() throws {
    try withCounting { counting throws in
      let (first, early) = (counting.subscribe(), counting.subscribe(since: CommitNumber(9)))
      counting.run()
      counting.query.close()
      try counting.insert(1)
      let value = counting.run()
      #expect(!value.mustDeliver)
      try counting.execute("DROP TABLE item")
      let failure = counting.run()
      #expect(failure.hasFailed)
      #expect(!failure.mustDeliver)
      #expect(failure.error == nil)
      counting.query.close()
      let late = counting.subscribe()
      counting.query.deliverToNewSubscribers(upTo: .none)
      #expect(first.events == ["1: 0", "2: closed"])
      #expect(early.events == ["2: closed"])
      #expect(late.events == ["2: closed"])
    }
  }

  @Test func `a flush waits for all subscribers`() async throws {
    let query = Self.makeQuery()
    let subscribers = (0..<2).map { _ in Subscriber() }
    for subscriber in subscribers { query.add(subscriber, since: .none) }
    let steps = Recorder<String>()
    query.flush { steps.append("flushed") }
    for (number, subscriber) in subscribers.enumerated() {
      steps.append("subscriber \(number)")
      subscriber.endFlushes()
    }
    for step in ["subscriber 0", "subscriber 1", "flushed"] {
      #expect(try await steps.nextValue() == step)
    }
  }
}
