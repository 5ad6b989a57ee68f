public import Storage

extension ReplicatedDatabase {
  /// Writes like `write`, and returns the token of the commit too.
  ///
  /// With ``ReplicationPromise/local``, it waits until the log has this commit.
  ///
  /// - Throws: The errors of `write`. With ``ReplicationPromise/local`` also
  ///   ``ReplicationError/notLogged(_:)`` if the commit is in the file, and the log has not taken
  ///   it yet; ``ReplicationError/discardedCommits`` if a failover has discarded it.
  public func writeReturningToken<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> (value: Value, token: WriteToken) {
    var value: Value?
    let receipt = try writes.run { db in value = try updates(db) }
    guard let value else { throw ReplicationError.closed }
    guard node.options.promise == .local else { return (value, receipt.token) }
    return (value, try node.waitForLog(receipt))
  }

  /// Writes without blocking the calling thread, and returns the token of the commit too.
  ///
  /// A cancellation removes a write that has not begun. It does not interrupt a write that has
  /// begun, because other writes may be committed together with it.
  ///
  /// - Throws: The errors of the sync method, or `CancellationError`.
  public func writeReturningToken<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> (value: Value, token: WriteToken) {
    let value = WrittenValue<Value>()
    let receipt = try await writes.run { db in value.set(try updates(db)) }
    guard node.options.promise == .local else { return (try value.get(), receipt.token) }
    return (try value.get(), try await node.waitForLog(receipt))
  }

  /// Writes on the calling thread, in a transaction, and returns the result of the closure.
  ///
  /// The transaction is in the log, on a majority of its servers, before it is committed. Writes of
  /// several threads may be committed together; a write that fails does not affect the other
  /// writes.
  ///
  /// - Throws: The errors of `updates`, `DatabaseError`, ``ReplicationError/notPrimary(address:)``
  ///   on a replica, or another ``ReplicationError``. Nothing was written then, except that after
  ///   ``ReplicationError/outcomeUnknown(_:)`` the log knows.
  public func write<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    var value: Value?
    _ = try writes.run { db in value = try updates(db) }
    guard let value else { throw ReplicationError.closed }
    return value
  }

  /// Writes in a transaction without blocking the calling thread.
  ///
  /// The closure runs as in the sync `write`, on another thread. A cancellation removes a write
  /// that has not begun.
  ///
  /// - Throws: The errors of the sync `write`, or `CancellationError`.
  public func write<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let value = WrittenValue<Value>()
    _ = try await writes.run { db in value.set(try updates(db)) }
    return try value.get()
  }
}

// The other writes go to the pool. Their transactions are in the log before they are committed too,
// one by one. The protocol documents the methods.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ReplicatedDatabase {
  public func asyncWrite<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value,
    completion: @escaping @Sendable (Database, Result<Value, any Error>) -> Void
  ) {
    node.pool.asyncWrite(
      { [node] db in
        try node.checkMayWrite()
        return try updates(db)
      },
      completion: completion
    )
  }

  public func writeWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    try node.pool.writeWithoutTransaction { db in try node.checkedWrite(db, updates) }
  }

  public func writeWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await node.pool.writeWithoutTransaction { [node] db in
      try node.checkedWrite(db, updates)
    }
  }

  @_disfavoredOverload
  public func asyncWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    node.pool.asyncWriteWithoutTransaction { [node] (result: Result<Database, any Error>) in
      updates(node.checked(result))
    }
  }

  public func barrierWriteWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    try node.pool.barrierWriteWithoutTransaction { db in try node.checkedWrite(db, updates) }
  }

  public func barrierWriteWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await node.pool.barrierWriteWithoutTransaction { [node] db in
      try node.checkedWrite(db, updates)
    }
  }

  public func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    node.pool.asyncBarrierWriteWithoutTransaction { [node] result in updates(node.checked(result)) }
  }

  public func unsafeReentrantWrite<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try node.pool.unsafeReentrantWrite { db in try node.checkedWrite(db, updates) }
  }

  public func spawnConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    node.pool.spawnConcurrentRead(value)
  }
}

extension Node {
  /// Runs a closure that may write, if the node is the primary.
  fileprivate func checkedWrite<Value>(
    _ db: Database,
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    try checkMayWrite()
    do {
      return try updates(db)
    } catch {
      throw recorder.error(after: error)
    }
  }

  fileprivate func checked(_ result: Result<Database, any Error>) -> Result<Database, any Error> {
    result.flatMap { db in
      do throws(ReplicationError) {
        try checkMayWrite()
        return .success(db)
      } catch {
        return .failure(error)
      }
    }
  }
}
