internal import WellspringPlatform

/// Sets the database that keys read when they name none. Call it once, when the program starts,
/// before the first ``SharedReader`` is made.
///
///     setDefaultDatabase(try DatabasePool(path: "/var/lib/shop/shop.sqlite"))
///
/// A key takes the database when it is made: one that was made before keeps the database of then.
public func setDefaultDatabase(_ database: some DatabaseReader) {
  DefaultDatabase.set(database)
}

/// Runs an operation in which keys that name no database read this one, instead of the database of
/// ``setDefaultDatabase(_:)``: in tests, for one.
///
/// It counts for the operation and the tasks that it starts, but not for detached ones.
public func withDefaultDatabase<Result>(
  _ database: some DatabaseReader,
  operation: () throws -> Result
) rethrows -> Result {
  try DefaultDatabase.$scoped.withValue(database, operation: operation)
}

/// Runs an async operation in which keys that name no database read this one.
///
/// It counts for the operation and the tasks that it starts, but not for detached ones.
public func withDefaultDatabase<Result>(
  _ database: some DatabaseReader,
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await DefaultDatabase.$scoped.withValue(database, operation: operation)
}

/// The database that keys read when they name none: that of the innermost
/// ``withDefaultDatabase(_:operation:)``, or else that of ``setDefaultDatabase(_:)``, or `nil`.
public var defaultDatabase: (any DatabaseReader)? { DefaultDatabase.current }

/// A key names no database, and there is no default one.
public struct NoDefaultDatabase: Error, Hashable, CustomStringConvertible {
  /// Makes the error.
  public init() {}

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String {
    """
    there is no default database: call setDefaultDatabase(_:) when the program starts, use \
    withDefaultDatabase(_:operation:), or give the key a database
    """
  }
}

enum DefaultDatabase {
  @TaskLocal static var scoped: (any DatabaseReader)?

  // Guards the database of the process.
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
