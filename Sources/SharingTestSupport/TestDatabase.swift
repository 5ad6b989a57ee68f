public import Sharing

enum TestDatabase {
  @TaskLocal static var current: DatabaseQueue?
}

/// The database that `.inMemoryDatabase(_:)` has created for the running test.
///
///     try await testDatabase.write { db in try Job(name: "resize").insert(db) }
///
/// - Throws: ``NoTestDatabase`` outside such a test, and in its detached tasks.
public var testDatabase: DatabaseQueue {
  get throws {
    guard let database = TestDatabase.current else { throw NoTestDatabase() }
    return database
  }
}

/// Waits until all readers of the default database show the committed state.
///
///     try await testDatabase.write { db in try Job(name: "resize").insert(db) }
///     try await quiesce()
///     #expect(dashboard.waiting == 1)
///
/// By then, the newest value is also available to loops such as `for await jobs in $jobs.values`,
/// but a loop may not have processed it yet. Wait for the loop's own result, such as a row that it
/// writes.
///
/// Failures of readers up to here are recorded as issues of the test: see `.recordsFailures`.
///
/// - Throws: `NoDefaultDatabase`, or an error of the database's `quiesce()`.
public func quiesce() async throws {
  guard let database = defaultDatabase else { throw NoDefaultDatabase() }
  try await database.quiesce()
  FailureScope.current?.flush()
}
