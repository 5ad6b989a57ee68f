import TestSupport
import Testing
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// A running observation, whose values are compared with fresh values.
struct FollowedObservation<Value: Equatable & Sendable> {
  private let pool: DatabasePool
  private let path: String
  private let fetch: @Sendable (Database) throws -> Value
  private let last = Lock<Value?>(nil)
  let cancellable: AnyDatabaseCancellable

  /// Starts an observation, and waits for its first value.
  ///
  /// - Parameters:
  ///   - observation: The observation.
  ///   - pool: The pool.
  ///   - path: The path of its file.
  ///   - fetch: Fetches the same value.
  /// - Throws: The error of the pool.
  init(
    _ observation: ValueObservation<Value>,
    in pool: DatabasePool,
    path: String,
    fetch: @escaping @Sendable (Database) throws -> Value
  ) async throws {
    self.pool = pool
    self.path = path
    self.fetch = fetch
    cancellable = observation.start(in: pool, scheduling: .async) {
      Issue.record($0)
    } onChange: { [last] value in
      last.withLock { $0 = value }
    }
    try await pool.quiesce()
  }

  /// Commits changes, and compares the value after each.
  ///
  /// - Parameters:
  ///   - changes: The SQL of the changes.
  ///   - isForeign: Whether another process commits them.
  ///   - check: Checks something else after each of them.
  /// - Returns: How often queries were patched, and how often they ran as a whole.
  /// - Throws: The error of a change, or of the query.
  func commit(
    _ changes: [String],
    isForeign: Bool,
    _ check: (_ sql: String) async throws -> Void = { _ in }
  ) async throws -> (patches: Int, refetches: Int) {
    let before = pool.observationStatistics
    for sql in changes {
      if isForeign {
        try SQLiteShell.run(path, "PRAGMA busy_timeout = 5000; BEGIN; \(sql); COMMIT")
      } else {
        try await pool.write { db in try db.execute(sql: sql) }
      }
      try await pool.quiesce()
      let fresh = try await pool.read { db in try fetch(db) }
      #expect(last.withLock { $0 } == fresh, "after \(sql)")
      try await check(sql)
    }
    let after = pool.observationStatistics
    return (after.patches - before.patches, after.refetches - before.refetches)
  }
}

extension FollowedObservation where Value == [Row] {
  /// Starts an observation of a request whose result can be patched.
  init(
    of request: some FetchRequest<Row> & Hashable & Sendable,
    in pool: DatabasePool,
    path: String
  ) async throws {
    try await self.init(.tracking(request), in: pool, path: path) { db in
      try request.fetchAll(db)
    }
    #expect(cancellable.explain()?.patchObstacle == nil)
  }
}

extension Configuration {
  /// A configuration that keeps results for patches wherever that is possible.
  static var patching: Configuration {
    var configuration = Configuration()
    configuration.patchingThreshold = 0
    return configuration
  }
}
