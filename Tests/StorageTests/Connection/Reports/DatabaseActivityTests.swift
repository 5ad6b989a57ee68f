import Foundation
import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

@Suite struct DatabaseActivityTests {
  // MARK: Opening and closing

  @Test func `opening and closing are recorded once, by label`() throws {
    let activities = RecordedActivities { kind in
      switch kind {
      case .opened, .closed: true
      default: false
      }
    }
    let shop = try Shop(.instrumented(activities))
    try shop.pool.close()
    try shop.pool.close()
    #expect(activities.descriptions == ["shop: opened", "shop: closed"])
  }

  @Test func `a database that is only released is recorded as closed`() throws {
    let activities = RecordedActivities()
    var configuration = Configuration.instrumented(activities)
    configuration.label = nil
    do { _ = try DatabaseQueue(configuration: configuration) }
    #expect(activities.descriptions == [":memory:: opened", ":memory:: closed"])
  }

  @Test func `all instruments of a configuration record`() throws {
    let (first, second) = (RecordedActivities(), RecordedActivities())
    var configuration = Configuration()
    configuration.instruments = [first, second]
    try DatabaseQueue(configuration: configuration).close()
    #expect(first.descriptions == second.descriptions)
    #expect(first.descriptions.count == 2)
  }

  // MARK: Waiting

  @Test func `a wait for another process is recorded when it ends`() throws {
    let activities = RecordedActivities { if case .busy = $0 { true } else { false } }
    let directory = TemporaryDirectory()
    let session = try SQLiteSession(directory.file())
    var configuration = Configuration.instrumented(activities)
    configuration.busyMode = .callback { _ in
      session.runAndWait("COMMIT")
      return true
    }
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    session.runAndWait("BEGIN IMMEDIATE")
    try pool.write { _ in }
    session.endAndWait()
    #expect(activities.kinds.count == 1)
    guard case .busy(let wait) = activities.kinds.first else { return }
    #expect(wait.hasEndedInTime)
    #expect(wait.duration > .zero)
  }

  @Test func `a wait that was given up is recorded as such`() throws {
    let activities = RecordedActivities { if case .busy = $0 { true } else { false } }
    let directory = TemporaryDirectory()
    let session = try SQLiteSession(directory.file())
    var configuration = Configuration.instrumented(activities)
    configuration.busyMode = .timeout(0.05)
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    session.runAndWait("BEGIN IMMEDIATE")
    expectDatabaseError(.SQLITE_BUSY, "database is locked") { try pool.write { _ in } }
    session.endAndWait()
    #expect(activities.kinds.count == 1)
    guard case .busy(let wait) = activities.kinds.first else { return }
    #expect(!wait.hasEndedInTime)
    #expect(wait.duration >= .milliseconds(50))
    #expect(wait.description.hasSuffix("for a lock, and gave up"))
  }

  // MARK: The WAL

  private static func checkpoints(_ activities: RecordedActivities) -> [String] {
    activities.kinds.compactMap { kind in
      guard case .checkpoint(let checkpoint) = kind else { return nil }
      return "\(checkpoint.mode) \(checkpoint.isAutomatic) \(checkpoint.result.isComplete)"
    }
  }

  @Test func `checkpoints are recorded, also those of commits`() throws {
    let activities = RecordedActivities()
    let shop = try Shop(.instrumented(activities))
    try shop.pool.checkpoint(.truncate)
    try shop.pool.writeWithoutTransaction { db in
      try db.setWALAutoCheckpoint(1)
      try db.execute(sql: "DELETE FROM item")
    }
    #expect(Self.checkpoints(activities) == ["truncate false true", "passive true true"])
  }

  @Test func `a WAL over its limit is recorded with what holds it`() async throws {
    let (states, continuation) = AsyncStream.makeStream(of: DatabaseActivity.WALOverLimit.self)
    let activities = RecordedActivities { kind in
      if case .walOverLimit(let state) = kind { continuation.yield(state) }
      return false
    }
    var configuration = Configuration.instrumented(activities)
    configuration.maximumWALPageCount = 8
    configuration.prepareDatabase { db in try db.setWALAutoCheckpoint(4) }
    let shop = try Shop(configuration)
    let snapshot = try shop.pool.makeSnapshot(named: "monthly report")
    for _ in 0..<20 {
      try await shop.pool.write { db in try db.execute(sql: "UPDATE item SET price = random()") }
    }
    let state = try #require(await states.first { _ in true })
    #expect(state.holders == [#"the snapshot "monthly report""#])
    #expect(state.pageCount >= 8)
    #expect(state.limit == 8)
    try snapshot.close()
  }

  // MARK: Observations

  private static func observations(_ activities: RecordedActivities) -> [String] {
    activities.kinds.compactMap { kind in
      switch kind {
      case .observationStarted(let observation): "start \(observation.id)"
      case .observationEnded(let observation): "end \(observation.id) \(observation.statements)"
      case .observationFailed(let observation, let error):
        "fail \(observation.id): \((error as? DatabaseError)?.message ?? "?")"
      case .batch(let batch): "batch of \(batch.queryCount), \(batch.deliveryCount) with news"
      default: nil
      }
    }
  }

  @Test func `the life of an observation is recorded`() async throws {
    let activities = RecordedActivities()
    let shop = try Shop(.instrumented(activities))
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
    }
    let (counts, cancellable) = observation.record(in: shop.pool)
    #expect(try await counts.nextValue() == 2)
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    #expect(try await counts.nextValue() == 1)
    try await shop.pool.write { db in try db.execute(sql: "ALTER TABLE item RENAME TO thing") }
    _ = try await counts.nextError()
    // The same error again.
    try await shop.pool.write { db in try db.execute(sql: "CREATE TABLE other (n)") }
    try await shop.pool.write { db in try db.execute(sql: "ALTER TABLE thing RENAME TO item") }
    #expect(try await counts.nextValue() == 1)
    cancellable.cancel()
    // A batch is recorded after its values are delivered, so the last one may follow the end.
    try await eventually {
      Self.observations(activities).contains(#"end 0 ["SELECT count(*) FROM item"]"#)
    }
    let recorded = Self.observations(activities)
    #expect(recorded.first == "start 0")
    #expect(recorded.contains("batch of 1, 1 with news"))
    #expect(recorded.filter { $0.hasPrefix("fail") } == ["fail 0: no such table: item"])
    #expect(recorded.filter { $0.hasPrefix("end") }.count == 1)
  }

  @Test func `observations end when their database is closed`() async throws {
    let activities = RecordedActivities()
    let shop = try Shop(.instrumented(activities))
    let (items, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await items.nextValue()
    try shop.pool.close()
    let ends = Self.observations(activities).filter { $0.hasPrefix("end") }
    #expect(ends.count == 1)
    cancellable.cancel()
    #expect(Self.observations(activities).filter { $0.hasPrefix("end") }.count == 1)
  }
}
