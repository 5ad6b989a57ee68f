import Foundation
import Storage
import Synchronization
import Testing

@testable import Operations

@Suite(.timeLimit(.minutes(1))) struct OperationsTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")

  private func makeService(
    _ instruments: [any DatabaseInstrument],
    slowStatementThreshold: Duration = .milliseconds(100)
  ) throws -> MeterService {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return try MeterService(
      path: directory.appending(path: "meters.sqlite").path,
      instruments: instruments,
      slowStatementThreshold: slowStatementThreshold
    )
  }

  @Test func `slow statements are logged, counted and traced, without values`() async throws {
    let lines = Recorded<String>()
    let spans = Recorded<Span>()
    let counters = ActivityCounters()
    let service = try makeService(
      [ActivityLog { lines.append("\($0) \($1)") }, counters, ActivityTrace { spans.append($0) }],
      slowStatementThreshold: .zero
    )
    try await service.store(21.5, of: "kitchen")
    try await service.shutDown(within: .seconds(10))
    let sql = "INSERT INTO reading (meter, value, takenAt) VALUES (?, ?, datetime('now'))"
    #expect(lines.all.contains("info meters: opened"))
    #expect(lines.all.contains { $0.hasPrefix("warning meters: slow") && $0.hasSuffix(sql) })
    #expect(!lines.all.joined().contains("kitchen"))
    #expect(lines.all.last == "info meters: closed")
    #expect(spans.all.contains { $0.attributes["db.query.text"] == sql && $0.start <= $0.end })
    #expect(counters.text.contains("database_slow_statements_total "))
  }

  @Test func `a failing observation is an error in the log, and is counted`() async throws {
    let lines = Recorded<String>()
    let counters = ActivityCounters()
    let service = try makeService([ActivityLog { lines.append("\($0) \($1)") }, counters])
    try await service.store(1, of: "kitchen")
    let follower = Task { try await service.followCount { _ in } }
    while !counters.text.contains("database_observations 1") { await Task.yield() }
    try await service.pool.write { db in try db.execute(sql: "DROP TABLE reading") }
    await #expect(throws: DatabaseError.self) { try await follower.value }
    #expect(lines.all.contains { $0.hasPrefix("error meters: observation 0 failed") })
    #expect(counters.text.contains("database_observation_failures_total 1"))
    try await service.shutDown(within: .seconds(10))
    #expect(counters.text.contains("database_observations 0"))
  }

  @Test func `a shut-down ends the follower and keeps all that was stored`() async throws {
    let service = try makeService([])
    async let following: Void = service.followCount { _ in }
    for value in 0..<20 { try await service.store(Double(value), of: "kitchen") }
    #expect(await service.answerHealthCheck().status == 200)
    try await service.shutDown(within: .seconds(10))
    try await following
    #expect(await service.answerHealthCheck().status == 503)
    await #expect(throws: DatabaseError.self) { try await service.store(1, of: "kitchen") }
    #expect(try await makeService([]).count() == 20)
  }
}

private final class Recorded<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])
  var all: [Element] { elements.withLock { $0 } }
  func append(_ element: Element) { elements.withLock { $0.append(element) } }
}
