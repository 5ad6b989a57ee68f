import Sharing
import SharingTestSupport
import Testing

@Suite(.inMemoryDatabase(createShop)) struct FetchKeyRequestTests {
  struct Stock: FetchKeyRequest {
    struct Value: Equatable {
      var names: [String] = []
      var count = 0
    }
    var limit: Int

    func fetch(_ db: Database) throws -> Value {
      try Value(
        names: Item.order(\.id).limit(limit).select(\.name, as: String.self).fetchAll(db),
        count: Item.fetchCount(db)
      )
    }
  }

  @Test("SHR-12, SHR-16: a request runs several queries, which change together")
  func severalQueries() async throws {
    @SharedReader(.fetch(Stock(limit: 9))) var stock = Stock.Value()
    #expect(stock == Stock.Value(names: ["cup", "pot"], count: 2))
    try await testDatabase.run("DELETE FROM item WHERE id = 1")
    try await quiesce()
    #expect(stock == Stock.Value(names: ["pot"], count: 1))
    #expect(try testDatabase.observationStatistics.deliveries == 2)
  }

  @Test("SHR-23: the properties of a request belong to the key")
  func properties() {
    @SharedReader(.fetch(Stock(limit: 1))) var one = Stock.Value()
    @SharedReader(.fetch(Stock(limit: 9))) var all = Stock.Value()
    #expect(one.names == ["cup"])
    #expect(all.names == ["cup", "pot"])
  }

  private struct Names: FetchKeyRequest {
    func fetch(_ db: Database) throws -> [String] {
      try Item.order(\.name).select(\.name, as: String.self).fetchAll(db)
    }
  }

  @Test("SHR-14, SHR-20: the type and the default of a collection can be omitted")
  func typeIsInferred() {
    @SharedReader(.fetch(Names())) var names
    #expect(names == ["cup", "pot"])
    #expect(type(of: names) == [String].self)
  }
}
