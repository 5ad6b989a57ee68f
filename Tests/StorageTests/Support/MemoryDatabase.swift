import Storage

/// Runs a test in an access to an in-memory database with an empty table `item`, outside a
/// transaction.
@discardableResult
func withDatabase<Result>(
  _ configuration: Configuration = Configuration(),
  _ body: (Database) throws -> Result
) throws -> Result {
  let queue = try DatabaseQueue(configuration: configuration)
  return try queue.writeWithoutTransaction { db in
    try db.execute(sql: Item.schema)
    return try body(db)
  }
}
