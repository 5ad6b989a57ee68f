internal import Storage

/// The file that an operator continues a history with, when the log has lost entries, or has an
/// entry that no node can repeat.
struct Survivor {
  let file: OpenedFile
  /// The epoch that begins with the file.
  let primacy: Primacy

  /// Continues the history of a log with a file.
  ///
  /// Nothing is asked of the entries of the log but that they belong to the same database. The
  /// file's own commits that the log does not have are in the snapshot that other nodes take.
  ///
  /// - Throws: ``ReplicationError/notPrimary(address:)`` if another node writes,
  ///   ``ReplicationError``, or `DatabaseError`.
  static func open(
    _ path: String,
    _ configuration: Configuration,
    _ log: any ReplicationLog,
    _ options: ReplicationOptions
  ) throws -> Survivor {
    // Other nodes get the content of the file by a snapshot only.
    guard options.snapshots != nil else {
      throw ReplicationError.snapshotNeeded(after: .start)
    }
    let turn = try FileTurn(of: path)
    let pool = try DatabasePool(path: path, configuration: configuration)
    do {
      return try open(turn, pool, log, options)
    } catch {
      try? pool.close()
      throw error
    }
  }

  private static func open(
    _ turn: FileTurn,
    _ pool: DatabasePool,
    _ log: any ReplicationLog,
    _ options: ReplicationOptions
  ) throws -> Survivor {
    guard let place = try pool.read(ReplicationTable.read) else {
      throw ReplicationError.notReplicated
    }
    let fingerprint = try pool.read { try SchemaFingerprint($0).bytes }
    let claim = try Primacy.claim(
      log,
      after: try lastEntry(of: log, place.database, fingerprint),
      withFileAt: place,
      EpochClaim(address: options.address),
      fingerprint: fingerprint,
      time: Node.now,
      partLimit: max(1, min(EntryWriter.partByteCount, log.entryLimit - 1024))
    )
    guard case .won(let primacy) = claim else {
      throw ReplicationError.notPrimary(address: nil)
    }
    try pool.write { db in
      try ReplicationTable.forgetEpochs(from: primacy.last.position, db)
      try ReplicationTable.forgetDamage(db)
      // The commits are in the file, and so in its snapshots.
      try Outbox.remove(through: .max, db)
    }
    let epochs = try pool.read(ReplicationTable.epochs)
    return Survivor(
      file: OpenedFile(
        turn: turn,
        pool: pool,
        place: place,
        epochs: epochs.beginnings,
        primaryAddress: epochs.address
      ),
      primacy: primacy
    )
  }

  /// Returns the last entry of a log. An empty log gets the first entry of a new history.
  private static func lastEntry(
    of log: any ReplicationLog,
    _ database: DatabaseID,
    _ fingerprint: [UInt8]
  ) throws -> HistoryPosition {
    try ReplicationError.asking { () throws(ReplicationLogError) in
      let tail = try log.tail()
      guard tail > .start else {
        let (bytes, place) = EntryWriter.genesis(
          database,
          fingerprint: fingerprint,
          content: "the history continues with the file of a survivor",
          time: Node.now
        )
        let outcome = try log.append(bytes, expecting: .start)
        guard case .appended = outcome else {
          throw ReplicationLogError.unavailable("it did not take its first entry. Try again.")
        }
        return place
      }
      let found = try log.entries(
        after: LogPosition(tail.sequence - 1),
        limit: 1,
        waitingUpTo: .zero
      )
      guard let logged = found.first, logged.position == tail,
        let (entry, hash) = try? Entry.decode(logged.bytes)
      else {
        throw ReplicationLogError.unexpected("its last entry is not readable. Use an empty log")
      }
      guard entry.database == database else {
        throw ReplicationLogError.unexpected("it belongs to database \(entry.database)")
      }
      return HistoryPosition(
        database: database,
        position: tail,
        epoch: entry.epoch,
        commit: entry.commit,
        hash: hash
      )
    }
  }

  /// Finds the entry from which on a log has the history of another file.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - place: The place of a file that the log does not continue.
  /// - Returns: The last such entry; `nil` if the log has none.
  /// - Throws: ``ReplicationError/log(_:)``.
  static func position(
    in log: any ReplicationLog,
    after place: HistoryPosition
  ) throws(ReplicationError) -> LogPosition? {
    try ReplicationError.asking { () throws(ReplicationLogError) in
      guard let first = try log.first() else { return nil }
      var last = LogPosition(max(0, first.sequence - 1))
      var found: LogPosition?
      while true {
        let entries = try log.entries(after: last, limit: 64, waitingUpTo: .zero)
        guard let end = entries.last?.position, end > last else { return found }
        for logged in entries {
          guard let entry = try? Entry.decode(logged.bytes).entry else { continue }
          if entry.kind == .survivor, entry.database == place.database, entry.epoch > place.epoch {
            found = logged.position
          }
        }
        last = end
      }
    }
  }
}
