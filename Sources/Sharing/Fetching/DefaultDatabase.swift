internal import WellspringPlatform

/// Sets the database that a key reads when it names no database.
///
/// Call this function once, when the program starts, before the first ``SharedReader`` is created.
///
///     setDefaultDatabase(try DatabasePool(path: "/var/lib/shop/shop.sqlite"))
///
/// A key captures the default database when the key is created. A later call does not affect
/// existing keys.
public func setDefaultDatabase(_ database: some DatabaseReader) {
  DefaultDatabase.set(database)
}

/// Runs an operation with another default database, for example in a test.
///
/// Within the operation, keys that name no database read this one instead of the database of
/// ``setDefaultDatabase(_:)``. The scope includes the tasks that the operation starts, except
/// detached tasks.
public func withDefaultDatabase<Result>(
  _ database: some DatabaseReader,
  operation: () throws -> Result
) rethrows -> Result {
  try DefaultDatabase.$scoped.withValue(database, operation: operation)
}

/// Runs an async operation with another default database.
///
/// Within the operation, keys that name no database read this one. The scope includes the tasks
/// that the operation starts, except detached tasks.
public func withDefaultDatabase<Result>(
  _ database: some DatabaseReader,
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await DefaultDatabase.$scoped.withValue(database, operation: operation)
}

/// The database that keys read when they name no database.
///
/// This is the database of the innermost ``withDefaultDatabase(_:operation:)``, otherwise the
/// database of ``setDefaultDatabase(_:)``, otherwise `nil`.
public var defaultDatabase: (any DatabaseReader)? { DefaultDatabase.current }

enum DefaultDatabase {
  @TaskLocal static var scoped: (any DatabaseReader)?

  // Guards the default database of the process.
  private static let global = Lock((any DatabaseReader)?.none)

  static var current: (any DatabaseReader)? { scoped ?? global.withLock { $0 } }

  static func set(_ database: any DatabaseReader) {
    let old = global.withLock { global in
      defer { global = database }
      return global
    }
    withExtendedLifetime(old) {}
  }
}
