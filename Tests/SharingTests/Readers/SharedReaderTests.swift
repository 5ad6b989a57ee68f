import Foundation
import Observation
import Sharing
import SharingTestSupport
import Synchronization
import Testing
import TestSupport
import WellspringSystem

@Suite(.patient) struct SharedReaderTests {
  // MARK: Sharing

  @Test func `A-123: readers of equal keys share one observation, and one copy of the value`()
    throws
  {
    let database = try makeDatabase()
    do {
      let readers = (0..<100).map { _ in SharedReader(.items(in: database)) }
      let addresses = readers.map { $0.wrappedValue.withUnsafeBufferPointer { $0.baseAddress } }
      #expect(Set(addresses).count == 1)
      #expect(database.observationStatistics.live == 1)
      #expect(database.observationStatistics.runs == 1)
    }
    #expect(database.observationStatistics.live == 0)
  }

  @Test func `a late reader gets the current value immediately, without a fetch`() async throws {
    let database = try await makeDatabase()
    let first = SharedReader(.items(in: database))
    try await database.run("DELETE FROM item WHERE id = 1")
    try await database.quiesce()
    let fetches = database.observationStatistics.runs
    let second = SharedReader(.items(in: database))
    #expect(second.wrappedValue.map(\.id) == [2])
    #expect(first == second)
    #expect(database.observationStatistics.runs == fetches)
  }

  @Test func `readers of one key that are created on many threads share one observation`() throws {
    let database = try makeDatabase()
    let readers = Lock<[SharedReader<[Item]>]>([])
    DispatchQueue.concurrentPerform(iterations: 32) { _ in
      let reader = SharedReader(.items(in: database))
      #expect(reader.wrappedValue.count == 2)
      readers.withLock { $0.append(reader) }
    }
    #expect(database.observationStatistics.live == 1)
    readers.withLock { $0.removeAll() }
    #expect(database.observationStatistics.live == 0)
  }

  @Test func `no observation is left after sixteen threads create and release readers`() throws {
    let database = try makeDatabase()
    DispatchQueue.concurrentPerform(iterations: 16) { thread in
      for round in 0..<50 {
        let reader = SharedReader<[Item]>(
          .fetchAll(
            sql: "SELECT * FROM item WHERE id <= ?",
            arguments: [round % 5],
            database: database
          )
        )
        #expect(reader.wrappedValue.count == min(round % 5, 2))
        if thread == 0 {
          try? database.write { db in try db.execute(sql: "UPDATE item SET id = id") }
        }
      }
    }
    #expect(database.observationStatistics.live == 0)
  }

  // MARK: Where readers live

  actor Counter {
    @SharedReader var items: [Item]
    init(_ database: some DatabaseReader) { _items = SharedReader(.items(in: database)) }
    var count: Int { items.count }
  }

  final class Constants: Sendable {
    let items: SharedReader<[Item]>
    init(_ database: some DatabaseReader) { items = SharedReader(.items(in: database)) }
  }

  struct Settings: Sendable {
    @SharedReader var items: [Item]
  }

  @Observable final class Model {
    @ObservationIgnored @SharedReader var items: [Item]
    init(_ database: some DatabaseReader) { _items = SharedReader(.items(in: database)) }
  }

  /// A reader that, like a global, is created at its first use and never released.
  static let answer = SharedReader<Int>(wrappedValue: 0, ManualKey(answer: 42))

  @Test func `A-133: readers live in actors, classes, structs, observable models and globals`()
    async throws
  {
    let database = try await makeDatabase()
    let counter = Counter(database)
    let constants = Constants(database)
    let settings = Settings(items: SharedReader(.items(in: database)))
    let model = Model(database)
    try await database.run("DELETE FROM item WHERE id = 1")
    try await database.quiesce()
    #expect(await counter.count == 1)
    #expect(constants.items.wrappedValue.count == 1)
    #expect(settings.items.count == 1)
    #expect(model.items.count == 1)
    #expect(Self.answer.wrappedValue == 42)
    #expect(database.observationStatistics.live == 1)
  }

  // MARK: Errors

  @Test func `SHR-10: the reader of an invalid query shows its default and has an error`() throws {
    let database = try makeDatabase()
    @SharedReader(.fetchAll(sql: "SELECT * FROM item ORDER id", database: database))
    var items: [Item]
    #expect(items == [])
    #expect(($items.loadError as? DatabaseError)?.message == #"near "id": syntax error"#)
  }

  @Test func `the reader of a query that first fails shows its default, and recovers`() async throws
  {
    let database = try DatabaseQueue()
    @SharedReader(.fetchAll(sql: "SELECT * FROM item", database: database))
    var items = [Item(id: 0, name: "none")]
    #expect(items.map(\.id) == [0])
    #expect(($items.loadError as? DatabaseError)?.message == "no such table: item")
    try await database.write { db in try createShop(db) }
    try await database.quiesce()
    #expect(items.map(\.id) == [1, 2])
    #expect($items.loadError == nil)
  }

  @Test func `a reader keeps its last value while its table is missing`() async throws {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    try await database.run("ALTER TABLE item RENAME TO gone")
    try await database.quiesce()
    #expect(items.count == 2)
    #expect($items.loadError != nil)
    try await database.run("ALTER TABLE gone RENAME TO item")
    try await database.quiesce()
    #expect(items.count == 2)
    #expect($items.loadError == nil)
  }

  @Test func `closing the database keeps the last value, sets an error and ends loops`()
    async throws
  {
    let database = try await makeDatabase()
    @SharedReader(.items(in: database)) var items
    var count = 0
    for await _ in $items.values {
      count += 1
      try database.close()
    }
    #expect(count == 1)
    #expect(items.count == 2)
    #expect(($items.loadError as? DatabaseError)?.isDatabaseClosed == true)
    await #expect(throws: DatabaseError.self) { try await $items.load() }
    let late = SharedReader<Int>(
      wrappedValue: 7,
      .fetchOne(sql: "SELECT 1", database: database)
    )
    #expect(late.wrappedValue == 7)
    #expect((late.loadError as? DatabaseError)?.isDatabaseClosed == true)
  }

  @Test func `a reader created inside an access has an error, and gets its value afterwards`()
    async throws
  {
    let database = try await makeDatabase()
    let reader = try await database.write { db in
      let reader = SharedReader(.items(in: database))
      #expect(reader.wrappedValue.isEmpty)
      #expect((reader.loadError as? DatabaseError)?.resultCode == .SQLITE_MISUSE)
      return reader
    }
    try await database.quiesce()
    #expect(reader.wrappedValue.count == 2)
    #expect(reader.loadError == nil)
  }

  // MARK: Conformances

  @Test func `equality, hash, identity and description of a reader are those of its value`() {
    let one = SharedReader(value: 1)
    #expect(one == SharedReader(value: 1))
    #expect(one != SharedReader(value: 2))
    let readers: Set<SharedReader<Int>> = [one, SharedReader(value: 1)]
    #expect(readers.count == 1)
    #expect(one.description == "SharedReader(1)")
    #expect(SharedReader(value: Item(id: 3, name: "jug")).id == 3)
  }

  @Test func `A-120: a constant never changes`() async throws {
    let reader = SharedReader(value: 7)
    #expect(reader.wrappedValue == 7)
    #expect(!reader.isLoading)
    #expect(reader.loadError == nil)
    try await reader.load()
    #expect(await reader.values.first { _ in true } == 7)
  }
}
