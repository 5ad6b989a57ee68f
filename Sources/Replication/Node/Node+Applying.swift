internal import Recording
internal import Storage
internal import WellspringSystem

extension Node {
  /// Repeats recorded transactions.
  ///
  /// - Throws: ``ReplicationError/diverged(_:)``, or `DatabaseError` if the file cannot be written.
  static func apply(_ transactions: [[UInt8]], _ db: Database) throws {
    do {
      try Applier().apply(transactions.map { try RecordedTransaction(decoding: $0) }, in: db)
    } catch let divergence as Divergence {
      throw ReplicationError.diverged(divergence.description)
    } catch let error as RecordingError {
      throw ReplicationError.diverged(error.description)
    }
  }

  /// Applies steps that the log has, in one transaction.
  ///
  /// - Throws: ``ReplicationError`` after which the file does not fit the history, or
  ///   `DatabaseError`. None of the steps is in the file then, except the steps before a step that
  ///   needs a snapshot.
  func apply(_ steps: [LogFollower.Step]) throws {
    let applied = try withoutRecording { writer in
      var applied: ReplicaFile.Applied?
      var outbox = (count: 0, numbers: ClosedRange<Int64>?.none)
      var beginnings: (beginnings: EpochBeginnings, address: String?)?
      try writer.write { db in
        applied = try file.apply(steps, in: db)
        guard let applied else { return .rollback }
        let fingerprint = applied.last.entry.fingerprint
        outbox = (try Outbox.count(db), try Outbox.numbers(db))
        // Commits that the log does not have yet may have changed the schema.
        let isComparable = outbox.count == 0 && !fingerprint.isEmpty
        guard try !isComparable || recorder.fingerprint(db) == fingerprint else {
          throw ReplicationError.diverged("its schema is not the primary's")
        }
        if steps.contains(where: { $0.entry.kind == .epoch }) {
          beginnings = try ReplicationTable.epochs(db)
        }
        return .commit
      }
      return applied.map { ($0, beginnings, outbox) }
    }
    if let (applied, beginnings, outbox) = applied {
      let step = applied.last
      update { state in
        state.outbox = outbox.count
        for own in applied.own { state.fate.remove(through: own.number, at: own.token) }
        state.fate.remove(allBut: outbox.numbers, at: step.place.token)
        state.place = step.place
        state.time = step.entry.time
        state.isErrorOver = state.isErrorOver || !state.isErrorOfLog
        if let beginnings {
          state.epochs = beginnings.beginnings
          state.primaryAddress = beginnings.address
        }
      }
    }
    try file.checkRepeatable(steps)
  }

  /// Writes the place of the last heartbeat into the file. Heartbeats change nothing else there.
  func writePlace() throws {
    try withoutRecording { file in
      // A commit that was under way has written a later place.
      let place = state.withLock { $0.place }
      guard let current = try ReplicationTable.read(file.db), current.position < place.position
      else { return }
      try file.write { db in
        try ReplicationTable.write(place, db)
        return .commit
      }
    }
  }

  /// Writes into the file without recording.
  func withoutRecording<Value>(_ body: (RecordingBypass) throws -> Value) throws -> Value {
    try pool.writeWithoutTransaction { db in
      do {
        return try db.bypassingRecorder(body)
      } catch {
        recorder.forgetFailure()
        throw error
      }
    }
  }
}

extension RecordingBypass {
  /// Runs a transaction that is not recorded.
  ///
  /// - Throws: ``ReplicationError/foreignWrite`` if another connection has written, and the errors
  ///   of `body`. Nothing was written then.
  func write(_ body: (Database) throws -> Database.TransactionCompletion) throws {
    try write(orThrow: ReplicationError.foreignWrite, body)
  }
}
