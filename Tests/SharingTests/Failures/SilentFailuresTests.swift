import SharingTestSupport
import Testing
import TestSupport
import WellspringSystem

@testable import Sharing

/// Each failure that used to show an empty value only: it is loud, once, wherever it happens.
@Suite(.patient) struct SilentFailuresTests {
  private enum Failure: CaseIterable {
    case typo
    case decoding
    case noDefaultDatabase

    /// The beginning of the report.
    var prefix: String {
      switch self {
      case .typo: "fetchAll(SELECT * FROM itme): SQLite error 1: no such table: itme"
      case .decoding: "fetchAll(SELECT name FROM item): "
      case .noDefaultDatabase: "fetchAll(SELECT 1): there is no default database"
      }
    }

    /// Makes a reader that fails.
    func makeReader(in database: DatabaseQueue) -> SharedReader<[Int]> {
      switch self {
      case .typo: SharedReader(.fetchAll(sql: "SELECT * FROM itme", database: database))
      case .decoding: SharedReader(.fetchAll(sql: "SELECT name FROM item", database: database))
      case .noDefaultDatabase: SharedReader(.fetchAll(sql: "SELECT 1"))
      }
    }
  }

  @Test(arguments: Failure.allCases)
  private func `a failure in a loop is reported once`(_ failure: Failure) async throws {
    let failures = RecordedFailures()
    let database = try await makeDatabase()
    try await failures.record {
      let reader = failure.makeReader(in: database)
      var results = reader.results.makeAsyncIterator()
      let first = await results.next()
      #expect(throws: (any Error).self) { try first?.get() }
      // The query runs again, and fails in the same way.
      for id in 3..<6 { try await database.run("INSERT INTO item VALUES (\(id), 'tub')") }
      try await database.quiesce()
      withExtendedLifetime(reader) {}
    }
    let lines = failures.lines
    #expect(lines.count == 1, "\(lines)")
    #expect(lines.first?.hasPrefix(failure.prefix) == true, "\(lines)")
  }

  @Test(.recordsFailures, arguments: Failure.allCases)
  private func `a failure in a test is one issue of it`(_ failure: Failure) throws {
    let issues = Lock(0)
    let database = try makeDatabase()
    withKnownIssue {
      let readers = (0..<3).map { _ in failure.makeReader(in: database) }
      #expect(readers.allSatisfy { $0.wrappedValue.isEmpty })
    } matching: { _ in
      issues.withLock { $0 += 1 }
      return true
    }
    #expect(issues.withLock { $0 } == 1)
  }

  @Test func `the failures of a service are one line each, on the standard error`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let database = try await makeDatabase()
      let readers = Failure.allCases.flatMap { failure in
        (0..<3).map { _ in failure.makeReader(in: database) }
      }
      for id in 3..<6 { try await database.run("INSERT INTO item VALUES (\(id), 'tub')") }
      try await database.quiesce()
      withExtendedLifetime(readers) {}
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for failure in Failure.allCases {
      let lines = text.split(separator: "\n").filter {
        $0.hasPrefix("wellspring: \(failure.prefix)")
      }
      #expect(lines.count == 1, "\(text)")
    }
  }

  @Test func `a flood of equal failures is one line, and one with the count at the end`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let database = try await makeDatabase()
      let readers = (0..<100).map { id in
        SharedReader<[Item]>(
          .fetchAll(sql: "SELECT * FROM itme WHERE id = ?", arguments: [id], database: database)
        )
      }
      try await database.shutDown()
      withExtendedLifetime(readers) {}
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("wellspring: ") }
    #expect(lines.count == 2, "\(text)")
    #expect(lines.last?.hasSuffix(" (99 times)") == true, "\(text)")
  }
}
