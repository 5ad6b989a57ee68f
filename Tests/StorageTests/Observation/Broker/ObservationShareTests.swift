import Foundation
import Storage
import StorageTestSupport
import Testing
import TestSupport
import WellspringSystem

/// A share of a core for observed queries.
@Suite(.patient) struct ObservationShareTests {
  @Test(arguments: [0, -1, 1.5, .nan, .infinity])
  func `a share outside of 0 to 1 is refused`(share: Double) throws {
    let directory = TemporaryDirectory()
    var configuration = Configuration()
    configuration.observationShare = share
    let error = try #require(throws: DatabaseError.self) {
      try DatabasePool(path: directory.file(), configuration: configuration)
    }
    #expect(error.resultCode == .SQLITE_MISUSE)
    #expect(
      error.message == "observationShare is \(share): a share of a core is above 0 and at most 1"
    )
  }

  @Test func `the last value comes, and quiesce does not wait for a pause`() async throws {
    let directory = TemporaryDirectory()
    var configuration = Configuration()
    // A run of a millisecond pauses the other queries for ten seconds.
    configuration.observationShare = 0.0001
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    try await pool.write { try $0.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY)") }
    let seen = Lock([Int]())
    let observation = ValueObservation.tracking {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM t")
    }
    .start(in: pool, onError: { Issue.record($0) }) { count in
      seen.withLock { $0.append(count ?? 0) }
    }
    try await pool.quiesce()
    for _ in 1...50 { try await pool.write { try $0.execute(sql: "INSERT INTO t DEFAULT VALUES") } }
    try await pool.quiesce()
    let values = seen.withLock { $0 }
    #expect(values.last == 50)
    // Most commits came in pauses.
    #expect(values.count < 25)
    let statistics = pool.observationStatistics
    #expect(statistics.waiting == 0)
    #expect(statistics.runTime > .zero)
    withExtendedLifetime(observation) {}
  }

  @Test func `a query that waits for the end of a pause runs then`() async throws {
    let directory = TemporaryDirectory()
    var configuration = Configuration()
    configuration.observationShare = 0.01
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    try await pool.write { try $0.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY)") }
    let counts = ValueObservation.tracking {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM t") ?? 0
    }
    .values(in: pool)
    for _ in 1...20 { try await pool.write { try $0.execute(sql: "INSERT INTO t DEFAULT VALUES") } }
    for try await count in counts where count == 20 { break }
  }
}
