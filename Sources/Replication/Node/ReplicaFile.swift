internal import Storage

/// The file of a node, which repeats the steps of a history.
///
/// A batch of steps and the place after it are one transaction. So a file that was cut off at any
/// moment continues with the next step, and has none twice. Calls block their thread.
struct ReplicaFile: Sendable {
  let pool: DatabasePool
  /// Repeats one recorded transaction. What it throws undoes the whole batch.
  let repeatTransaction: @Sendable (_ transaction: [UInt8], _ db: Database) throws -> Void

  /// Returns the place of the file, or `nil` if it is not replicated yet.
  func place() throws -> HistoryPlace? { try pool.read(ReplicationTable.read) }

  /// Makes the file the beginning of a history, or of the part of it that follows.
  func begin(at place: HistoryPlace) throws {
    try pool.write { db in
      try ReplicationTable.create(db)
      try ReplicationTable.write(place, db)
    }
  }

  /// Repeats steps that follow the place of the file. Those that the file has already are skipped.
  ///
  /// - Throws: ``ReplicationError/snapshotNeeded(after:)`` at a step that cannot be repeated, when
  ///   those before it are in the file; ``ReplicationError/notReplicated`` if the file has no
  ///   place; what `repeatTransaction` throws, when nothing of the batch is in the file.
  func apply(_ steps: [LogFollower.Step]) throws {
    let repeatable = steps.prefix { $0.entry.kind != .snapshotNeeded }
    try pool.write { db in
      guard let current = try ReplicationTable.read(db) else {
        throw ReplicationError.notReplicated
      }
      let new = repeatable.filter { $0.place.position > current.position }
      guard let last = new.last else { return }
      for step in new { try apply(step.entry, db) }
      try ReplicationTable.write(last.place, db)
    }
    if repeatable.count < steps.count {
      let position = try place()?.position ?? .start
      throw ReplicationError.snapshotNeeded(after: position)
    }
  }

  private func apply(_ entry: Entry, _ db: Database) throws {
    switch entry.kind {
    case .commits, .schema:
      for transaction in try EntryBatch.decode(entry.body).transactions {
        try repeatTransaction(transaction, db)
      }
    case .genesis, .epoch, .heartbeat, .part, .snapshotNeeded:
      break
    }
  }
}
