/// The accesses with fewer guarantees than `read` and `write`.
extension DatabaseCore {
  // MARK: Reading

  func unsafeRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try readers.access(.read) { db in try db.leavingNoTransaction { try value(db) } }
  }

  func unsafeRead<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await readers.access(.read, AccessCancellation()) { db in
      try db.leavingNoTransaction { try value(db) }
    }
  }

  func unsafeReentrantRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    guard let connection = readers.currentConnection else { return try unsafeRead(value) }
    return try connection.database.readOnly { try value(connection.database) }
  }

  func asyncRead(
    inTransaction: Bool,
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    readers.submit(.read) { db in
      guard inTransaction else { return value(.success(db)) }
      try db.readTransaction { value(.success(db)) }
    } completion: { result in
      // The closure throws nothing: it has not been called.
      if case .failure(let error) = result { value(.failure(error)) }
    }
  }

  // MARK: Writing

  func writeWithoutTransaction<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try writable().access(.write) { db in try db.leavingNoTransaction { try updates(db) } }
  }

  func writeWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await writable().access(.write, AccessCancellation()) { db in
      try db.leavingNoTransaction { try updates(db) }
    }
  }

  func unsafeReentrantWrite<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    let writers = try writable()
    guard let connection = writers.currentConnection else {
      return try writeWithoutTransaction(updates)
    }
    return try updates(connection.database)
  }

  func barrierWriteWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    precondition(
      !isPool || !readers.isUsedByCurrentThread,
      """
      barrierWriteWithoutTransaction was called inside of a read, for whose end it would wait. Call it \
      after the read.
      """
    )
    return try writeWithoutTransaction { db in
      try withReadersAside(db) { try updates(db) }
    }
  }

  func barrierWriteWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await writeWithoutTransaction { db in
      try self.withReadersAside(db) { try updates(db) }
    }
  }

  /// Runs a closure while nobody reads.
  private func withReadersAside<Value>(
    _ db: Database,
    _ body: () throws -> Value
  ) throws -> Value {
    guard isPool else { return try body() }
    return try readers.withBarrier(mustGiveUp: { db.cancellation.isRequested }) { _ in
      if db.cancellation.isRequested { throw CancellationError() }
      return try body()
    }
  }

  func asyncWrite<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value,
    completion: @escaping @Sendable (Database, Result<Value, any Error>) -> Void
  ) {
    asyncWriteWithoutTransaction { result in
      switch result {
      case .success(let db):
        let result = Result {
          try db.withTransaction(.immediate) { (.commit, try updates(db)) }
        }
        completion(db, result)
      case .failure(let error):
        // There is no connection to give to the completion but an empty one.
        withEmptyDatabase { completion($0, .failure(error)) }
      }
    }
  }

  /// - Parameters:
  ///   - barrier: Whether nobody may read meanwhile.
  ///   - updates: Told that nothing can be written, or given the connection.
  func asyncWriteWithoutTransaction(
    barrier: Bool = false,
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    let writers: ConnectionQueue
    do { writers = try writable() } catch { return updates(.failure(error)) }
    writers.submit(.write) { db in
      guard barrier else { return updates(.success(db)) }
      try self.withReadersAside(db) { updates(.success(db)) }
    } completion: { result in
      if case .failure(let error) = result { updates(.failure(error)) }
    }
  }
}

/// Runs a closure with an empty database in memory.
func withEmptyDatabase(_ body: (Database) -> Void) {
  do {
    let db = try Database(
      location: .inMemory,
      configuration: Configuration(),
      role: .writer
    )
    db.beginAccess(.write)
    body(db)
    db.endAccess()
  } catch {
    preconditionFailure("An empty database cannot be opened: \(error)")
  }
}

extension Database {
  /// Runs a closure, and fails when it has left a transaction open.
  fileprivate func leavingNoTransaction<Value>(_ body: () throws -> Value) throws -> Value {
    let value = try body()
    try checkNoTransactionIsLeftOpen()
    return value
  }
}
