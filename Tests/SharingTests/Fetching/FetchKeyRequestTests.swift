import Dispatch
import Sharing
import SharingTestSupport
import Testing
import TestSupport
import WellspringSystem

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

  @Test func `SHR-12, SHR-16: a request runs several queries, which change together`() async throws
  {
    @SharedReader(.fetch(Stock(limit: 9))) var stock = Stock.Value()
    #expect(stock == Stock.Value(names: ["cup", "pot"], count: 2))
    try await testDatabase.run("DELETE FROM item WHERE id = 1")
    try await quiesce()
    #expect(stock == Stock.Value(names: ["pot"], count: 1))
    #expect(try testDatabase.observationStatistics.deliveries == 2)
  }

  /// Counts the items twice. During the first fetch, another thread commits between the counts.
  private struct CountTwice: FetchKeyRequest {
    let interruption: Interruption

    func fetch(_ db: Database) throws -> [Int] {
      let before = try Item.fetchCount(db)
      interruption.commitOnce()
      let counts = [before, try Item.fetchCount(db)]
      interruption.fetched.withLock { $0.append(counts) }
      return counts
    }
  }

  /// A commit of another thread.
  private final class Interruption: Hashable, Sendable {
    let fetched = Lock<[[Int]]>([])
    private let pool: DatabasePool

    init(_ pool: DatabasePool) {
      self.pool = pool
    }

    static func == (left: Interruption, right: Interruption) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    func commitOnce() {
      guard fetched.withLock({ $0.isEmpty }) else { return }
      let done = DispatchSemaphore(value: 0)
      DispatchQueue.global().async { [pool] in
        try? pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
        done.signal()
      }
      done.wait()
    }
  }

  @Test(
    .patient
  )
  func `SHR-16: the queries of a request see one state, even if a commit comes between them`()
    async throws
  {
    let shop = try TemporaryPool(
      schema: """
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        INSERT INTO item VALUES (1, 'cup'), (2, 'pot')
        """
    )
    let request = CountTwice(interruption: Interruption(shop.pool))
    let reader = SharedReader<[Int]>(
      wrappedValue: [],
      .fetch(request, database: shop.pool)
    )
    try await shop.pool.quiesce()
    #expect(reader.wrappedValue == [1, 1])
    let fetched = request.interruption.fetched.withLock { $0 }
    #expect(fetched.first == [2, 2])
  }

  @Test func `SHR-23: the properties of a request are part of the key`() {
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

  @Test func `SHR-14, SHR-20: the type and the default of a collection can be omitted`() {
    @SharedReader(.fetch(Names())) var names
    #expect(names == ["cup", "pot"])
    #expect(type(of: names) == [String].self)
  }
}
