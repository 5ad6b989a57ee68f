internal import Dispatch

// Implements `DatabaseWriter` for all writers. The protocol documents the methods. Closures that
// run later capture the core, not the writer.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ObservableWriter {
  public func write<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    let (queue, access) = core.writing
    return try queue.access(access) { db in try db.writeTransaction { try updates(db) } }
  }

  public func write<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let (queue, access) = core.writing
    let cancellation = AccessCancellation()
    return try await queue.access(access, cancellation) { db in
      try db.writeTransaction(willCommit: cancellation.finish) { try updates(db) }
    }
  }

  public func asyncWrite<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value,
    completion: @escaping @Sendable (Database, Result<Value, any Error>) -> Void
  ) {
    asyncWriteWithoutTransaction { (result: Result<Database, any Error>) in
      switch result {
      case .success(let db):
        completion(db, Result { try db.writeTransaction { try updates(db) } })
      case .failure(let error):
        // The completion needs a connection, and no other one is available.
        Database.withRefusingDatabase(error) { completion($0, .failure(error)) }
      }
    }
  }

  // MARK: Without a transaction

  public func writeWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    let (queue, access) = core.writing
    return try queue.access(access) { db in try db.leavingNoTransaction { try updates(db) } }
  }

  public func writeWithoutTransaction<Value: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let (queue, access) = core.writing
    return try await queue.access(access, AccessCancellation()) { db in
      try db.leavingNoTransaction { try updates(db) }
    }
  }

  @_disfavoredOverload
  public func asyncWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    submit(updates) { db, callback in callback.call(db) }
  }

  public func unsafeReentrantWrite<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    guard let connection = core.writing.queue.currentConnection else {
      return try writeWithoutTransaction(updates)
    }
    return try updates(connection.database)
  }

  // MARK: Without readers

  public func barrierWriteWithoutTransaction<Value>(
    _ updates: (Database) throws -> Value
  ) throws -> Value {
    guard !core.isPool || core.readers.currentConnection == nil else {
      throw DatabaseError.misuse(
        """
        barrierWriteWithoutTransaction was called inside a read, and would wait for that read to \
        end: call it after the read
        """
      )
    }
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
    submit(updates) { [core] db, callback in
      try core.withoutReaders(db) { callback.call(db) }
    }
  }

  /// Calls `access` with the connection that writes, or `updates` with an error.
  private func submit(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void,
    _ access: @escaping @Sendable (Database, AccessCallback) throws -> Void
  ) {
    let (queue, kind) = core.writing
    let callback = AccessCallback(updates)
    queue.submitTask(kind) { db in
      try access(db, callback)
    } completion: { result in
      if case .failure(let error) = result { callback.fail(error) }
    }
  }
}

extension Database {
  /// Runs a closure in the transaction of a write, which only reads when the access may only read.
  fileprivate func writeTransaction<Value>(
    willCommit: () throws -> Void = {},
    _ updates: () throws -> Value
  ) throws -> Value {
    if access == .read { return try readTransaction(willCommit: willCommit, updates) }
    return try withTransaction(.immediate, willCommit: willCommit) { (.commit, try updates()) }
  }
}

extension ObservableWriter {
  // A reader takes its snapshot while the calling thread holds the writer. `value` runs later.
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func spawnConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    guard let writer = core.writing.queue.currentConnection?.database else {
      let error = DatabaseError.misuse(
        """
        a concurrent read was started outside a write, but it reads the state after a write: call \
        it in the closure of writeWithoutTransaction, or use asyncRead
        """
      )
      return value(.failure(error))
    }
    guard !writer.isInsideTransaction else {
      let error = DatabaseError.misuse(
        """
        a concurrent read was started inside a transaction, and cannot see the changes of that \
        transaction: call it after the transaction, in the closure of writeWithoutTransaction
        """
      )
      return value(.failure(error))
    }
    let callback = AccessCallback(value)
    guard core.isPool else {
      do {
        try writer.readOnly { try writer.readTransaction { callback.call(writer) } }
      } catch {
        callback.fail(error)
      }
      return
    }
    guard !core.readers.isBarredByCurrentThread else {
      let error = DatabaseError.misuse(
        """
        a concurrent read was started inside a write that no reader may overlap, and would wait \
        for itself: read with the db of that write
        """
      )
      return value(.failure(error))
    }
    let isTaken = DispatchSemaphore(value: 0)
    core.readers.submitTask(.read) { db in
      try db.readTransaction {
        isTaken.signal()
        callback.call(db)
      }
    } completion: { result in
      guard case .failure(let error) = result else { return }
      isTaken.signal()
      callback.fail(error)
    }
    isTaken.wait()
  }
}
