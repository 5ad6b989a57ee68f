import Foundation
import Sharing
import Testing
import TestSupport
import WellspringSystem

@Suite(.patient) struct SharedReaderLifetimeTests {
  @Test func `a loop keeps the observation running until the loop ends`() async throws {
    let database = try await makeDatabase()
    let key = EndReportingKey(base: .items(in: database), ended: Event())
    var reader: SharedReader<[Item]>? = SharedReader(key)
    var counts: [Int] = []
    for await items in reader!.values {
      reader = nil
      #expect(database.observationStatistics.live == 1)
      counts.append(items.count)
      if counts.count == 2 { break }
      try await database.run("DELETE FROM item WHERE id = 1")
    }
    #expect(counts == [2, 1])
    // The thread that delivered the last value may end the observation a little later.
    try await key.ended.wait()
    #expect(database.observationStatistics.live == 0)
  }

  @Test func `P9: cancelling a task ends its loop and the observation`() async throws {
    let database = try await makeDatabase()
    let began = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in SharedReader(.items(in: database)).values { began.continuation.yield() }
    }
    for await _ in began.stream { break }
    #expect(database.observationStatistics.live == 1)
    task.cancel()
    await task.value
    #expect(database.observationStatistics.live == 0)
  }

  @Test func `releasing a sequence ends the observation`() throws {
    let database = try makeDatabase()
    do {
      let reader = SharedReader(.items(in: database))
      _ = reader.values.makeAsyncIterator()
      _ = reader.results
    }
    #expect(database.observationStatistics.live == 0)
  }

  /// A value whose deinitializer uses a reader.
  private final class ReadingValue: Sendable {
    let names: [String]
    private let source: ReadingValues

    init(_ names: [String], _ source: ReadingValues) {
      self.names = names
      self.source = source
      source.live.withLock { $0 += 1 }
    }

    deinit {
      let key = FetchKey<Int>.fetch(ItemCount(), database: source.database)
      _ = SharedReader(wrappedValue: 0, key).wrappedValue
      let isLast = source.live.withLock { live in
        live -= 1
        return live == 0
      }
      if isLast { source.released.happen() }
    }
  }

  private struct ItemCount: FetchKeyRequest {
    func fetch(_ db: Database) throws -> Int { try Item.fetchCount(db) }
  }

  /// Fetches values, and reports when the last one was released.
  private final class ReadingValues: FetchKeyRequest {
    let database: DatabaseQueue
    // Guards the number of values that are not released.
    let live = Lock(0)
    let released = Event()

    init(_ database: DatabaseQueue) {
      self.database = database
    }

    static func == (left: ReadingValues, right: ReadingValues) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    func fetch(_ db: Database) throws -> ReadingValue {
      ReadingValue(try String.fetchAll(db, sql: "SELECT name FROM item"), self)
    }
  }

  @Test func `a value is released outside locks, so its deinitializer may use readers`()
    async throws
  {
    let database = try await makeDatabase()
    let source = ReadingValues(database)
    let key = EndReportingKey<ReadingValue>(
      base: .fetch(source, database: database),
      ended: Event()
    )
    do {
      let reader = SharedReader(wrappedValue: ReadingValue([], source), key)
      var values = reader.values.makeAsyncIterator()
      #expect(await values.next()?.names.count == 2)
      for id in 3...20 {
        try await database.write { db in try Item(id: Int64(id), name: "mug").insert(db) }
      }
      try await reader.load()
      // The values on the way may be seen, too.
      while let value = await values.next(), value.names.count < 20 {}
      #expect(reader.wrappedValue.names.count == 20)
    }
    // A thread of the library may release the last value, and with it the last reader.
    try await key.ended.wait()
    try await source.released.wait()
    #expect(database.observationStatistics.live == 0)
  }

  /// Returns the resident memory of the process, in bytes.
  private static func resident() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(Int(line.filter(\.isNumber))) * 1024
  }

  @Test(.disabled(if: Sanitizer.isActive))
  func `soak: creating, iterating and releasing readers does not increase memory`() async {
    let count = Soak.size(100_000, inSuite: 1000)
    await #expect(processExitsWith: .success) { [count = count as Int] in
      let database = try await makeDatabase()
      func round(_ number: Int) async throws {
        let reader = SharedReader<[Item]>(
          .fetchAll(
            sql: "SELECT * FROM item WHERE id <> ?",
            arguments: [number],
            database: database
          )
        )
        for await items in reader.values {
          try #require(items.count == 2)
          break
        }
        for try await (items, ids) in values(of: reader, reader.read { $0.map(\.id) }) {
          try #require(items.map(\.id) == ids)
          break
        }
      }
      for number in 100..<(100 + count / 2) { try await round(number) }
      try await database.quiesce()
      let before = try Self.resident()
      for number in 100..<(100 + count) { try await round(number) }
      try await database.quiesce()
      let growth = try Self.resident() - before
      // The thread that delivered the last value may end the observation a little later.
      try await eventually { database.observationStatistics.live == 0 }
      try #require(growth < 2_000_000, "grew by \(growth) bytes")
    }
  }

  @Test(.disabled(if: Sanitizer.isActive))
  func `a reader costs under 1 kB, and a distinct observation under 8 kB`() async {
    await #expect(processExitsWith: .success) {
      let database = try makeDatabase()
      func reader(_ number: Int) -> SharedReader<[Item]> {
        SharedReader(
          .fetchAll(sql: "SELECT * FROM item WHERE id = ?", arguments: [number], database: database)
        )
      }
      let first = (100..<200).map(reader)
      var before = try Self.resident()
      let observations = (1000..<2000).map(reader)
      let perObservation = try (Self.resident() - before) / observations.count
      before = try Self.resident()
      let readers = (0..<5000).map { reader(100 + $0 % 100) }
      let perReader = try (Self.resident() - before) / readers.count
      try #require(database.observationStatistics.live == first.count + observations.count)
      try #require(perReader < 1024, "a reader costs \(perReader) bytes")
      try #require(perObservation < 8192, "an observation costs \(perObservation) bytes")
    }
  }
}
