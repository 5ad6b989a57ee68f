import Storage
import Testing

@Suite struct ValueObservationTests {
  @Test func `the first value is the current one, fetched once`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    #expect(try await recorder.nextValue() == [.cup, .pot])
    #expect(shop.pool.observationStatistics.refetches == 1)
    cancellable.cancel()
  }

  @Test func `a commit is followed by a value that includes it`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }

  @Test func `a commit of another process is seen`() async throws {
    let shop = try Shop()
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    try SQLiteShell.run(shop.path, "UPDATE item SET name = 'mug' WHERE id = 1")
    #expect(try await recorder.nextValue().map(\.name) == ["mug", "pot"])
    cancellable.cancel()
  }
}
