public import Storage

// What a `DatabasePool` has beside the protocols. The pool documents the methods.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ReplicatedDatabase {
  public func makeSnapshot(named name: String? = nil) throws -> DatabaseSnapshot {
    try node.pool.makeSnapshot(named: name)
  }

  public func writeInTransaction(
    _ kind: Database.TransactionKind? = nil,
    _ updates: (Database) throws -> Database.TransactionCompletion
  ) throws {
    try writeWithoutTransaction { db in try db.inTransaction(kind) { try updates(db) } }
  }

  public func invalidateReadOnlyConnections() { node.pool.invalidateReadOnlyConnections() }

  public func releaseMemory() { node.pool.releaseMemory() }

  public func releaseMemoryEventually() { node.pool.releaseMemoryEventually() }
}
