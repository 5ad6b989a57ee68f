internal import WellspringSystem

/// The connection of a running write, which its thread lends to other threads, one at a time.
///
/// It lets the closures of several writes run in one transaction, each on the thread of its caller.
package struct LentWriter: @unchecked Sendable {
  // Safe to share: the thread of the write waits while another thread uses the connection.
  private let connection: PooledConnection

  fileprivate init(_ connection: PooledConnection) { self.connection = connection }

  /// Runs a closure on the calling thread as a part of the write. The thread of the write must wait
  /// until the closure has returned.
  ///
  /// - Throws: The errors of `body`.
  package func use<Result>(_ body: (Database) throws -> Result) rethrows -> Result {
    try connection.lend(body)
  }
}

extension DatabaseWriter {
  /// The connection of the write that the calling thread is in.
  package var lentWriter: LentWriter? {
    observableCore.writing.queue.currentConnection.map(LentWriter.init)
  }
}

extension Database {
  /// Whether an observer of transactions may refuse a commit.
  package var hasTransactionObservers: Bool { !changeTracker.observers.isEmpty }

  /// Returns two numbers that together change with each change of the schema, even if it is undone.
  ///
  /// - Throws: ``DatabaseError``.
  package func schemaChangeNumber() throws -> [Int64] {
    let version = try versions.schemaVersion()
    return [version.number, Int64(version.losses)]
  }
}

extension Database {
  /// Runs a closure that needs a connection when none is available. All statements fail.
  ///
  /// - Parameters:
  ///   - error: The error of all statements.
  ///   - body: Called with an empty database in memory.
  /// - Returns: The result of `body`.
  static func withRefusingDatabase<Result>(
    _ error: any Error,
    _ body: (Database) -> Result
  ) -> Result {
    do {
      let db = try Database(location: .inMemory, configuration: Configuration(), role: .writer)
      db.refusal = error
      db.beginAccess(.write)
      defer { db.endAccess() }
      return body(db)
    } catch {
      preconditionFailure("An empty database cannot be opened: \(error)")
    }
  }
}
