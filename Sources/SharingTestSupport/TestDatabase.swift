public import Sharing

enum TestDatabase {
  @TaskLocal static var current: DatabaseQueue?
}

/// The database of the running test, which `.inMemoryDatabase(_:)` has made.
///
///     try await testDatabase.write { db in try Job(name: "resize").insert(db) }
///
/// - Throws: ``NoTestDatabase`` outside of such a test, and in its detached tasks.
public var testDatabase: DatabaseQueue {
  get throws {
    guard let database = TestDatabase.current else { throw NoTestDatabase() }
    return database
  }
}

/// Waits until all readers of the default database show what is committed.
///
///     try await testDatabase.write { db in try Job(name: "resize").insert(db) }
///     try await quiesce()
///     #expect(dashboard.waiting == 1)
///
/// Loops such as `for await jobs in $jobs.values` have their newest value waiting by then; what they do
/// with it is waited for in the loop's own terms: by what it writes, for one.
///
/// - Throws: `NoDefaultDatabase`, and what `quiesce()` of a database throws.
public func quiesce() async throws {
  guard let database = defaultDatabase else { throw NoDefaultDatabase() }
  try await database.quiesce()
}

/// There is no database of a test.
public struct NoTestDatabase: Error, Hashable, CustomStringConvertible {
  /// Makes the error.
  public init() {}

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String {
    "there is no test database here: add the trait .inMemoryDatabase { db in … } to the test or suite"
  }
}
