extension DatabaseWriter {
  /// Writes without a transaction, for code that is not async.
  ///
  ///     pool.asyncWriteWithoutTransaction { db in
  ///       do {
  ///         try db.execute(sql: "DELETE FROM attachment WHERE done")
  ///       } catch {
  ///         report(error)
  ///       }
  ///     }
  ///
  /// - Parameter updates: Called on another thread with the connection. A transaction that it
  ///   leaves open is rolled back. When the database is closed, all statements fail with
  ///   ``DatabaseError/databaseIsClosed``.
  public func asyncWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Database) -> Void
  ) {
    asyncWriteWithoutTransaction { (result: Result<Database, any Error>) in
      switch result {
      case .success(let db): updates(db)
      case .failure(let error): Database.withRefusingDatabase(error, updates)
      }
    }
  }
}
