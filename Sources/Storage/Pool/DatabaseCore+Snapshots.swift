internal import Dispatch
internal import WellspringPlatform

/// Reads of the state that a write has just left, beside the writes that come after it.
extension DatabaseCore {
  /// Takes a snapshot while the writer is held, and lets `value` read it after that.
  ///
  /// - Returns: When the snapshot is taken.
  func spawnConcurrentRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    guard let writer = writers?.currentConnection?.database else {
      preconditionFailure(
        """
        A concurrent read was begun outside of a write: it reads the state that a write has left. Call \
        it in the closure of writeWithoutTransaction, or use asyncRead.
        """
      )
    }
    precondition(
      !writer.isInsideTransaction,
      """
      A concurrent read was begun inside of a transaction, whose changes it cannot see. Call it after \
      the transaction, in the closure of writeWithoutTransaction.
      """
    )
    guard isPool else {
      let result = Result {
        try writer.readOnly { try writer.readTransaction { value(.success(writer)) } }
      }
      if case .failure(let error) = result { value(.failure(error)) }
      return
    }
    let isTaken = DispatchSemaphore(value: 0)
    readers.submit(.read) { db in
      try db.readTransaction {
        try db.takeSnapshot()
        isTaken.signal()
        value(.success(db))
      }
    } completion: { result in
      guard case .failure(let error) = result else { return }
      isTaken.signal()
      value(.failure(error))
    }
    isTaken.wait()
  }

  func concurrentRead<Value: Sendable>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) -> DatabaseFuture<Value> {
    let future = DatabaseFuture<Value>()
    spawnConcurrentRead { db in
      future.fulfill(Result { try value(db.get()) })
    }
    return future
  }

  /// Opens a connection that stays in the state that was committed last.
  func makeSnapshot(named name: String?) throws -> DatabaseSnapshot {
    guard process.isCurrent else { throw DatabaseError.usedAfterFork }
    precondition(
      writers?.currentConnection?.database.isInsideTransaction != true,
      """
      A snapshot was made inside of a transaction, whose changes it cannot see. Make it after the \
      transaction, in the closure of writeWithoutTransaction.
      """
    )
    let label = name ?? "\(configuration.connectionLabel).snapshot"
    let connection = try Connection(
      Database(location: location, configuration: configuration, role: .snapshot),
      label: label
    )
    let readers = ConnectionQueue(capacity: 1, idle: [connection]) {
      throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "a snapshot opens once")
    }
    let core = DatabaseCore(
      location: location,
      configuration: configuration,
      writers: nil,
      readers: readers,
      broker: ObservationBroker(
        readers: readers,
        maximumReaders: 1,
        // It never changes.
        source: .own(path: nil, commits: FileCommits(), writers: readers),
        label: label
      )
    )
    return DatabaseSnapshot(core, connection, walKeeper)
  }
}
