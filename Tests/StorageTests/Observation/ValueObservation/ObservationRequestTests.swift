import Dispatch
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite struct ObservationRequestTests {
  /// Fetches the items up to a price.
  private struct ItemsRequest: ObservationRequest {
    var price: Double

    func fetch(_ db: Database) throws -> [Item] {
      let sql = "SELECT * FROM item WHERE price <= ? ORDER BY id"
      return try Item.fetchAll(db, sql: sql, arguments: [price])
    }
  }

  private static func items(upTo price: Double) -> ValueObservation<[Item]> {
    ValueObservation.tracking(ItemsRequest(price: price))
  }

  @Test func `P6: observations of equal requests run one query`() async throws {
    let shop = try Shop()
    let observers = (0..<100).map { _ in Self.items(upTo: 10).record(in: shop.pool) }
    for (recorder, _) in observers { #expect(try await recorder.nextValue() == [.cup]) }
    #expect(shop.pool.observationStatistics.runs == 1)
    #expect(shop.pool.observationStatistics.live == 1)
    try await shop.pool.write { db in try Item(id: 3, name: "jug", price: 9).insert(db) }
    for (recorder, _) in observers { #expect(try await recorder.nextValue().count == 2) }
    #expect(shop.pool.observationStatistics.runs == 2)
    for (_, cancellable) in observers { cancellable.cancel() }
    #expect(shop.pool.observationStatistics.live == 0)
  }

  /// A value whose comparison and release run a closure, and which never equals another value.
  private final class Busy: Equatable, Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    deinit { work() }

    static func == (left: Busy, right: Busy) -> Bool {
      right.work()
      return false
    }
  }

  private struct BusyRequest: ObservationRequest {
    let pool: DatabasePool
    let others: [ItemCountRequest]

    static func == (left: BusyRequest, right: BusyRequest) -> Bool { left.others == right.others }
    func hash(into hasher: inout Hasher) { hasher.combine(others) }

    func fetch(_ db: Database) throws -> Busy {
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
      return Busy { [pool, others] in
        for other in others {
          ValueObservation.tracking(other)
            .start(in: pool, scheduling: .immediate, onError: { _ in }, onChange: { _ in })
            .cancel()
        }
      }
    }
  }

  private struct ItemCountRequest: ObservationRequest {
    let number: Int

    func fetch(_ db: Database) throws -> Int {
      try (Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0) + number
    }
  }

  // The queries are due together. A value that waits for another query of its own batch would wait
  // for itself.
  @Test(.patient)
  func `P10: a value can start observations when it is compared or released`() async throws {
    let shop = try Shop()
    let others = (0..<10).map(ItemCountRequest.init)
    let busy = ValueObservation.tracking(BusyRequest(pool: shop.pool, others: others))
      .record(in: shop.pool)
    let observers = others.map { ValueObservation.tracking($0).record(in: shop.pool) }
    for id in 3..<20 {
      try await shop.pool.write { db in
        try Item(id: Int64(id), name: "mug", price: nil).insert(db)
      }
    }
    for (number, observer) in observers.enumerated() {
      _ = try await observer.recorder.value { $0 == 19 + number }
    }
    busy.cancellable.cancel()
    for observer in observers { observer.cancellable.cancel() }
    try await eventually { shop.pool.observationStatistics.live == 0 }
  }

  private final class Box: Sendable {}

  private struct BoxRequest: ObservationRequest {
    func fetch(_ db: Database) throws -> Box {
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
      return Box()
    }
  }

  @Test func `P6: observations of equal requests share one copy of the value`() async throws {
    let shop = try Shop()
    let observers = (0..<10).map { _ in
      ValueObservation.tracking(BoxRequest()).record(in: shop.pool)
    }
    for _ in 0..<2 {
      var boxes: Set<ObjectIdentifier> = []
      for (recorder, _) in observers {
        boxes.insert(ObjectIdentifier(try await recorder.nextValue()))
      }
      #expect(boxes.count == 1)
      try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    }
    for (_, cancellable) in observers { cancellable.cancel() }
  }

  @Test func `different requests and closures are different observations`() async throws {
    let shop = try Shop()
    let observers = [
      Self.items(upTo: 1), Self.items(upTo: 10), Shop.items, Shop.items,
    ].map { $0.record(in: shop.pool) }
    for (recorder, _) in observers { _ = try await recorder.nextValue() }
    #expect(shop.pool.observationStatistics.live == 4)
    for (_, cancellable) in observers { cancellable.cancel() }
  }

  @Test func `values with and without numbers come from one query`() async throws {
    let shop = try Shop()
    let (plain, first) = Self.items(upTo: 10).record(in: shop.pool)
    let (numbered, second) = Self.items(upTo: 10).numbered().record(in: shop.pool)
    #expect(try await plain.nextValue() == [.cup])
    let number = try await numbered.nextValue().number
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    #expect(try await plain.nextValue() == [])
    let next = try await numbered.nextValue()
    #expect(next.value == [])
    #expect(next.number > number)
    #expect(shop.pool.observationStatistics.runs == 2)
    first.cancel()
    second.cancel()
  }

  @Test(arguments: [false, true])
  func `P6: a late subscriber gets the value that is there`(isImmediate: Bool) async throws {
    let shop = try Shop()
    let (first, cancellable) = Self.items(upTo: 10).record(in: shop.pool)
    #expect(try await first.nextValue() == [.cup])
    let (late, other) = Self.items(upTo: 10).record(
      in: shop.pool,
      scheduling: isImmediate ? .immediate : .async
    )
    #expect(try await late.nextValue() == [.cup])
    #expect(shop.pool.observationStatistics.runs == 1)
    cancellable.cancel()
    // The observation continues for the subscriber that stays.
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    #expect(try await late.nextValue() == [])
    other.cancel()
  }

  @Test func `a subscriber that comes while the value is being fetched gets the new one`()
    async throws
  {
    let shop = try Shop()
    let pool = shop.pool
    let (first, cancellable) = Self.items(upTo: 10).record(in: pool)
    _ = try await first.nextValue()
    for round in 1...200 {
      try await pool.write { db in
        try db.execute(sql: "UPDATE item SET name = ? WHERE id = 1", arguments: [String(round)])
      }
      // The commit is announced by now; its value may or may not have been fetched.
      let (late, other) = Self.items(upTo: 10).record(
        in: pool,
        scheduling: round.isMultiple(of: 2) ? .immediate : .async
      )
      #expect(try await late.nextValue().map(\.name) == [String(round)])
      other.cancel()
    }
    cancellable.cancel()
  }

  @Test func `a subscriber that comes while an equal value is being fetched gets it`() async throws
  {
    let shop = try Shop()
    let gate = Gate()
    let request = GatedRequest(gate: gate)
    let (first, cancellable) = ValueObservation.tracking(request).record(in: shop.pool)
    #expect(try await first.nextValue() == 2)
    gate.close()
    try await shop.pool.write { db in
      try db.execute(sql: "UPDATE item SET id = 7 WHERE id = 1")
    }
    let (late, other) = ValueObservation.tracking(request).record(in: shop.pool)
    gate.open()
    #expect(try await late.nextValue() == 2)
    cancellable.cancel()
    other.cancel()
  }

  @Test func `a request can be observed again after its last observation has ended`() async throws {
    let shop = try Shop()
    for round in 1...3 {
      let (recorder, cancellable) = Self.items(upTo: 10).record(in: shop.pool)
      #expect(try await recorder.nextValue() == [.cup])
      #expect(shop.pool.observationStatistics.runs == round)
      cancellable.cancel()
    }
  }

  @Test func `P6: loops over equal requests share a query`() async throws {
    let shop = try Shop()
    var first = Self.items(upTo: 10).values(in: shop.pool).makeAsyncIterator()
    var second = Self.items(upTo: 10).values(in: shop.pool).makeAsyncIterator()
    #expect(try await first.next() == [.cup])
    #expect(try await second.next() == [.cup])
    #expect(shop.pool.observationStatistics.runs == 1)
  }

  private struct GatedRequest: ObservationRequest {
    var gate: Gate

    func fetch(_ db: Database) throws -> Int {
      gate.pass()
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
    }
  }
}

/// A gate that blocks threads while it is closed.
final class Gate: Hashable, Sendable {
  private let passes = DispatchSemaphore(value: 1)

  func close() { passes.wait() }
  func open() { passes.signal() }
  func pass() {
    passes.wait()
    passes.signal()
  }

  static func == (left: Gate, right: Gate) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
