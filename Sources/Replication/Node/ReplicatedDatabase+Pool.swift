public import Storage

// What a `DatabasePool` has beside the protocols.
extension ReplicatedDatabase {
  /// Makes a snapshot of what the node shows now, which stays the same while commits follow.
  ///
  /// - Parameter name: The name in reports, such as one about a snapshot that keeps SQLite from
  ///   emptying the WAL.
  /// - Returns: The snapshot.
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

  /// Releases memory: waits for the running accesses, and closes the connections that read.
  public func releaseMemory() { node.pool.releaseMemory() }

  /// Releases memory on another thread: see ``releaseMemory()``.
  public func releaseMemoryEventually() { node.pool.releaseMemoryEventually() }
}
