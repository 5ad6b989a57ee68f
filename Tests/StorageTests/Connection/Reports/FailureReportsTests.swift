import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

@Suite(.patient) struct FailureReportsTests {
  private struct Failed: Error {}

  @Test func `a flood is one report, and a later one with the count`() async throws {
    let reports = FailureReports(FailureReportsStateMachine(length: .milliseconds(300)))
    let received = Recorder<Int>()
    reports.function = { received.append($0.count) }
    for _ in 0..<1_000 { reports.report(Failed(), source: "key") }
    var count = 0
    var lines = 0
    while count < 1_000 {
      count += try await received.nextValue()
      lines += 1
    }
    #expect(count == 1_000)
    // The loop above may take longer than a window.
    #expect(lines < 20)
  }

  @Test func `without a function, nothing is counted`() async throws {
    let reports = FailureReports(FailureReportsStateMachine(length: .milliseconds(1)))
    reports.function = nil
    reports.report(Failed(), source: "key")
    let received = Recorder<Int>()
    reports.function = { received.append($0.count) }
    reports.report(Failed(), source: "key")
    #expect(try await received.nextValue() == 1)
  }

  @Test func `by default, a line is written to the standard error`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let database = try DatabaseQueue()
      let statement = try database.write { db in try db.makeStatement(sql: "SELECT 1") }
      // The database is released while a statement is held.
      _ = consume database
      withExtendedLifetime(statement) {}
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("wellspring: :memory:"), "\(text)")
  }

  @Test func `the error log receives the same errors`() async {
    await #expect(processExitsWith: .success) {
      let entries = Lock<[String]>([])
      Database.logError = { _, message in entries.withLock { $0.append("log: \(message)") } }
      Database.reportFailure = { report in
        entries.withLock { $0.append("report: \(report.source)") }
      }
      ErrorLog.report(.SQLITE_FULL, "the disk is full", source: "shop.sqlite")
      ErrorLog.report(DatabaseError.databaseIsClosed, source: "shop.sqlite")
      try #require(
        entries.withLock { $0 } == [
          "log: the disk is full", "report: shop.sqlite", "log: the database is closed",
        ]
      )
    }
  }
}
