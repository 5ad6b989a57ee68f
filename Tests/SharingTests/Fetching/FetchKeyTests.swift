import Dispatch
import Observation
import Sharing
import SharingTestSupport
import Synchronization
import Testing
import TestSupport

@Suite(.inMemoryDatabase(createShop), .patient) struct FetchKeyTests {
  @Test func `SHR-01, SHR-04: fetchAll has its first value immediately and follows the database`()
    async throws
  {
    @SharedReader(.fetchAll(sql: "SELECT * FROM item ORDER BY id")) var items: [Item]
    #expect(items.map(\.name) == ["cup", "pot"])
    try await testDatabase.run("INSERT INTO item VALUES (3, 'mug')")
    try await quiesce()
    #expect(items.map(\.name) == ["cup", "pot", "mug"])
  }

  @Test func `fetchAll fetches values and rows too`() {
    @SharedReader(.fetchAll(sql: "SELECT name FROM item ORDER BY id")) var names: [String]
    @SharedReader(.fetchAll(sql: "SELECT name FROM item ORDER BY id")) var rows: [Row]
    #expect(names == ["cup", "pot"])
    #expect(rows.map { $0["name"] } == ["cup", "pot"])
  }

  @Test func `SHR-06: arguments are bound and are part of the key`() {
    let sql = "SELECT name FROM item WHERE id = ?"
    @SharedReader(.fetchAll(sql: sql, arguments: [1])) var first: [String]
    @SharedReader(.fetchAll(sql: sql, arguments: [2])) var second: [String]
    @SharedReader(.fetchOne(sql: "SELECT name FROM item WHERE id = :id", arguments: ["id": 2]))
    var named = ""
    #expect(first == ["cup"])
    #expect(second == ["pot"])
    #expect(named == "pot")
  }

  @Test func `SHR-05: fetchOne has the type of its default`() {
    @SharedReader(.fetchOne(sql: "SELECT count(*) FROM item")) var count = 0
    #expect(count == 2)
    #expect(type(of: count) == Int.self)
  }

  @Test func `C-20: fetchOne of an optional is nil without a row`() {
    @SharedReader(.fetchOne(sql: "SELECT * FROM item WHERE id = 9")) var item: Item?
    @SharedReader(.fetchOne(sql: "SELECT id FROM item WHERE id = 9")) var id: Int?
    @SharedReader(.fetchOne(sql: "SELECT id FROM item WHERE id = 2")) var two: Int?
    #expect(item == nil)
    #expect($item.loadError == nil)
    #expect(id == nil)
    #expect($id.loadError == nil)
    #expect(two == 2)
  }

  @Test(.allowsFailures { $0.error is NotFound })
  func `C-20, A-137: fetchOne without a row keeps the last value, fails, and recovers`()
    async throws
  {
    let sql = "SELECT name FROM item WHERE id = 1"
    @SharedReader(.fetchOne(sql: sql)) var name = "none"
    #expect(name == "cup")
    try await testDatabase.run("DELETE FROM item WHERE id = 1")
    try await quiesce()
    #expect($name.loadError as? NotFound == NotFound(sql: sql))
    #expect(name == "cup")
    try await testDatabase.run("INSERT INTO item VALUES (1, 'new cup')")
    try await quiesce()
    #expect(name == "new cup")
    #expect($name.loadError == nil)
  }

  @Test(.allowsFailures { $0.error is RowDecodingError })
  func `fetchOne of NULL for a type without it names the column, and says what to write`()
    async throws
  {
    @SharedReader(.fetchOne(sql: "SELECT max(id) AS last FROM item WHERE id > 1")) var last = 0
    #expect(last == 2)
    try await testDatabase.run("DELETE FROM item")
    try await quiesce()
    let error = try #require($last.loadError as? RowDecodingError)
    #expect(
      error.description.hasPrefix(
        """
        column last is NULL, which Int cannot hold: use an optional, or coalesce() in the SQL
        """
      )
    )
    #expect(error.sql == "SELECT max(id) AS last FROM item WHERE id > 1")
    #expect(last == 2)
  }

  @Test func `literals bind their interpolated values`() throws {
    let name = "O'Brien"
    try testDatabase.write { db in try Item(id: 3, name: name).insert(db) }
    @SharedReader(.fetchAll(literal: "SELECT * FROM item WHERE name = \(name)")) var items: [Item]
    @SharedReader(.fetchOne(literal: "SELECT id FROM item WHERE name = \(name)")) var id = 0
    @SharedReader(.fetchOne(literal: "SELECT * FROM item WHERE name = \(name)")) var item: Item?
    #expect(items.map(\.id) == [3])
    #expect(id == 3)
    #expect(item?.id == 3)
  }

  @Test func `SHR-11: a query interface request makes a key, and the type is inferred`() {
    @SharedReader(.fetchAll(Item.filter { $0.id > 1 })) var items
    @SharedReader(.fetchOne(Item.filter(key: 1))) var item
    @SharedReader(.fetchOne(Item.filter(key: 9))) var none
    @SharedReader(.fetchOne(Item.select({ max($0.id) }, as: Int.self))) var maximum = 0
    @SharedReader(.fetchCount(Item.all())) var count = 0
    @SharedReader(.fetchAll(SQLRequest<String>(sql: "SELECT name FROM item ORDER BY id"))) var names
    #expect(items.map(\.name) == ["pot"])
    #expect(item?.name == "cup")
    #expect(none == nil)
    #expect(maximum == 2)
    #expect(count == 2)
    #expect(names == ["cup", "pot"])
  }

  @Test func `A-136: equal requests that are built separately share one observation`() throws {
    let readers = (0..<3).map { _ in
      SharedReader<[Item]>(.fetchAll(Item.filter { $0.id > 1 }.order(\.name)))
    }
    let other = SharedReader<[Item]>(.fetchAll(Item.filter { $0.id > 0 }.order(\.name)))
    #expect(readers.allSatisfy { $0.wrappedValue.count == 1 })
    #expect(other.wrappedValue.count == 2)
    #expect(try testDatabase.observationStatistics.live == 2)
    #expect(try testDatabase.observationStatistics.runs == 2)
  }

  @Test
  func `SHR-08: changes come where the scheduler says, and other schedulers share the query`()
    async throws
  {
    let queue = DispatchQueue(label: "changes")
    queue.setSpecific(key: Self.isOnQueue, value: true)
    let sql = "SELECT * FROM item"
    @SharedReader(.fetchAll(sql: sql)) var items: [Item]
    @SharedReader(.fetchAll(sql: sql, scheduler: .async(onQueue: queue))) var onQueue: [Item]
    #expect(onQueue.count == 2, "the first value comes immediately")
    #expect(try testDatabase.observationStatistics.live == 1)
    #expect(try testDatabase.observationStatistics.runs == 1)

    let changed = AsyncStream.makeStream(of: Bool.self)
    withObservationTracking {
      _ = onQueue
    } onChange: {
      changed.continuation.yield(DispatchQueue.getSpecific(key: Self.isOnQueue) ?? false)
    }
    try await testDatabase.run("DELETE FROM item")
    #expect(await changed.stream.first { _ in true } == true)
    try await quiesce()
    #expect(items.isEmpty && onQueue.isEmpty)
    #expect(try testDatabase.observationStatistics.live == 1)
  }

  private static let isOnQueue = DispatchSpecificKey<Bool>()

  @Test func `keys with equal schedulers share a value`() throws {
    let queue = DispatchQueue(label: "changes")
    let first = SharedReader<[Item]>(
      .fetchAll(sql: "SELECT * FROM item", scheduler: .async(onQueue: queue))
    )
    let second = SharedReader<[Item]>(
      .fetchAll(sql: "SELECT * FROM item", scheduler: .async(onQueue: queue))
    )
    #expect(first == second)
    #expect(try testDatabase.observationStatistics.runs == 1)
  }

  @Test func `SHR-07: a key reads the database that it names`() throws {
    let other = try makeDatabase()
    try other.write { db in try db.execute(sql: "DELETE FROM item") }
    @SharedReader(.fetchAll(sql: "SELECT * FROM item")) var some: [Item]
    @SharedReader(.fetchAll(sql: "SELECT * FROM item", database: other)) var none: [Item]
    #expect(some.count == 2)
    #expect(none.isEmpty)
  }

  @Test func `SHR-19: a key and an observation of an equal request share one query`() async throws {
    let request = Item.filter { $0.id > 1 }
    @SharedReader(.fetchAll(request)) var items
    for try await observed in ValueObservation.tracking(request).values(in: try testDatabase) {
      #expect(observed == items)
      break
    }
    #expect(try testDatabase.observationStatistics.runs == 1)
  }
}
