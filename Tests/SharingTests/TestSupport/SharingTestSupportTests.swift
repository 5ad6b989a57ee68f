import Sharing
import SharingTestSupport
import Testing

@Suite("A-128: tests of services", .inMemoryDatabase(createShop)) struct SharingTestSupportTests {
  final class Service {
    @SharedReader(.fetchCount(Item.all())) var count = 0
  }

  @Test func `a service reads the database of its test`() async throws {
    let service = Service()
    try await testDatabase.run("INSERT INTO item VALUES (3, 'mug')")
    try await quiesce()
    #expect(service.count == 3)
  }

  @Test(arguments: 1...3) func `each case has a database of its own`(id: Int64) throws {
    @SharedReader(.fetchCount(Item.all())) var count = 0
    #expect(count == 2)
    try testDatabase.write { db in try db.execute(sql: "DELETE FROM item") }
  }

  @Test(
    .inMemoryDatabase(preparedBy: {
      try $0.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    })
  )
  func `a database can be prepared by what needs it`() throws {
    @SharedReader(.fetchOne(sql: "SELECT count(*) FROM t")) var count = 7
    #expect(count == 0)
  }

  @Test(.fixedValue(of: .fetchCount(Item.all()), 99))
  func `a fixed value stands for a query`() throws {
    let service = Service()
    #expect(service.count == 99)
    #expect(try testDatabase.observationStatistics.live == 0)
  }

  @Test func `a fixed value counts inside of its operation`() async throws {
    let service = await withFixedValue(of: .fetchCount(Item.all()), 5) { () -> Int in
      let required = try? await SharedReader<Int>(require: .fetchCount(Item.all()))
      #expect(required?.wrappedValue == 5)
      return Service().count
    }
    #expect(service == 5)
    #expect(Service().count == 2)
  }
}

@Suite struct NoTestDatabaseTests {
  @Test func `without the trait, an error says what to add`() async {
    #expect(throws: NoTestDatabase.self) { try testDatabase }
    #expect("\(NoTestDatabase())".contains(".inMemoryDatabase"))
    await #expect(throws: NoDefaultDatabase.self) { try await quiesce() }
  }
}
