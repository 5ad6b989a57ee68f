import Foundation
import Testing
import TestSupport

@testable import Sharing

@Suite(.patient) struct SharedReaderFailuresTests {
  private let failures = RecordedFailures()
  private static let typo = "SELECT * FROM itme WHERE id = ?"

  private func typo(in database: any DatabaseReader, id: Int = 4711) -> FetchKey<[Item]> {
    .fetchAll(sql: Self.typo, arguments: [id], database: database)
  }

  @Test func `a typo is reported once, with the key and without the arguments`() throws {
    let database = try makeDatabase()
    let readers = failures.record { (0..<3).map { _ in SharedReader(typo(in: database)) } }
    #expect(readers.allSatisfy { $0.loadError != nil })
    #expect(
      failures.lines == [
        """
        fetchAll(\(Self.typo)): SQLite error 1: no such table: itme - while executing \
        "\(Self.typo)"
        """
      ]
    )
  }

  @Test func `a decoding error is reported`() throws {
    let database = try makeDatabase()
    let reader = failures.record {
      SharedReader<[Int]>(.fetchAll(sql: "SELECT name FROM item", database: database))
    }
    #expect(reader.loadError is RowDecodingError)
    #expect(failures.lines.count == 1)
    #expect(failures.lines[0].contains("column name holds 'cup', which is no Int"))
  }

  @Test func `a missing default database is reported`() {
    let reader = failures.record { SharedReader<Int>(wrappedValue: 0, .fetchCount(Item.all())) }
    #expect(reader.loadError is NoDefaultDatabase)
    #expect(failures.lines.count == 1)
    #expect(failures.lines[0].hasPrefix("fetchCount(SELECT * FROM \"item\"): there is no default"))
  }

  @Test func `a failure in a loop is reported once, and a different one too`() async throws {
    let database = try await makeDatabase()
    let loop = failures.record {
      Task {
        let reader = SharedReader<[Item]>(.items(in: database))
        var results: [String] = []
        for await result in reader.results {
          switch result {
          case .success(let items): results.append("\(items.count)")
          case .failure(let error): results.append("\((error as? DatabaseError)?.message ?? "?")")
          }
          switch results.count {
          case 1: try await database.run("ALTER TABLE item RENAME TO other")
          case 2: try await database.run("CREATE TABLE item (name TEXT)")
          default: return results
          }
        }
        return results
      }
    }
    let results = try await loop.value
    try await database.quiesce()
    #expect(results == ["2", "no such table: item", "no such column: id"])
    let lines = failures.lines
    #expect(lines.count == 2, "\(lines)")
    #expect(lines[0].contains("no such table: item"))
    #expect(lines[1].contains("no such column: id"))
  }

  @Test func `the error of a load goes to its caller only`() async throws {
    let database = try await makeDatabase()
    try await failures.record {
      let reader = SharedReader<[Item]>(.items(in: database))
      await #expect(throws: DatabaseError.self) { try await reader.load(typo(in: database)) }
      #expect(reader.loadError != nil)
      await #expect(throws: DatabaseError.self) {
        _ = try await SharedReader(require: typo(in: database, id: 1))
      }
      try await database.run("DROP TABLE item")
      try await database.quiesce()
    }
    #expect(failures.lines == [])
  }

  @Test func `the error of a required value is reported when another reader shows the key`()
    async throws
  {
    let key = ManualKey()
    let required = failures.record { Task { try await SharedReader(require: key) } }
    let continuation = try await key.nextContinuation()
    key.subscriber.yield(throwing: NotFound(sql: "SELECT 1"))
    #expect(failures.lines == [])
    let reader = failures.record { SharedReader(wrappedValue: 0, key) }
    #expect(reader.loadError is NotFound)
    // The caller may still receive the error.
    #expect(failures.lines == [])
    required.cancel()
    _ = await required.result
    continuation.resume(returning: 1)
    #expect(failures.lines == [#"ManualKey: no row - for "SELECT 1""#])
  }

  @Test func `a closed database is a failure of new readers only`() async throws {
    let database = try await makeDatabase()
    let old = failures.record { SharedReader<[Item]>(.items(in: database)) }
    try database.close()
    for await _ in old.values {}
    #expect((old.loadError as? DatabaseError)?.isDatabaseClosed == true)
    #expect(failures.lines == [])
    let new = failures.record {
      SharedReader<Int>(wrappedValue: 0, .fetchCount(Item.all(), database: database))
    }
    #expect(new.loadError != nil)
    #expect(failures.lines.count == 1)
  }

  @Test func `readers of one moment report each failure once`() async throws {
    let database = try await makeDatabase()
    let (items, count) = failures.record {
      (
        SharedReader<[Item]>(.items(in: database)),
        SharedReader<Int>(wrappedValue: 0, .fetchCount(Item.all(), database: database))
      )
    }
    var moments = values(of: items, count).makeAsyncIterator()
    _ = try await failures.record { try await moments.next() }
    try await database.run("ALTER TABLE item RENAME TO other")
    try await database.quiesce()
    let lines = failures.lines
    #expect(lines.count == 2, "\(lines)")
  }

  private struct SecretKey: SharedReaderKey {
    let id: String

    func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
      continuation.resume(throwing: NotFound(sql: "SELECT 1"))
    }

    func subscribe(
      context: LoadContext<Int>,
      subscriber: SharedSubscriber<Int>
    ) -> SharedSubscription {
      SharedSubscription {}
    }
  }

  private struct SecretRequest: FetchKeyRequest {
    let token: String
    func fetch(_ db: Database) throws -> Int { throw NotFound(sql: "SELECT 1") }
  }

  @Test func `the properties of keys and requests are not reported`() throws {
    let database = try makeDatabase()
    let readers = failures.record {
      (
        SharedReader(wrappedValue: 0, SecretKey(id: "hunter2")),
        SharedReader(wrappedValue: 0, .fetch(SecretRequest(token: "hunter2"), database: database))
      )
    }
    withExtendedLifetime(readers) {}
    #expect(
      failures.lines == [
        #"SecretKey: no row - for "SELECT 1""#, #"fetch(SecretRequest): no row - for "SELECT 1""#,
      ]
    )
  }

  @Test func `a service reports a failure once, on the standard error`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let database = try await makeDatabase()
      let sql = "SELECT * FROM itme"
      let readers = (0..<10).map { _ in
        SharedReader<[Item]>(.fetchAll(sql: sql, database: database))
      }
      // The query runs again, and fails in the same way.
      for id in 3..<10 { try await database.run("INSERT INTO item VALUES (\(id), 'tub')") }
      try await database.quiesce()
      withExtendedLifetime(readers) {}
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("wellspring: ") }
    #expect(
      lines == [
        """
        wellspring: fetchAll(SELECT * FROM itme): SQLite error 1: no such table: itme - while \
        executing "SELECT * FROM itme"
        """
      ],
      "\(text)"
    )
  }

  @Test func `a flood of different readers with one failure is bounded, and can be silenced`()
    async throws
  {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let database = try await makeDatabase()
      let start = ContinuousClock.now
      func makeReaders(_ prefix: String) -> [SharedReader<[Item]>] {
        (0..<1_000).map { number in
          let sql = "SELECT * FROM \(prefix)\(number)"
          return SharedReader(.fetchAll(sql: sql, database: database))
        }
      }
      let loud = makeReaders("a")
      Database.reportFailure = nil
      let silent = makeReaders("b")
      withExtendedLifetime((loud, silent)) {}
      let windows = 1 + Int((ContinuousClock.now - start) / .seconds(10))
      FileHandle.standardError.write(Data("windows: \(windows)\n".utf8))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("wellspring: ") }
    // On a busy machine, the readers take longer than the ten seconds of a window.
    let windows = try #require(
      text.split(separator: "\n").compactMap { Int($0.trimmingPrefix("windows: ")) }.first
    )
    #expect(lines.count >= 101)
    #expect(lines.count <= 101 * windows)
    #expect(!lines.contains { $0.contains("FROM b") })
  }
}
