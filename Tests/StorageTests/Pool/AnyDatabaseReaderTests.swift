import Storage
import Testing

@testable import StorageTestSupport

@Suite struct AnyDatabaseReaderTests {
  @Test func `A-002: type-erased readers and writers use their base`() async throws {
    let shop = try Shop()
    let writer = AnyDatabaseWriter(shop.pool)
    let readers = [
      AnyDatabaseReader(shop.pool), AnyDatabaseReader(writer),
      AnyDatabaseReader(try shop.pool.makeSnapshot()),
    ]
    try await writer.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    var counts: [Int?] = []
    for reader in readers {
      #expect(reader.path == shop.pool.path)
      counts.append(
        try await reader.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") }
      )
    }
    #expect(counts == [1, 1, 2])
    let (recorder, cancellable) = Shop.items.record(in: readers[0])
    #expect(try await recorder.nextValue() == [.pot])
    try await shop.pool.write { db in try Item.cup.insert(db) }
    #expect(try await recorder.nextValue() == [.cup, .pot])
    cancellable.cancel()
  }

  @Test func `CON-16: a function can take any DatabaseReader`() throws {
    func count(_ reader: any DatabaseReader) throws -> Int? {
      try reader.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM item") }
    }
    let shop = try Shop()
    #expect(try count(shop.pool) == 2)
    #expect(try count(shop.pool.makeSnapshot()) == 2)
  }
}
