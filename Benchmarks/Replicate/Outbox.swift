internal import Recording
internal import Storage

/// Writes each recorded transaction into a table, in the same transaction, as a primary does that
/// publishes its commits later.
final class Outbox: TransactionRecorderDelegate {
  private let pool: DatabasePool
  /// The recorded transactions since the last call of ``forget()``.
  private(set) var bodies: [[UInt8]] = []

  init(in pool: DatabasePool) throws {
    self.pool = pool
    try pool.write { db in
      try db.execute(
        sql: "CREATE TABLE _replication_outbox (sequence INTEGER PRIMARY KEY, body BLOB NOT NULL)"
      )
    }
    try pool.writeWithoutTransaction { try $0.startRecording(self) }
  }

  func willCommit(_ transaction: RecordedTransaction, _ db: Database) throws {
    let body = transaction.encoded()
    bodies.append(body)
    let statement = try db.cachedStatement(
      sql: "INSERT INTO _replication_outbox (body) VALUES (?)"
    )
    try statement.execute(arguments: PositionalArguments([RecordedValue.blob(body[...])]))
  }

  /// Discards the recorded transactions.
  func forget() { bodies = [] }

  /// Empties the table.
  func empty() throws {
    try pool.write { try $0.execute(sql: "DELETE FROM _replication_outbox") }
  }
}
