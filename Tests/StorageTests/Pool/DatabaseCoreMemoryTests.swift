import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct DatabaseCoreMemoryTests {
  @Test(arguments: [false, true])
  func `A-013: releaseMemory frees statements, and closes readers that are not persistent`(
    persistent: Bool
  ) throws {
    var configuration = Configuration()
    configuration.persistentReadOnlyConnections = persistent
    let shop = try Shop(configuration)
    let names = "SELECT name FROM item ORDER BY id"
    let before = try shop.pool.read { db in
      _ = try String.fetchAll(db, sql: names)
      return ObjectIdentifier(db)
    }
    weak var statement: Statement?
    try shop.pool.write { db in statement = try db.cachedStatement(sql: names) }
    #expect(statement != nil)
    shop.pool.releaseMemory()
    #expect(statement == nil)
    // The readers are closed, unless they are persistent.
    #expect(
      (shop.pool.core.readers.accessIfIdle(.read) { ObjectIdentifier($0) } == before) == persistent
    )
    #expect(try shop.pool.read { db in try String.fetchAll(db, sql: names) } == ["cup", "pot"])
    shop.pool.releaseMemoryEventually()
    // Inside an access, waiting would never end.
    try shop.pool.read { _ in shop.pool.releaseMemory() }
    try shop.pool.write { _ in shop.pool.releaseMemory() }
    let queue = try DatabaseQueue()
    queue.releaseMemory()
    queue.releaseMemoryEventually()
    try queue.close()
    queue.releaseMemory()
  }
}
