internal import Dispatch

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
    guard core.isPool else {
      let result = Result {
        try writer.readOnly { try writer.readTransaction { value(.success(writer)) } }
      }
      if case .failure(let error) = result { value(.failure(error)) }
      return
    }
    let isTaken = DispatchSemaphore(value: 0)
    core.readers.submitTask(.read) { db in
      try db.readTransaction {
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
}
