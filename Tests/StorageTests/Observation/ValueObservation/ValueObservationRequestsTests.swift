import Storage
import Testing

@testable import StorageTestSupport

@Suite struct ValueObservationRequestsTests {
  private static let cheap = Item.filter(Column("price") < 10).order(Column("id"))

  @Test func `a request is observed as all of its elements, the first one, or their number`()
    async throws
  {
    let shop = try Shop()
    let (all, first) = ValueObservation.tracking(Self.cheap).record(in: shop.pool)
    let (one, second) = ValueObservation.trackingOne(Self.cheap).record(in: shop.pool)
    let (count, third) = ValueObservation.trackingCount(Self.cheap).record(in: shop.pool)
    #expect(try await all.nextValue() == [.cup])
    #expect(try await one.nextValue() == .cup)
    #expect(try await count.nextValue() == 1)
    let jug = Item(id: 0, name: "jug", price: 9)
    try await shop.pool.write { db in try jug.insert(db) }
    #expect(try await all.nextValue() == [jug, .cup])
    #expect(try await one.nextValue() == jug)
    #expect(try await count.nextValue() == 2)
    try await shop.pool.write { db in _ = try Item.deleteAll(db) }
    #expect(try await all.nextValue() == [])
    #expect(try await one.nextValue() == nil)
    #expect(try await count.nextValue() == 0)
    for cancellable in [first, second, third] { cancellable.cancel() }
  }

  @Test func `equal requests share one query, however they were built`() async throws {
    let shop = try Shop()
    let observers = (0..<20).map { _ in
      ValueObservation.tracking(Item.filter(Column("price") < 10).order(Column("id")))
        .record(in: shop.pool)
    }
    for (recorder, _) in observers { #expect(try await recorder.nextValue() == [.cup]) }
    #expect(shop.pool.observationStatistics.live == 1)
    #expect(shop.pool.observationStatistics.runs == 1)
    let (other, cancellable) = ValueObservation.tracking(Item.filter(Column("price") < 11))
      .record(in: shop.pool)
    _ = try await other.nextValue()
    #expect(shop.pool.observationStatistics.live == 2)
    for (_, cancellable) in observers { cancellable.cancel() }
    cancellable.cancel()
  }

  @Test func `requests of every kind can be observed`() async throws {
    let shop = try Shop()
    let names = SQLRequest<String>(literal: "SELECT name FROM item WHERE id = \(1)")
    let (sql, first) = ValueObservation.tracking(names).record(in: shop.pool)
    #expect(try await sql.nextValue() == ["cup"])
    let (table, second) = ValueObservation.tracking(Table("item")).record(in: shop.pool)
    #expect(try await table.nextValue().map { $0["name"] as String } == ["cup", "pot"])
    let (values, third) = ValueObservation.tracking(
      Item.all().select(Column("price"), as: Double?.self)
    ).record(in: shop.pool)
    #expect(try await values.nextValue() == [4, nil])
    for cancellable in [first, second, third] { cancellable.cancel() }
  }

  private static let oneRow: [QueryInterfaceRequest<Item>] = [
    Item.filter(key: 1), Item.filter(Column("id") == 1), Item.filter(key: ["id": 1]),
  ]

  @Test(arguments: oneRow)
  func `a request by key runs again only for changes of its row`(
    _ request: QueryInterfaceRequest<Item>
  ) async throws {
    let shop = try Shop()
    let (recorder, cancellable) = ValueObservation.trackingOne(request).record(in: shop.pool)
    #expect(try await recorder.nextValue() == .cup)
    for name in ["a", "b", "c"] {
      try await shop.pool.write { db in
        _ = try Item.filter(key: 2).updateAll(db, Column("name").set(to: name))
      }
    }
    try await shop.pool.write { db in
      _ = try Item.filter(key: 1).updateAll(db, Column("name").set(to: "mug"))
    }
    #expect(try await recorder.nextValue()?.name == "mug")
    #expect(shop.pool.observationStatistics.runs == 2)
    cancellable.cancel()
  }
}
