// Implements `DatabaseWriter` for all writers. The protocol documents the methods. Closures that
// run later capture the core, not the writer.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ObservableWriter {
  public func write<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try core.writable().access(.write) { db in
      try db.withTransaction(.immediate) { (.commit, try updates(db)) }
    }
  }

  public func write<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let cancellation = AccessCancellation()
    return try await core.writable().access(.write, cancellation) { db in
      try db.withTransaction(.immediate, willCommit: cancellation.finish) {
        (.commit, try updates(db))
      }
    }
  }

  public func asyncWrite<Value: Sendable>(
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
        // The completion needs a connection, and there is no other one.
        withEmptyDatabase { completion($0, .failure(error)) }
      }
    }
  }

  // MARK: Without a transaction

  public func writeWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    try core.writable().access(.write) { db in try db.leavingNoTransaction { try updates(db) } }
  }

  public func writeWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await core.writable().access(.write, AccessCancellation()) { db in
      try db.leavingNoTransaction { try updates(db) }
    }
  }

  public func asyncWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    submit(updates) { db in updates(.success(db)) }
  }

  public func unsafeReentrantWrite<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    guard let connection = try core.writable().currentConnection else {
      return try writeWithoutTransaction(updates)
    }
    return try updates(connection.database)
  }

  // MARK: Without readers

  public func barrierWriteWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    precondition(
      !core.isPool || !core.readers.isUsedByCurrentThread,
      """
      barrierWriteWithoutTransaction was called inside a read, and would wait for that read to end. \
      Call it after the read.
      """
    )
    return try writeWithoutTransaction { [core] db in
      try core.withoutReaders(db) { try updates(db) }
    }
  }

  public func barrierWriteWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await writeWithoutTransaction { [core] db in
      try core.withoutReaders(db) { try updates(db) }
    }
  }

  public func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    submit(updates) { [core] db in
      try core.withoutReaders(db) { updates(.success(db)) }
    }
  }

  /// Runs `access` with the connection that writes, or calls `updates` with an error.
  private func submit(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void,
    _ access: @escaping @Sendable (Database) throws -> Void
  ) {
    let writers: ConnectionQueue
    do { writers = try core.writable() } catch { return updates(.failure(error)) }
    writers.submit(.write) { db in
      try access(db)
    } completion: { result in
      if case .failure(let error) = result { updates(.failure(error)) }
    }
  }
}

/// Runs a closure with an empty database in memory.
private func withEmptyDatabase(_ body: (Database) -> Void) {
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
