internal import Storage

/// A file without a place: it joins the history of a log, or begins that history.
struct FileBeginning {
  private let turn: FileTurn
  private let pool: DatabasePool
  private let log: any ReplicationLog
  private let role: ReplicationRole
  private let options: ReplicationOptions
  private let isEmpty: Bool
  /// The first entry of the log if this node begins the history, and the place after it.
  ///
  /// It is the same in each attempt, and a file with content keeps it from one start to the next:
  /// the log may have stored it although its answer was lost.
  private let own: (bytes: [UInt8], place: HistoryPosition)
  private let isNoted: Bool

  /// - Throws: ``ReplicationError``, or `DatabaseError`.
  init(
    _ turn: FileTurn,
    _ pool: DatabasePool,
    _ log: any ReplicationLog,
    _ role: ReplicationRole,
    _ options: ReplicationOptions
  ) throws {
    self.turn = turn
    self.pool = pool
    self.log = log
    self.role = role
    self.options = options
    let (fingerprint, isEmpty, noted) = try pool.read { db in
      (
        try SchemaFingerprint(db).bytes, try ReplicationTable.isAlone(db),
        try ReplicationTable.genesis(db)
      )
    }
    self.isEmpty = isEmpty
    let place = noted.flatMap { bytes in
      try? Self.decode(LogEntry(position: .start.next, bytes: bytes)).place
    }
    if let noted, let place {
      isNoted = true
      own = (noted, place)
    } else {
      isNoted = false
      own = EntryWriter.genesis(
        DatabaseID(),
        fingerprint: fingerprint,
        content: isEmpty ? nil : "the database had content",
        time: Node.now
      )
    }
  }

  /// Returns the file at its place.
  ///
  /// - Throws: ``ReplicationError``, or `DatabaseError`.
  func open() throws -> OpenedFile {
    for _ in 0..<10 {
      if let first = try firstPosition() {
        return first == .start.next ? try join() : try joinTrimmed(from: first)
      }
      guard role.isCandidate else {
        // Another node has to begin the history.
        _ = try ReplicationError.asking { () throws(ReplicationLogError) in
          try log.entries(after: .start, limit: 1, waitingUpTo: .seconds(1))
        }
        continue
      }
      if try begin() { return try start(at: own.place, isFirst: true) }
    }
    throw ReplicationError.log(.unavailable("it is empty, and no node has begun the history."))
  }

  // MARK: Beginning

  /// Appends the first entry.
  ///
  /// - Returns: Whether the log has it; `false` if the log must be asked which first entry it has.
  private func begin() throws -> Bool {
    // Without a snapshot, no other node could get the content.
    guard isEmpty || options.snapshots != nil else { throw ReplicationError.foreignFile }
    if !isEmpty, !isNoted {
      try pool.write { try ReplicationTable.write(genesis: own.bytes, $0) }
      // After a power failure, the log could have the entry of a file that does not know it. The
      // commit alone is not synchronised with all settings.
      try pool.checkpoint(.full)
    }
    let outcome = try ReplicationError.asking { () throws(ReplicationLogError) in
      try log.append(own.bytes, expecting: .start)
    }
    // After an unknown outcome or a conflict, the log has a first entry or gets one.
    if case .appended = outcome { return true }
    return false
  }

  /// Notes the place of the file.
  ///
  /// - Parameters:
  ///   - place: The place after the first entry.
  ///   - isFirst: Whether this node has begun the history.
  ///   - lacksContent: Whether the history began with content that this file does not have.
  /// - Returns: The file at that place.
  /// - Throws: `DatabaseError`.
  private func start(
    at place: HistoryPosition,
    isFirst: Bool,
    lacksContent: Bool = false
  ) throws -> OpenedFile {
    let error = lacksContent ? ReplicationError.snapshotNeeded(after: .start) : nil
    try pool.write { db in
      try ReplicationTable.write(place, db)
      if isEmpty || place != own.place { try ReplicationTable.forgetGenesis(db) }
      if let error { try ReplicationTable.noteDamage(error, db) }
    }
    return OpenedFile(
      turn: turn,
      pool: pool,
      place: place,
      epochs: EpochBeginnings(),
      damage: error.map { NodeStateMachine.Damage(error: $0, needed: place.position) },
      hadContent: !isEmpty,
      isFirst: isFirst
    )
  }

  // MARK: Joining

  /// Takes the first entry of the log.
  private func join() throws -> OpenedFile {
    let (place, hadContent) = try firstEntry()
    guard place == own.place else {
      guard isEmpty else { throw ReplicationError.foreignFile }
      return try start(at: place, isFirst: false, lacksContent: hadContent)
    }
    guard let primary = try firstPrimary() else { return try start(at: place, isFirst: true) }
    // A copy of the file may have led meanwhile, and its content may differ.
    let lacksContent = hadContent && primary != options.address
    return try start(at: place, isFirst: false, lacksContent: lacksContent)
  }

  /// Joins a log that no longer has its first entry.
  private func joinTrimmed(from first: LogPosition) throws -> OpenedFile {
    let database = try database(from: first)
    // The file is older than all entries of the log: it gets a snapshot as any such file.
    if isNoted, database == own.place.database { return try start(at: own.place, isFirst: false) }
    guard isEmpty else { throw ReplicationError.foreignFile }
    guard try install(database, from: first) else {
      throw ReplicationError.snapshotNeeded(after: .start)
    }
    var opened = try OpenedFile.open(turn, pool, log, role, options)
    opened.lastForeignCommit = try pool.read(Outbox.numbers)?.upperBound ?? 0
    return opened
  }

  /// Fills an empty file with the newest snapshot.
  ///
  /// - Returns: Whether a snapshot exists that the log continues.
  private func install(_ database: DatabaseID, from first: LogPosition) throws -> Bool {
    guard let snapshots = options.snapshots else { return false }
    let needed = LogPosition(max(1, first.sequence - 1))
    let calls = SnapshotCalls(limit: options.storeTimeout)
    guard let newest = try Node.newest(of: database, in: snapshots, calls),
      newest.position >= needed
    else { return false }
    try Node.withCopy(of: newest, in: snapshots, calls, log, for: pool) { snapshot in
      try pool.writeWithoutTransaction { try snapshot.install(in: $0) }
    }
    return true
  }

  // MARK: The log

  private func firstPosition() throws -> LogPosition? {
    try ReplicationError.asking { () throws(ReplicationLogError) in try log.first() }
  }

  /// Returns the database of a trimmed log.
  private func database(from first: LogPosition) throws -> DatabaseID {
    let found = try ReplicationError.asking { () throws(ReplicationLogError) in
      try log.entries(after: LogPosition(first.sequence - 1), limit: 1, waitingUpTo: .zero)
    }
    guard let entry = found.first.flatMap({ try? Entry.decode($0.bytes).entry }) else {
      throw ReplicationError.log(.unexpected("its first entry is not readable"))
    }
    return entry.database
  }

  /// Returns the place after the first entry, and whether its file had content.
  private func firstEntry() throws -> (place: HistoryPosition, hadContent: Bool) {
    var fault: HistoryError?
    for _ in 0..<3 {
      let found = try ReplicationError.asking { () throws(ReplicationLogError) in
        try log.entries(after: .start, limit: 1, waitingUpTo: .zero)
      }
      guard let first = found.first else { continue }
      do throws(HistoryError) {
        return try Self.decode(first)
      } catch {
        fault = error
      }
    }
    if let fault { throw ReplicationError.history(fault) }
    throw ReplicationError.log(.unexpected("it does not give its first entry"))
  }

  /// Returns the address of the node that led first; `nil` if none has led yet.
  private func firstPrimary() throws -> String? {
    let found = try ReplicationError.asking { () throws(ReplicationLogError) in
      try log.entries(after: .start.next, limit: 1, waitingUpTo: .zero)
    }
    guard let entry = found.first.flatMap({ try? Entry.decode($0.bytes).entry }) else { return nil }
    return (try? EpochClaim(decoding: entry.body))?.address ?? ""
  }

  private static func decode(
    _ first: LogEntry
  ) throws(HistoryError) -> (place: HistoryPosition, hadContent: Bool) {
    let place = try History.genesis(first).last
    return (place, try !History.decode(first).entry.body.isEmpty)
  }
}
