extension Database {
  /// Runs a closure that needs a connection although there is none. All statements fail.
  ///
  /// - Parameters:
  ///   - error: The error of all statements.
  ///   - body: Called with an empty database in memory.
  /// - Returns: What `body` returns.
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
