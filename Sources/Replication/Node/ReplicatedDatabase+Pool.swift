public import Storage

// What a `DatabasePool` has beside the protocols.
extension ReplicatedDatabase {
  /// Makes a snapshot of what the node shows now, which stays the same while commits follow.
  ///
  /// - Parameter name: The name of its connection, for errors and traces.
  /// - Throws: What `DatabasePool.makeSnapshot` throws.
  public func makeSnapshot(named name: String? = nil) throws -> DatabaseSnapshot {
    try node.pool.makeSnapshot(named: name)
  }

  /// Writes in a transaction that the closure commits or rolls back by what it returns.
  ///
  ///     try node.writeInTransaction { db in
  ///       try db.execute(sql: "DELETE FROM item")
  ///       return .rollback
  ///     }
  ///
  /// - Throws: What `updates` throws, `DatabaseError`, or ``ReplicationError``.
  public func writeInTransaction(
    _ kind: Database.TransactionKind? = nil,
    _ updates: (Database) throws -> Database.TransactionCompletion
  ) throws {
    try writeWithoutTransaction { db in try db.inTransaction(kind) { try updates(db) } }
  }

  /// Closes the connections that read, once they are idle. Later reads open others.
  public func invalidateReadOnlyConnections() { node.pool.invalidateReadOnlyConnections() }

  /// Frees memory of all connections, and waits for those that are in use.
  public func releaseMemory() { node.pool.releaseMemory() }

  /// Frees memory of all connections, once they are idle.
  public func releaseMemoryEventually() { node.pool.releaseMemoryEventually() }
}
