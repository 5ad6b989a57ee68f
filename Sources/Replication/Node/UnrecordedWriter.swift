internal import Storage

/// The writer of a node while nothing is recorded. It goes on noticing foreign commits.
///
/// It is valid only inside the closure that provides it.
final class UnrecordedWriter {
  let db: Database
  /// The foreign commits that are known.
  private(set) var foreignCommits: ForeignCommitCheck?

  init(_ db: Database, knowing check: ForeignCommitCheck?) {
    self.db = db
    foreignCommits = check
  }

  /// Runs a transaction.
  ///
  /// - Throws: ``ReplicationError/foreignWrite`` if another connection has written, and what `body`
  ///   throws. Nothing was written then.
  func write(_ body: (Database) throws -> Database.TransactionCompletion) throws {
    var completion = Database.TransactionCompletion.rollback
    try db.inTransaction(.immediate) {
      if try foreignCommits?.wereMade(in: db) == true { throw ReplicationError.foreignWrite }
      try foreignCommits?.adopt(db)
      completion = try body(db)
      return completion
    }
    if completion == .commit { foreignCommits?.didCommit(db) }
  }

  /// Takes all commits of other connections so far as known.
  func adoptForeignCommits() throws { try foreignCommits?.adopt(db) }
}
