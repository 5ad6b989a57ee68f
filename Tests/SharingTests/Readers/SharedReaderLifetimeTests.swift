import Foundation
import Sharing
import Testing

@Suite(.timeLimit(.minutes(5))) struct ReaderLifetimeTests {
  @Test func `a loop keeps the observation, and its end ends it`() async throws {
    let database = try await makeDatabase()
    var reader: SharedReader<[Item]>? = SharedReader(.items(in: database))
    var counts: [Int] = []
    for await items in reader!.values {
      reader = nil
      #expect(database.observationStatistics.live == 1)
      counts.append(items.count)
      if counts.count == 2 { break }
      try await database.run("DELETE FROM item WHERE id = 1")
    }
    #expect(counts == [2, 1])
    // The thread that told the last value may be about to let go of it.
    try await waitUntil { database.observationStatistics.live == 0 }
  }

  @Test("P9: a cancelled task ends its loop, and with it the observation")
  func cancelledTask() async throws {
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

  @Test func `a dropped sequence is forgotten`() throws {
    let database = try makeDatabase()
    do {
      let reader = SharedReader(.items(in: database))
      _ = reader.values.makeAsyncIterator()
      _ = reader.results
    }
    #expect(database.observationStatistics.live == 0)
  }

  /// A value whose end uses readers.
  final class Talkative: Sendable {
    let names: [String]
    let database: any DatabaseReader
    init(_ names: [String], _ database: any DatabaseReader) {
      self.names = names
      self.database = database
    }
    deinit {
      let reader = SharedReader<Int>(wrappedValue: 0, .fetch(Ends(), database: database))
      _ = reader.wrappedValue
    }
  }

  /// Counts rows of a table that nobody changes.
  struct Ends: FetchKeyRequest {
    func fetch(_ db: Database) throws -> Int { try Item.fetchCount(db) }
  }

  struct TalkativeNames: FetchKeyRequest {
    let database: DatabaseQueue
    static func == (left: Self, right: Self) -> Bool { left.database === right.database }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(database)) }
    func fetch(_ db: Database) throws -> Talkative {
      Talkative(try String.fetchAll(db, sql: "SELECT name FROM item"), database)
    }
  }

  @Test func `a value that uses readers as it ends does so under no lock`() async throws {
    let database = try await makeDatabase()
    do {
      let reader = SharedReader(
        wrappedValue: Talkative([], database),
        .fetch(TalkativeNames(database: database), database: database)
      )
      var values = reader.values.makeAsyncIterator()
      #expect(await values.next()?.names.count == 2)
      for id in 3...20 {
        try await database.write { db in try Item(id: Int64(id), name: "mug").insert(db) }
      }
      try await reader.load()
      #expect(await values.next()?.names.count == 20)
    }
    // The last value may end on a thread of the library, and its reader with it.
    try await waitUntil { database.observationStatistics.live == 0 }
  }

  /// Bytes that the process has in memory.
  private static func resident() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(Int(line.filter(\.isNumber))) * 1024
  }

  @Test(.disabled(if: Sanitizer.isActive))
  func `soak: rounds of making, looping and dropping leave memory flat`() async {
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
      try #require(database.observationStatistics.live == 0)
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
