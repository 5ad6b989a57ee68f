internal import WellspringSystem

/// Sets the database that a key reads when it names no database.
///
/// Call this function once, when the program starts.
///
///     setDefaultDatabase(try DatabasePool(path: "/var/lib/shop/shop.sqlite"))
///
/// A key captures the default database when the key is created. A later call does not affect
/// existing keys. A key that was created before the first call reads the database of that call. Its
/// readers fail with ``NoDefaultDatabase`` until then, and show the content of the database when
/// this function returns: their values are fetched on the calling thread.
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
  typealias Waiter = @Sendable (any DatabaseReader) -> Void

  private struct Process {
    var database: (any DatabaseReader)?
    /// The database of the first call, as long as something else keeps it open.
    weak var first: (any DatabaseReader)?
    /// The closures to call when there is a database.
    var waiters: [ObjectIdentifier: Waiter] = [:]
  }

  @TaskLocal static var scoped: (any DatabaseReader)?

  // Guards the default database of the process. Waiters are called outside it.
  private static let process = Lock(Process())

  static var current: (any DatabaseReader)? { scoped ?? process.withLock { $0.database } }

  /// The database of keys that were created before there was a default database.
  static var first: (any DatabaseReader)? { process.withLock { $0.first ?? $0.database } }

  static func set(_ database: any DatabaseReader) {
    let (old, first, waiters) = process.withLock { process in
      defer {
        process.database = database
        process.waiters = [:]
      }
      let first = process.first
      if first == nil { process.first = database }
      return (process.database, first, process.waiters)
    }
    for waiter in waiters.values { waiter(database) }
    // These may be the last references, whose release closes a database.
    withExtendedLifetime((old, first)) {}
  }

  /// Calls a closure once there is a default database, on the thread that sets it.
  ///
  /// - Parameters:
  ///   - owner: Identifies the closure: see ``removeWaiter(of:)``.
  ///   - waiter: The closure, which must not keep its owner alive.
  /// - Returns: The database, if there is one. The closure is not called then.
  static func wait(_ owner: AnyObject, _ waiter: @escaping Waiter) -> (any DatabaseReader)? {
    process.withLock { process in
      if let database = process.first ?? process.database { return database }
      process.waiters[ObjectIdentifier(owner)] = waiter
      return nil
    }
  }

  /// Removes the closure of an owner, if it still waits.
  static func removeWaiter(of owner: AnyObject) {
    let waiter = process.withLock { $0.waiters.removeValue(forKey: ObjectIdentifier(owner)) }
    withExtendedLifetime(waiter) {}
  }

  /// The number of closures that wait.
  static var waiterCount: Int { process.withLock { $0.waiters.count } }
}
