public import Sharing
public import Testing

/// Gives each test an in-memory database of its own, which is its default database: see
/// `.inMemoryDatabase(_:)`.
public struct InMemoryDatabaseTrait: TestTrait, SuiteTrait, TestScoping {
  let prepare: @Sendable (DatabaseQueue) throws -> Void

  /// Each test of a suite gets its own database.
  public var isRecursive: Bool { true }

  /// Runs a test with a new database.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let database = try DatabaseQueue()
    try prepare(database)
    try await TestDatabase.$current.withValue(database) {
      try await withDefaultDatabase(database) { try await function() }
    }
    // A reader that outlives its test, as a global does, keeps it.
    try database.close()
  }
}

extension Trait where Self == InMemoryDatabaseTrait {
  /// Gives each test an in-memory database of its own, which is its default database.
  ///
  ///     @Test(.inMemoryDatabase { db in try Schema.create(db) })
  ///     func `the dashboard counts what waits`() async throws {
  ///       let dashboard = Dashboard()
  ///       try await testDatabase.write { db in try Job(name: "resize").insert(db) }
  ///       try await quiesce()
  ///       #expect(dashboard.waiting == 1)
  ///     }
  ///
  /// On a suite, it counts for each of its tests. They can run at the same time: none sees the database
  /// of another one. The database is closed after the test.
  ///
  /// - Parameter schema: Prepares the database, in a transaction.
  /// - Returns: A trait of tests and suites.
  public static func inMemoryDatabase(
    _ schema: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) -> Self {
    InMemoryDatabaseTrait { database in try database.write { db in try schema(db) } }
  }

  /// Gives each test an in-memory database of its own, prepared by what needs the database itself: a
  /// migrator, for one.
  ///
  ///     @Suite(.inMemoryDatabase(preparedBy: { database in try migrator.migrate(database) }))
  ///     struct DashboardTests { … }
  public static func inMemoryDatabase(
    preparedBy prepare: @escaping @Sendable (DatabaseQueue) throws -> Void
  ) -> Self {
    InMemoryDatabaseTrait(prepare: prepare)
  }
}
