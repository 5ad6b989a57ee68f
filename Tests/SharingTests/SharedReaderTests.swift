import Foundation
import Observation
import Sharing
import Synchronization
import Testing

struct Item: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
}

/// A database in memory with two items.
func makeDatabase() throws -> DatabaseQueue {
  let database = try DatabaseQueue()
  try database.write { db in
    try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    try Item(id: 1, name: "cup").insert(db)
    try Item(id: 2, name: "pot").insert(db)
  }
  return database
}

@Suite struct SharedReaderTests {
  // MARK: Keys

  @Test func `fetchAll has its first value at once and follows the database`() async throws {
    let database = try await makeDatabaseAsync()
    @SharedReader(.fetchAll(sql: "SELECT * FROM item ORDER BY id", database: database))
    var items: [Item]
    #expect(items.map(\.name) == ["cup", "pot"])

    var names: [[String]] = []
    for await items in $items.values {
      names.append(items.map(\.name))
      if names.count == 2 { break }
      try await database.write { db in try Item(id: 3, name: "mug").insert(db) }
    }
    #expect(names == [["cup", "pot"], ["cup", "pot", "mug"]])
    #expect(items.count == 3)
  }

  @Test func `fetchAll fetches values and rows too`() throws {
    let database = try makeDatabase()
    @SharedReader(.fetchAll(sql: "SELECT name FROM item ORDER BY id", database: database))
    var names: [String]
    @SharedReader(.fetchAll(sql: "SELECT name FROM item ORDER BY id", database: database))
    var rows: [Row]
    #expect(names == ["cup", "pot"])
    #expect(rows.map { $0["name"] } == ["cup", "pot"])
  }

  @Test func `arguments are bound and belong to the key`() throws {
    let database = try makeDatabase()
    let sql = "SELECT name FROM item WHERE id = ?"
    @SharedReader(.fetchAll(sql: sql, arguments: [1], database: database)) var first: [String]
    @SharedReader(.fetchAll(sql: sql, arguments: [2], database: database)) var second: [String]
    #expect(first == ["cup"])
    #expect(second == ["pot"])
  }

  @Test func `fetchOne has the type of its default`() throws {
    let database = try makeDatabase()
    @SharedReader(.fetchOne(sql: "SELECT count(*) FROM item", database: database)) var count = 0
    #expect(count == 2)
    #expect(type(of: count) == Int.self)
  }

  @Test func `fetchOne of an optional is nil without a row`() throws {
    let database = try makeDatabase()
    @SharedReader(.fetchOne(sql: "SELECT * FROM item WHERE id = 9", database: database))
    var item: Item?
    @SharedReader(.fetchOne(sql: "SELECT id FROM item WHERE id = 9", database: database))
    var id: Int?
    #expect(item == nil)
    #expect($item.loadError == nil)
    #expect(id == nil)
    #expect($id.loadError == nil)
  }

  @Test func `fetchOne without a row keeps the last value, and recovers`() async throws {
    let database = try await makeDatabaseAsync()
    let sql = "SELECT name FROM item WHERE id = 1"
    @SharedReader(.fetchOne(sql: sql, database: database)) var name = "none"
    #expect(name == "cup")
    try await database.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    try await waitUntil { $name.loadError != nil }
    #expect($name.loadError as? NotFound == NotFound(sql: sql))
    #expect(name == "cup")
    try await database.write { db in try Item(id: 1, name: "new cup").insert(db) }
    try await waitUntil { name == "new cup" }
    #expect($name.loadError == nil)
  }

  struct Stock: FetchKeyRequest {
    struct Value: Sendable, Equatable {
      var names: [String] = []
      var count = 0
    }
    var limit: Int

    func fetch(_ db: Database) throws -> Value {
      Value(
        names: try String.fetchAll(
          db,
          sql: "SELECT name FROM item ORDER BY id LIMIT ?",
          arguments: [limit]
        ),
        count: try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
      )
    }
  }

  @Test func `a request runs several queries, and its properties belong to the key`() throws {
    let database = try makeDatabase()
    @SharedReader(.fetch(Stock(limit: 1), database: database)) var one = Stock.Value()
    @SharedReader(.fetch(Stock(limit: 9), database: database)) var all = Stock.Value()
    #expect(one == Stock.Value(names: ["cup"], count: 2))
    #expect(all == Stock.Value(names: ["cup", "pot"], count: 2))
  }

  // MARK: Sharing

  @Test func `readers of equal keys share one observation`() throws {
    let database = try makeDatabase()
    do {
      let readers = (0..<100).map { _ in
        SharedReader<[Item]>(.fetchAll(sql: "SELECT * FROM item", database: database))
      }
      #expect(readers.allSatisfy { $0.wrappedValue.count == 2 })
      #expect(database.observationStatistics.live == 1)
      #expect(database.observationStatistics.refetches == 1)
    }
    #expect(database.observationStatistics.live == 0)
  }

  @Test func `equal keys of two databases are two`() throws {
    let first = try makeDatabase()
    let second = try makeDatabase()
    try second.write { db in try db.execute(sql: "DELETE FROM item") }
    @SharedReader(.fetchAll(sql: "SELECT * FROM item", database: first)) var some: [Item]
    @SharedReader(.fetchAll(sql: "SELECT * FROM item", database: second)) var none: [Item]
    #expect(some.count == 2)
    #expect(none.isEmpty)
  }

  @Test func `many threads that make readers of one key get one observation`() throws {
    let database = try makeDatabase()
    let readers = Mutex<[SharedReader<[Item]>]>([])
    DispatchQueue.concurrentPerform(iterations: 32) { _ in
      let reader = SharedReader<[Item]>(.fetchAll(sql: "SELECT * FROM item", database: database))
      #expect(reader.wrappedValue.count == 2)
      readers.withLock { $0.append(reader) }
    }
    #expect(database.observationStatistics.live == 1)
    readers.withLock { $0.removeAll() }
    #expect(database.observationStatistics.live == 0)
  }

  // MARK: Lifetime

  @Test func `a loop keeps the observation, and its end ends it`() async throws {
    let database = try await makeDatabaseAsync()
    var reader: SharedReader<[Item]>? = SharedReader(
      .fetchAll(sql: "SELECT * FROM item", database: database)
    )
    var counts: [Int] = []
    for await items in reader!.values {
      reader = nil
      #expect(database.observationStatistics.live == 1)
      counts.append(items.count)
      if counts.count == 2 { break }
      try await database.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    }
    #expect(counts == [2, 1])
    try await waitUntil { database.observationStatistics.live == 0 }
  }

  @Test func `a cancelled task ends its loop`() async throws {
    let database = try await makeDatabaseAsync()
    let reader = SharedReader<[Item]>(.fetchAll(sql: "SELECT * FROM item", database: database))
    let began = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in reader.values { began.continuation.yield() }
    }
    for await _ in began.stream { break }
    task.cancel()
    await task.value
  }

  @Test func `a dropped stream is forgotten`() throws {
    let database = try makeDatabase()
    do {
      let reader = SharedReader<[Item]>(.fetchAll(sql: "SELECT * FROM item", database: database))
      _ = reader.values
    }
    #expect(database.observationStatistics.live == 0)
  }

  @Test func `a closed database keeps the last value, says so and ends streams`() async throws {
    let database = try await makeDatabaseAsync()
    @SharedReader(.fetchAll(sql: "SELECT * FROM item", database: database)) var items: [Item]
    var count = 0
    for await _ in $items.values {
      count += 1
      try database.close()
    }
    #expect(count == 1)
    #expect(items.count == 2)
    #expect(($items.loadError as? DatabaseError)?.isDatabaseClosed == true)
  }

  // MARK: Errors and reloading

  @Test func `a wrong query keeps the default, and says what is wrong`() throws {
    let database = try makeDatabase()
    @SharedReader(.fetchAll(sql: "SELECT * FROM item ORDER id", database: database))
    var items: [Item]
    #expect(items == [])
    let error = $items.loadError as? DatabaseError
    #expect(error?.message == #"near "id": syntax error"#)
  }

  @Test func `a reader made inside of an access says so, and gets its value after it`() async throws
  {
    let database = try await makeDatabaseAsync()
    let reader = try await database.write { db in
      let reader = SharedReader<[Item]>(.fetchAll(sql: "SELECT * FROM item", database: database))
      #expect(reader.wrappedValue.isEmpty)
      #expect((reader.loadError as? DatabaseError)?.resultCode == .SQLITE_MISUSE)
      return reader
    }
    try await waitUntil { reader.wrappedValue.count == 2 }
    #expect(reader.loadError == nil)
  }

  @Test func `load fetches anew, and throws what it meets`() async throws {
    let database = try await makeDatabaseAsync()
    @SharedReader(.fetchAll(sql: "SELECT * FROM item", database: database)) var items: [Item]
    try await $items.load()
    #expect(items.count == 2)
    try await database.write { db in try db.execute(sql: "DROP TABLE item") }
    await #expect(throws: DatabaseError.self) { try await $items.load() }
    #expect($items.loadError != nil)
    #expect(items.count == 2)
  }

  @Test func `a constant never changes`() async throws {
    let reader = SharedReader(value: 7)
    #expect(reader.wrappedValue == 7)
    try await reader.load()
    #expect(reader.description == "SharedReader(7)")
  }

  @Test func `the standard library's observation is told`() async throws {
    let database = try await makeDatabaseAsync()
    let reader = SharedReader<[Item]>(.fetchAll(sql: "SELECT * FROM item", database: database))
    let changed = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = reader.wrappedValue
    } onChange: {
      changed.continuation.yield()
    }
    try await database.write { db in try db.execute(sql: "DELETE FROM item") }
    for await _ in changed.stream { break }
    try await waitUntil { reader.wrappedValue.isEmpty }
  }

  // MARK: Helpers

  private func makeDatabaseAsync() async throws -> DatabaseQueue { try makeDatabase() }

  private func waitUntil(_ condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
      guard ContinuousClock.now < deadline else {
        Issue.record("the condition does not come true")
        return
      }
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}
