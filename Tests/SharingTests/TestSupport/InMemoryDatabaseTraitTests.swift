import Sharing
import SharingTestSupport
import Testing

@Suite("A-128: tests of services", .inMemoryDatabase(createShop)) struct InMemoryDatabaseTraitTests
{
  @Test func `a service reads the database of its test`() async throws {
    let service = Service()
    try await testDatabase.run("INSERT INTO item VALUES (3, 'mug')")
    try await quiesce()
    #expect(service.count == 3)
  }

  @Test(arguments: 1...3) func `each case has its own database`(id: Int64) throws {
    @SharedReader(.fetchCount(Item.all())) var count = 0
    #expect(count == 2)
    try testDatabase.write { db in try db.execute(sql: "DELETE FROM item") }
  }

  @Test(
    .inMemoryDatabase(preparedBy: {
      try $0.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    })
  )
  func `code that needs the database itself can prepare it`() throws {
    @SharedReader(.fetchOne(sql: "SELECT count(*) FROM t")) var count = 7
    #expect(count == 0)
  }
}
