internal import Storage

/// The file of a node, which repeats the steps of a history.
///
/// A batch of steps and the place after it are one transaction. So a file that was cut off at any
/// moment continues with the next step, and has none twice. Calls block their thread.
struct ReplicaFile: Sendable {
  let pool: DatabasePool
  /// Repeats recorded transactions. An error undoes the whole batch.
  let repeatTransactions: @Sendable (_ transactions: [[UInt8]], _ db: Database) throws -> Void

  /// Returns the place of the file, or `nil` if it is not replicated yet.
  ///
  /// It waits for the writer, which may be about to commit an entry of the log. A node that read
  /// its place meanwhile would claim an epoch from before that commit.
  func place() throws -> HistoryPosition? {
    try pool.writeWithoutTransaction { db in try ReplicationTable.read(db) }
  }

  /// Makes the file the beginning of a history, or of the part of it that follows.
  func begin(at place: HistoryPosition) throws {
    try pool.write { db in
      try ReplicationTable.create(db)
      try ReplicationTable.write(place, db)
    }
  }

  /// Repeats steps that follow the place of the file. Steps that the file has already are skipped.
  ///
  /// - Throws: The errors of ``apply(_:in:)``, when no step of the batch is in the file;
  ///   ``ReplicationError/snapshotNeeded(after:)`` at a step that cannot be repeated, or
  ///   ``ReplicationError/otherSurvivor(_:)`` at a step that continues with another file, when the
  ///   steps before it are in the file.
  func apply(_ steps: [LogFollower.Step]) throws {
    try pool.write { db in _ = try apply(steps, in: db) }
    try checkRepeatable(steps)
  }

  /// Throws if a step cannot be repeated. The steps before it are in the file.
  func checkRepeatable(_ steps: [LogFollower.Step]) throws {
    guard let step = steps.first(where: { $0.entry.kind.needsSnapshot }) else { return }
    // The file may have content that the chosen file does not have.
    guard step.entry.kind != .survivor else {
      throw ReplicationError.otherSurvivor(step.place.position)
    }
    throw ReplicationError.snapshotNeeded(after: LogPosition(step.place.position.sequence - 1))
  }

  /// The effects of a batch of steps.
  struct Applied {
    /// The last step that was repeated.
    let last: LogFollower.Step
    /// The commits of the outbox that the log has: each contains the ones up to a number.
    var own: [(number: Int64, token: WriteToken)] = []
  }

  /// Repeats steps inside the running transaction, up to the first one that needs a snapshot.
  ///
  /// - Returns: Their effects; `nil` if there was nothing to repeat.
  /// - Throws: ``ReplicationError/notReplicated`` if the file has no place, and the errors of
  ///   `repeatTransactions`.
  func apply(_ steps: [LogFollower.Step], in db: Database) throws -> Applied? {
    guard let current = try ReplicationTable.read(db) else {
      throw ReplicationError.notReplicated
    }
    let new = steps.prefix { !$0.entry.kind.needsSnapshot }
      .filter { $0.place.position > current.position }
    guard let last = new.last else { return nil }
    var applied = Applied(last: last)
    var transactions: [[UInt8]] = []
    for step in new {
      switch step.entry.kind {
      case .commits, .schema:
        let batch = try EntryBatch.decode(step.entry.body).transactions
        let (number, others) = try takeOwn(batch, db)
        if let number { applied.own.append((number, step.place.token)) }
        transactions += others
      case .epoch:
        let claim = try EpochClaim(decoding: step.entry.body)
        try ReplicationTable.begin(
          step.place.epoch,
          at: step.place.position,
          address: claim.address,
          db
        )
      case .genesis, .heartbeat, .part, .snapshotNeeded, .survivor: break
      }
    }
    // Transactions cannot be repeated on top of discarded commits.
    if !transactions.isEmpty, try Outbox.count(db) > 0 { throw ReplicationError.discardedCommits }
    if !transactions.isEmpty { try repeatTransactions(transactions, db) }
    try ReplicationTable.write(last.place, db)
    return applied
  }

  /// Removes transactions from the outbox that both the log and the file have.
  ///
  /// - Returns: The number of the last one, and the transactions that the file does not have. A
  ///   snapshot has only the first transactions of a batch if it was made between them.
  private func takeOwn(
    _ batch: [[UInt8]],
    _ db: Database
  ) throws -> (last: Int64?, others: ArraySlice<[UInt8]>) {
    let own = try Outbox.first(count: batch.count, bytes: .max, db)
    guard let last = own.last else { return (nil, batch[...]) }
    guard own.map(\.body).elementsEqual(batch.prefix(own.count)) else {
      throw ReplicationError.discardedCommits
    }
    try Outbox.remove(through: last.number, db)
    return (last.number, batch.dropFirst(own.count))
  }
}
