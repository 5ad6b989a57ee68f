import Storage
import Testing
import WellspringSystem

@testable import StorageTestSupport

@Suite struct DatabasePoolInvalidationTests {
  @Test func `readers that are invalidated are opened and prepared again`() throws {
    let openings = Lock(0)
    var configuration = Configuration()
    configuration.prepareDatabase { _ in openings.withLock { $0 += 1 } }
    let shop = try Shop(configuration)
    let pool = shop.pool
    func count() throws -> Int? {
      try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") }
    }
    #expect(try count() == 2)
    #expect(try count() == 2)
    #expect(openings.withLock { $0 } == 2)
    try pool.read { db throws in
      // A reader in use is closed at the end of its access.
      pool.invalidateReadOnlyConnections()
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 2)
    }
    #expect(try count() == 2)
    #expect(openings.withLock { $0 } == 3)
    pool.invalidateReadOnlyConnections()
    #expect(try count() == 2)
    #expect(openings.withLock { $0 } == 4)
  }
}
