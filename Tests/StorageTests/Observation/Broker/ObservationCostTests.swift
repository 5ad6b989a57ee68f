import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// P5: the cost of a commit does not depend on the number of observations that it does not touch.
@Suite("P5: the cost of a commit is flat") struct ObservationCostTests {
  /// The processor time of this thread.
  private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The processor time of the cheapest of many commits.
  private func costOfCommit(_ pool: DatabasePool) throws -> Duration {
    let costs = try (0..<1000).map { number in
      let start = threadTime()
      try pool.write { db in
        try db.execute(sql: "UPDATE item SET price = ? WHERE id = 1", arguments: [number])
      }
      return threadTime() - start
    }
    return costs.min()!
  }

  @Test(arguments: [
    "SELECT x FROM other WHERE y = ?", "SELECT name FROM item WHERE id = 1 AND ? > 0",
    "SELECT price FROM item WHERE id = ?",
  ])
  func `untouched observations of tables, columns and rows add no cost`(query: String) throws {
    let shop = try Shop()
    let pool = shop.pool
    try pool.write { db in try db.execute(sql: "CREATE TABLE other (x, y)") }
    func observe(_ ids: Range<Int>) -> [AnyDatabaseCancellable] {
      ids.map { id in
        ValueObservation.tracking { db in try Row.fetchOne(db, sql: query, arguments: [id]) }
          .start(in: pool, scheduling: .immediate, onError: { _ in }, onChange: { _ in })
      }
    }
    // The first observation installs the hooks, so both measurements track columns and rows.
    let first = observe(10..<11)
    let few = try costOfCommit(pool)
    let others = observe(11..<1011)
    let many = try costOfCommit(pool)
    #expect(pool.observationStatistics.runs == 1001)
    #expect(many < few * 2)
    for cancellable in first + others { cancellable.cancel() }
  }
}
