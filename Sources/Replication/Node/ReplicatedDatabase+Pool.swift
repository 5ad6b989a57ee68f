public import Storage

// The methods of a `DatabasePool` beside the protocols.
extension ReplicatedDatabase {
  /// Makes a snapshot of the present content of the node, which stays the same while commits
  /// follow.
  ///
  /// - Parameter name: The name in reports, such as a report about a snapshot that keeps SQLite
  ///   from emptying the WAL.
  /// - Returns: The snapshot.
  /// - Throws: The errors of `DatabasePool.makeSnapshot`.
  public func makeSnapshot(named name: String? = nil) throws -> DatabaseSnapshot {
    try node.pool.makeSnapshot(named: name)
  }

  /// Writes in a transaction that the closure commits or rolls back by its return value.
  ///
  ///     try node.writeInTransaction { db in
  ///       try db.execute(sql: "DELETE FROM item")
  ///       return .rollback
  ///     }
  ///
  /// - Throws: The errors of `updates`, `DatabaseError`, or ``ReplicationError``.
  public func writeInTransaction(
    _ kind: Database.TransactionKind? = nil,
    _ updates: (Database) throws -> Database.TransactionCompletion
  ) throws {
    try writeWithoutTransaction { db in try db.inTransaction(kind) { try updates(db) } }
  }

  /// Closes the connections that read, once they are idle. Later reads open other connections.
  public func invalidateReadOnlyConnections() { node.pool.invalidateReadOnlyConnections() }

  /// Releases memory: waits for the running accesses, and closes the connections that read.
  public func releaseMemory() { node.pool.releaseMemory() }

  /// Releases memory on another thread: see ``releaseMemory()``.
  public func releaseMemoryEventually() { node.pool.releaseMemoryEventually() }
}
