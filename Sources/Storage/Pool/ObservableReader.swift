/// A reader of this library, which reads through the connections of its core.
protocol ObservableReader: DatabaseReader {
  /// The connections and the observation broker.
  var core: DatabaseCore { get }
}

extension DatabaseReader {
  /// The core of the reader, for observations.
  var observableCore: DatabaseCore {
    if let face = self as? any ForwardingReader { return face.forwardingTarget.observableCore }
    guard let reader = self as? any ObservableReader else {
      preconditionFailure(
        "\(type(of: self)) cannot be observed: use a DatabasePool or a DatabaseQueue."
      )
    }
    return reader.core
  }

  /// Counters of the work of this database's observations so far.
  public var observationStatistics: ObservationStatistics { observableCore.broker.statistics }
}

// Implements `DatabaseReader` for all readers, which differ only in their connections. The protocol
// documents the methods.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ObservableReader {
  public var configuration: Configuration { core.configuration }
  public var path: String { core.path }

  public func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try core.readers.access(.read) { db in try db.readTransaction { try value(db) } }
  }

  public func read<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let cancellation = AccessCancellation()
    return try await core.readers.access(.read, cancellation) { db in
      // A cancellation must not make the end of the transaction fail.
      try db.readTransaction(willCommit: { cancellation.end() }) { try value(db) }
    }
  }

  public func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    let callback = AccessCallback(value)
    core.readers.submitTask(.read) { db in
      try db.readTransaction { callback.call(db) }
    } completion: { result in
      if case .failure(let error) = result { callback.fail(error) }
    }
  }

  // MARK: Without a transaction

  public func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try core.readers.access(.read) { db in try db.leavingNoTransaction { try value(db) } }
  }

  public func unsafeRead<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await core.readers.access(.read, AccessCancellation()) { db in
      try db.leavingNoTransaction { try value(db) }
    }
  }

  public func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    let callback = AccessCallback(value)
    core.readers.submitTask(.read) { db in
      callback.call(db)
    } completion: { result in
      if case .failure(let error) = result { callback.fail(error) }
    }
  }

  public func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    guard let connection = core.readers.currentConnection ?? core.writers?.currentConnection else {
      return try unsafeRead(value)
    }
    return try connection.database.readOnly { try value(connection.database) }
  }

  // MARK: Ending

  public func interrupt() {
    core.readers.interrupt()
    core.broker.snapshots.watching?.interrupt()
    if core.isPool { core.writers?.interrupt() }
  }

  public func close() throws { try core.close() }
}

extension Database {
  /// Runs a closure outside a transaction, and throws when it leaves a transaction open.
  func leavingNoTransaction<Value>(_ body: () throws -> Value) throws -> Value {
    try requireSnapshot()
    try checkSchemasOfAttached()
    let value = try body()
    try throwUnreportedFailure()
    try checkNoTransactionIsLeftOpen()
    // Commits of the raw handle, and of statements that were reset before their end.
    if commitAwaitsCheck { try checkCommit() }
    return value
  }
}

/// A writer of this library, which writes through the connection of its core.
protocol ObservableWriter: ObservableReader, DatabaseWriter {}
