internal import Dispatch
internal import Recording
internal import Storage
internal import WellspringSystem

/// Writing as the primary.
extension Node {
  /// The error of a write on a node that is not the primary.
  var refusal: ReplicationError {
    state.withLock { state in
      state.ending ?? .notPrimary(address: state.isPrimary ? nil : state.primaryAddress)
    }
  }

  /// Checks that the node may write, before a write does its work for nothing.
  ///
  /// - Throws: ``ReplicationError``.
  func checkMayWrite() throws(ReplicationError) {
    guard state.withLock({ $0.mayWrite }) else { throw refusal }
  }

  /// Appends a transaction that is about to be committed, and writes its place.
  ///
  /// The place is a part of the transaction. An error undoes both. With a reason, the transaction
  /// cannot be repeated, and other nodes need a snapshot.
  ///
  /// - Returns: Where the commit is.
  /// - Throws: ``ReplicationError``, or `DatabaseError` if the place cannot be written.
  func append(
    _ transaction: RecordedTransaction,
    snapshotReason reason: String?,
    fingerprint: [UInt8],
    _ db: Database
  ) throws -> Appended {
    let encoded = transaction.encoded()
    guard encoded.count <= options.largestTransaction else {
      throw ReplicationError.transactionTooLarge(
        bytes: encoded.count,
        limit: options.largestTransaction
      )
    }
    if options.promise == .local, db.isInsideTransaction {
      return .kept(try keepForLater(transaction, encoded, reason, fingerprint, db))
    }
    // Those commits come first.
    guard options.promise == .local || state.withLock({ $0.outbox }) == 0 else {
      outboxChanged.signal()
      throw ReplicationError.outboxIsFull
    }
    let body =
      reason.map { Array($0.utf8) }
      ?? EntryBatch(transactions: [encoded]).encoded()
    let place = try appending { primacy in
      let prepared = try primacy.prepare(
        reason == nil ? .commits : .snapshotNeeded,
        body: body,
        commits: 1,
        fingerprint: fingerprint,
        time: Node.now
      )
      guard db.isInsideTransaction else {
        // `VACUUM` is not part of a transaction. Its place must not be ahead of the log.
        let place = try primacy.append(prepared)
        try db.inTransaction(.immediate) {
          try ReplicationTable.write(place, db)
          return .commit
        }
        return place
      }
      try ReplicationTable.write(prepared.place, db)
      return try primacy.append(prepared)
    }
    return .logged(place)
  }

  /// Where a commit is.
  enum Appended {
    /// In the log, which has this place after it.
    case logged(HistoryPosition)
    /// In the outbox, with this number. The log gets it later.
    case kept(Int64)
  }

  /// Uses the primacy, and becomes a follower when it ends.
  ///
  /// - Parameters:
  ///   - number: The last commit of the outbox that the log gets; `nil` if it gets no commit of it.
  ///   - append: Appends to the log.
  /// - Returns: The place after it.
  /// - Throws: The errors of `append`, or ``ReplicationError/notPrimary(address:)``.
  func appending(
    through number: Int64? = nil,
    _ append: (inout Primacy) throws -> HistoryPosition
  ) throws -> HistoryPosition {
    let result = primacy.use { primacy -> Result<HistoryPosition, any Error>? in
      guard var held = primacy, held.isHeld else { return nil }
      defer { primacy = held }
      return Result { try append(&held) }
    }
    switch result {
    case nil:
      // The cause is noted already, and must not be covered by its effect.
      stepDown()
      throw refusal
    case .success(let place):
      noteAnswer(tail: place.position)
      return place
    case .failure(let error):
      if let error = error as? ReplicationError { noteFailure(error, number) }
      // The address of the new primary is in an entry that this node has not read yet.
      throw error
    }
  }

  private func noteFailure(_ error: ReplicationError, _ number: Int64?) {
    let isHeld = primacy.use { $0?.isHeld ?? false }
    var isOfLog = false
    switch error {
    case .log, .outcomeUnknown: isOfLog = true
    default: break
    }
    note(error, isOfLog: isOfLog, refusing: number)
    if !isHeld { stepDown() }
  }

  /// Ends the primacy. The thread of the node then follows the log.
  func stepDown() {
    primacy.use { $0?.end() }
    update { $0.stepDown() }
    wakeUp.signal()
  }

  /// Writes a transaction into the outbox.
  ///
  /// - Returns: Its number.
  private func keepForLater(
    _ transaction: RecordedTransaction,
    _ encoded: [UInt8],
    _ reason: String?,
    _ fingerprint: [UInt8],
    _ db: Database
  ) throws -> Int64 {
    let (mayWrite, isFull, number) = state.withLock { state in
      let isLate = state.waitingSince.map { .now - $0 > options.longestOutboxTime } ?? false
      let isFull = isLate || state.outbox >= options.largestOutbox
      // One commit at a time is on its way.
      return (state.mayWrite, isFull, state.fate.last + 1)
    }
    guard mayWrite else { throw refusal }
    guard !isFull else { throw ReplicationError.outboxIsFull }
    try Outbox.append(
      number,
      encoded,
      fingerprint: fingerprint,
      snapshotReason: reason,
      rowsBefore: try RowsBefore.text(of: transaction) { try pool.read($0) },
      db
    )
    return number
  }

  /// A commit that the log does not have yet is in the file.
  func didCommitLocally(_ number: Int64) {
    update { state in
      state.outbox += 1
      state.fate.add(number)
    }
    outboxChanged.signal()
  }

  /// A commit that the log has is in the file.
  func didCommit(_ place: HistoryPosition, time: Int64, needsSnapshot: Bool) {
    update { state in
      state.noteCommit(place)
      state.time = time
      if needsSnapshot { state.neededSnapshot = place.position }
    }
    if needsSnapshot { wakeUp.signal() }
  }

  /// Another connection has written to the file.
  func noteForeignWrite() {
    noteDamage(.init(error: .foreignWrite, needed: state.withLock { $0.place.position.next }))
  }

  /// The log has a commit that is not in the file: the file must follow the log.
  func didLoseCommit() { stepDown() }

  /// A backup has replaced the content of the file.
  func contentWasReplaced() { noteForeignWrite() }

  /// Says in the log that the primary is alive.
  ///
  /// - Throws: ``ReplicationError``.
  func beat() throws {
    let place = try appending { primacy in
      try primacy.append(.heartbeat, fingerprint: primacy.fingerprint, time: Node.now)
    }
    noteHeartbeat(place)
  }

  /// Notes the place of a heartbeat that this node has appended.
  func noteHeartbeat(_ place: HistoryPosition) {
    update { state in
      state.noteHeartbeat(place)
      state.time = Node.now
    }
  }

  /// Begins the epoch that the node has won.
  ///
  /// - Parameters:
  ///   - won: The primacy.
  ///   - isSurvivor: Whether the history continues with the file of this node.
  /// - Throws: `DatabaseError`. The node follows then, and reads its own claim.
  func begin(_ won: Primacy, asSurvivor isSurvivor: Bool = false) throws {
    let place = won.last
    let address = options.address
    state.withLock { $0.machine.didWin(epoch: place.epoch) }
    try withoutRecording { file in
      try file.write { db in
        try ReplicationTable.begin(place.epoch, at: place.position, address: address, db)
        try ReplicationTable.write(place, db)
        return .commit
      }
    }
    primacy.use { $0 = won }
    let isPrimary = update { state in
      // A snapshot replaces the place of a file that was found to be damaged meanwhile.
      guard state.machine.begin() else { return false }
      state.place = place
      state.epochs.begin(place.epoch, at: place.position)
      state.time = Node.now
      state.tail = place.position
      state.primaryAddress = address
      // No other node can pass the entry of a survivor.
      if isSurvivor { state.neededSnapshot = place.position }
      // Nodes whose file is damaged wait for a snapshot of the new epoch, and have asked for it.
      state.nextLookForRequests = 0
      return true
    }
    guard isPrimary else { return stepDown() }
    outboxChanged.signal()
  }
}
