import Sharing
import SharingTestSupport
import Testing

@Suite("A-128: tests of services", .inMemoryDatabase(createShop)) struct FixedValueTraitTests {
  @Test(.fixedValue(of: .fetchCount(Item.all()), 99))
  func `a fixed value replaces a query`() throws {
    let service = Service()
    #expect(service.count == 99)
    #expect(try testDatabase.observationStatistics.live == 0)
  }

  @Test func `a fixed value applies only inside its operation`() async throws {
    let service = await withFixedValue(of: .fetchCount(Item.all()), 5) { () -> Int in
      let required = try? await SharedReader<Int>(require: .fetchCount(Item.all()))
      #expect(required?.wrappedValue == 5)
      return Service().count
    }
    #expect(service == 5)
    #expect(Service().count == 2)
  }
}
