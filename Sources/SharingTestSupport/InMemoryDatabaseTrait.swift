public import Sharing
public import Testing

/// A trait that gives each test its own in-memory database as the default database: see
/// `.inMemoryDatabase(_:)`.
public struct InMemoryDatabaseTrait: TestTrait, SuiteTrait, TestScoping {
  let prepare: @Sendable (DatabaseQueue) throws -> Void

  /// Whether each test of a suite gets its own database: `true`.
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
      try await withDefaultDatabase(database) { try await TestFailures.record(during: function) }
    }
    // A reader that outlives its test, such as a global, would keep the database open.
    try database.close()
  }
}

extension Trait where Self == InMemoryDatabaseTrait {
  /// Gives each test its own in-memory database as the default database.
  ///
  ///     @Test(.inMemoryDatabase { db in try Schema.create(db) })
  ///     func `the dashboard counts waiting jobs`() async throws {
  ///       let dashboard = Dashboard()
  ///       try await testDatabase.write { db in try Job(name: "resize").insert(db) }
  ///       try await quiesce()
  ///       #expect(dashboard.waiting == 1)
  ///     }
  ///
  /// On a suite, the trait applies to each of its tests. The tests can run in parallel, because
  /// none sees the database of another test. The database is closed after the test.
  ///
  /// The failure of a reader, such as a typo in its SQL, is an issue of the test: see
  /// `.recordsFailures`, and `.allowsFailures(where:)` for tests that expect failures.
  ///
  /// - Parameter schema: Prepares the database, in a transaction.
  /// - Returns: A trait for tests and suites.
  public static func inMemoryDatabase(
    _ schema: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) -> Self {
    InMemoryDatabaseTrait { database in try database.write { db in try schema(db) } }
  }

  /// Gives each test its own in-memory database, prepared by code that needs the database itself,
  /// such as a migrator.
  ///
  ///     @Suite(.inMemoryDatabase(preparedBy: { database in try migrator.migrate(database) }))
  ///     struct DashboardTests { … }
  public static func inMemoryDatabase(
    preparedBy prepare: @escaping @Sendable (DatabaseQueue) throws -> Void
  ) -> Self {
    InMemoryDatabaseTrait(prepare: prepare)
  }
}
