internal import Storage

/// The file of a node when it is opened: its place, which may be the beginning.
struct OpenedFile: Sendable {
  /// The right to use the file.
  let turn: FileTurn
  let pool: DatabasePool
  var place: HistoryPosition
  var epochs: EpochBeginnings
  var primaryAddress: String?
  /// Why the file must be replaced by a snapshot, and the first entry that this must contain.
  var damage: NodeStateMachine.Damage?
  /// Whether the file had content when this node began the history.
  var hadContent = false
  /// Up to which number the outbox has commits of another node, which came with a snapshot.
  var lastForeignCommit: Int64 = 0
  /// Whether this node has begun the history, so that no other node can lead yet.
  var isFirst = false

  /// Opens a file, and finds its place in the history of a log, or begins that history.
  ///
  /// The log is asked for the sake of a new file only. A file that has a place is opened without
  /// it, since reads are needed most when the log is away or wrong.
  ///
  /// - Throws: ``ReplicationError``, or `DatabaseError`.
  static func open(
    _ path: String,
    _ configuration: Configuration,
    _ log: any ReplicationLog,
    _ role: ReplicationRole,
    _ options: ReplicationOptions
  ) throws -> OpenedFile {
    let turn = try FileTurn(of: path)
    Node.removeCopies(of: path)
    let pool = try DatabasePool(path: path, configuration: configuration)
    do {
      return try open(turn, pool, log, role, options)
    } catch {
      try? pool.close()
      throw error
    }
  }

  private static func open(
    _ turn: FileTurn,
    _ pool: DatabasePool,
    _ log: any ReplicationLog,
    _ role: ReplicationRole,
    _ options: ReplicationOptions
  ) throws -> OpenedFile {
    try pool.write(ReplicationTable.create)
    if let place = try pool.read(ReplicationTable.read) {
      let (epochs, address) = try pool.read(ReplicationTable.epochs)
      let damage = try pool.read(ReplicationTable.damage).map { error in
        var needed = place.position
        if case .otherSurvivor(let position) = error { needed = position }
        return NodeStateMachine.Damage(error: error, needed: needed)
      }
      return OpenedFile(
        turn: turn,
        pool: pool,
        place: place,
        epochs: epochs,
        primaryAddress: address,
        damage: damage
      )
    }
    let (fingerprint, isEmpty) = try pool.read { db in
      (try SchemaFingerprint(db).bytes, try hasNoContent(db))
    }
    // The same in each attempt: the log may have stored it although its answer was lost.
    let (bytes, place) = EntryWriter.genesis(
      DatabaseID(),
      fingerprint: fingerprint,
      time: Node.now
    )
    for _ in 0..<10 {
      if let first = try first(of: log) {
        guard first == .start.next else {
          guard isEmpty else { throw ReplicationError.foreignFile }
          guard try install(options, from: first, pool, log) else {
            throw ReplicationError.snapshotNeeded(after: .start)
          }
          var opened = try open(turn, pool, log, role, options)
          opened.lastForeignCommit = try pool.read(Outbox.numbers)?.upperBound ?? 0
          return opened
        }
        let begun = try genesis(log)
        guard isEmpty || begun == place else { throw ReplicationError.foreignFile }
        return try start(turn, pool, at: begun, hadContent: !isEmpty, isFirst: begun == place)
      }
      guard role.isCandidate else {
        // Another node has to begin the history.
        _ = try ReplicationError.asking { () throws(ReplicationLogError) in
          try log.entries(after: .start, limit: 1, waitingUpTo: .seconds(1))
        }
        continue
      }
      // Without a snapshot, no other node could get the content.
      guard isEmpty || options.snapshots != nil else { throw ReplicationError.foreignFile }
      let outcome = try ReplicationError.asking { () throws(ReplicationLogError) in
        try log.append(bytes, expecting: .start)
      }
      // After an unknown outcome or a conflict, the log has a first entry or gets one.
      guard case .appended = outcome else { continue }
      return try start(turn, pool, at: place, hadContent: !isEmpty, isFirst: true)
    }
    throw ReplicationError.log(.unavailable("it is empty, and no node has begun the history."))
  }

  /// Returns the file at the beginning of the history.
  private static func start(
    _ turn: FileTurn,
    _ pool: DatabasePool,
    at place: HistoryPosition,
    hadContent: Bool,
    isFirst: Bool
  ) throws -> OpenedFile {
    try pool.write { try ReplicationTable.write(place, $0) }
    return OpenedFile(
      turn: turn,
      pool: pool,
      place: place,
      epochs: EpochBeginnings(),
      hadContent: hadContent,
      isFirst: isFirst
    )
  }

  /// Fills an empty file with the newest snapshot.
  ///
  /// - Returns: Whether a snapshot exists that the log continues.
  private static func install(
    _ options: ReplicationOptions,
    from first: LogPosition,
    _ pool: DatabasePool,
    _ log: any ReplicationLog
  ) throws -> Bool {
    guard let snapshots = options.snapshots else { return false }
    let found = try ReplicationError.asking { () throws(ReplicationLogError) in
      try log.entries(after: LogPosition(first.sequence - 1), limit: 1, waitingUpTo: .zero)
    }
    guard let entry = found.first.flatMap({ try? Entry.decode($0.bytes).entry }) else {
      throw ReplicationError.log(.unexpected("its first entry is not readable"))
    }
    let needed = LogPosition(max(1, first.sequence - 1))
    let calls = SnapshotCalls(limit: options.storeTimeout)
    guard let newest = try Node.newest(of: entry.database, in: snapshots, calls),
      newest.position >= needed
    else { return false }
    try Node.withCopy(of: newest, in: snapshots, calls, log, for: pool) { snapshot in
      try pool.writeWithoutTransaction { try snapshot.install(in: $0) }
    }
    return true
  }

  private static func first(of log: any ReplicationLog) throws -> LogPosition? {
    try ReplicationError.asking { () throws(ReplicationLogError) in try log.first() }
  }

  private static func genesis(_ log: any ReplicationLog) throws -> HistoryPosition {
    var fault: HistoryError?
    for _ in 0..<3 {
      let found = try ReplicationError.asking { () throws(ReplicationLogError) in
        try log.entries(after: .start, limit: 1, waitingUpTo: .zero)
      }
      guard let first = found.first else { continue }
      do throws(HistoryError) {
        return try History.genesis(first).last
      } catch {
        fault = error
      }
    }
    if let fault { throw ReplicationError.history(fault) }
    throw ReplicationError.log(.unexpected("it does not give its first entry"))
  }

  private static func hasNoContent(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT NOT EXISTS (SELECT 1 FROM main.sqlite_schema
          WHERE lower(tbl_name) NOT LIKE '\\_replication%' ESCAPE '\\')
        """
    ) ?? false
  }
}
