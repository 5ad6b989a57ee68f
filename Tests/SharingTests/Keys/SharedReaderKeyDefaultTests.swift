import Sharing
import SharingTestSupport
import Testing
import TestSupport

extension SharedReaderKey where Self == FetchKey<[Item]>.Default {
  static var allItems: Self {
    Self[.fetchAll(sql: "SELECT * FROM item ORDER BY id"), default: [Item(id: 0, name: "none")]]
  }
}

extension SharedReaderKey where Self == FetchKey<Int>.Default {
  static func count(above id: Int64) -> Self {
    Self[.fetchCount(Item.filter { $0.id > id }), default: -1]
  }
}

extension SharedReaderKey where Self == FetchKey<[Item]>.Default.Default {
  static var allItemsOrNone: Self { Self[.allItems, default: []] }
}

@Suite struct SharedReaderKeyDefaultTests {
  @Test(.inMemoryDatabase(createShop))
  func `A-124: a key with a default needs neither a type nor a value`() {
    @SharedReader(.allItems) var items
    @SharedReader(.count(above: 1)) var count
    #expect(items.map(\.name) == ["cup", "pot"])
    #expect(count == 1)
  }

  @Test func `the default is shown until there is a value`() {
    @SharedReader(.allItems) var items
    @SharedReader(.allItems) var others = []
    #expect(items == [Item(id: 0, name: "none")])
    #expect($items.loadError is NoDefaultDatabase)
    #expect(others == items, "readers of one key share what is shown")
  }

  @Test(.inMemoryDatabase(createShop))
  func `a key with a default equals its base`() throws {
    @SharedReader(.allItems) var items
    @SharedReader(.fetchAll(sql: "SELECT * FROM item ORDER BY id")) var same: [Item]
    #expect(items == same)
    #expect(try testDatabase.observationStatistics.runs == 1)
  }

  @Test(.inMemoryDatabase(createShop), .patient)
  func `a default of a default is a query too`() async throws {
    @SharedReader(.allItemsOrNone) var items
    @SharedReader(.count(above: 1)) var count
    var tuples = values(of: $items, $count).makeAsyncIterator()
    let first = try #require(try await tuples.next())
    #expect(first.0.count == 2)
    #expect(first.1 == 1)
  }
}
