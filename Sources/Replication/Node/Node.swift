internal import Dispatch
internal import Recording
internal import Storage
internal import WellspringSystem

/// A node of a replicated database, behind ``ReplicatedDatabase``.
///
/// A thread of its own (``NodeLoop``) follows the log, or says that the primary is alive. Writes
/// append to the log on the threads of their callers.
final class Node: Sendable {
  private let turn: FileTurn
  let pool: DatabasePool
  let log: WatchedLog
  let role: ReplicationRole
  let options: ReplicationOptions
  let file: ReplicaFile
  let primacy = PrimacyTurn()
  // Guards the state of the node. Waiters and listeners are called outside it.
  let state: Lock<NodeState>
  let listeners = StatusListeners()
  let events: EventLog
  let identity: NodeIdentity
  let recorder = NodeRecorder()
  /// Wakes the thread of the node.
  let wakeUp = MonotonicSemaphore()
  /// Wakes the thread that publishes commits.
  let outboxChanged = MonotonicSemaphore()
  let didEndPublishing = DispatchSemaphore(value: 0)
  /// Wakes the thread that announces the node.
  let announcementIsDue = MonotonicSemaphore()
  // Guards whether the engine may have an announcement, whether it has failed to take the last one,
  // and whether it is to be removed.
  let announced = Lock((mayBeKept: false, hasFailed: false, isWithdrawn: false))
  let didWithdraw = MonotonicSemaphore()
  // Guards whether a thread ends the primacy for the sake of a preferred node.
  let isHandingBack = Lock(false)
  let didEndAnnouncing = DispatchSemaphore(value: 0)
  // Guards when the instruments get the next status, by the monotonic clock.
  let nextReport = Lock(UInt64(0))
  /// Looks whether the log is silent.
  let contactQueue = DispatchQueue(label: "wellspring.replication.contact")
  /// The calls of the store of snapshots.
  let snapshotCalls: SnapshotCalls
  /// Entered while a snapshot is being made.
  let makingSnapshot = DispatchGroup()
  /// Signalled when the thread of the node has ended.
  let didEnd = DispatchSemaphore(value: 0)

  init(
    _ opened: OpenedFile,
    log: any ReplicationLog,
    role: ReplicationRole,
    options: ReplicationOptions
  ) throws {
    turn = opened.turn
    pool = opened.pool
    self.log = WatchedLog(log)
    self.role = role
    self.options = options
    snapshotCalls = SnapshotCalls(limit: options.storeTimeout)
    events = EventLog(options.instruments)
    identity = NodeIdentity(id: opened.turn.id, address: options.address)
    file = ReplicaFile(pool: opened.pool) { transactions, db in
      try Node.apply(transactions, db)
    }
    state = Lock(
      NodeState(
        NodeStateMachine(
          NodeStateMachine.Settings(
            role: role,
            heartbeatInterval: options.heartbeatInterval,
            electionTimeout: options.electionTimeout
          )
        ),
        place: opened.place,
        epochs: opened.epochs,
        primaryAddress: opened.primaryAddress
      )
    )
    let (outbox, numbers) = try pool.read { (try Outbox.count($0), try Outbox.numbers($0)) }
    state.withLock { state in
      state.outbox = outbox
      state.fate = OutboxFate(numbers, at: opened.place.token)
      state.lastForeignCommit = opened.lastForeignCommit
    }
    if let damage = opened.damage { update { $0.noteDamage(damage) } }
    // A caller must not wait for a log whose next primary may be another node already.
    self.log.limitCalls(to: options.electionTimeout * 0.8)
    recorder.node = self
    try pool.writeWithoutTransaction { db in
      try db.startRecording(recorder)
    }
  }

  /// The largest body of one entry.
  var partLimit: Int { max(1, min(EntryWriter.partByteCount, log.entryLimit - 1024)) }

  /// The status for users. It is unknown when the log has not answered for an election timeout.
  var status: ReplicationStatus {
    let (lastAnswer, silence) = (
      log.contact.lastAnswer, log.contact.silenceBegin(options.electionTimeout)
    )
    let now = MonotonicClock.now
    let lastContact = lastAnswer.map { Duration.nanoseconds(now - min(now, $0)) }
    // A node that cannot ask, because its disk hangs for instance, knows as little.
    let longest = max(options.electionTimeout, options.heartbeatInterval * 2)
    let isOld = lastContact.map { $0 > longest } ?? false
    return state.withLock { state in
      state.status(
        at: Node.now,
        lastContact: lastContact,
        hasStore: options.snapshots != nil,
        isSilent: isOld || silence.map { now >= $0 } ?? false
      )
    }
  }

  /// The time of this node's clock, in milliseconds since 1970.
  static var now: Int64 { WallClock.now / 1_000_000 }

  // MARK: State

  /// Changes the state, and then calls the waiters and listeners of the change.
  func update<Value: Sendable>(_ change: (inout NodeState) -> Value) -> Value {
    let (value, finished, logged, hasNewRole) = state.withLock { state in
      let before = state.milestones
      let value = change(&state)
      let after = state.milestones
      if after != before {
        // In the order of the changes. Without a store, the node is about to stop.
        let kinds = after.events(since: before).filter { kind in
          if case .needsSnapshot = kind { options.snapshots != nil } else { true }
        }
        events.note(kinds, at: Node.now)
      }
      let ending = state.ending.map { ReplicationError.notLogged("\($0)") }
      return (
        value, state.takeFinishedWaiters(), state.fate.takeFinished(ending),
        after.role != before.role || after.damage != before.damage
      )
    }
    if hasNewRole { announcementIsDue.signal() }
    for (waiter, result) in finished { waiter.finish(result) }
    for (waiter, result) in logged { waiter.finish(result) }
    listeners.notify { self.status }
    return value
  }

  /// Notes that the log has answered, and where it ends if that is known.
  func noteAnswer(tail: LogPosition?) {
    update { state in
      if !state.isConnected, state.lastError != nil { state.reconnects += 1 }
      state.isConnected = true
      state.isErrorOver = state.isErrorOver || state.isErrorOfLog
      state.tail = tail
    }
  }

  /// Notes an error after which the node continues.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - isOfLog: Whether the log does not answer.
  ///   - number: The last commit of the outbox that the log has not taken because of the error;
  ///     `nil` if it was not asked to take one.
  func note(_ error: any Error, isOfLog: Bool, refusing number: Int64? = nil) {
    update { state in
      state.noteError("\(error)", isOfLog: isOfLog)
      if isOfLog { state.isConnected = false }
    }
    if let number, case ReplicationError.log(let error) = error {
      failLogWaits(error.description, through: number)
    }
  }

  /// Stops following. Reads continue.
  func stop(_ error: ReplicationError) {
    primacy.use { $0?.end() }
    update { state in
      state.machine.stop(error)
      state.noteError(error.description, isOfLog: false)
    }
  }

  /// Notes that the file must be replaced by a snapshot. Reads continue.
  ///
  /// - Parameter damage: The reason, and the first entry that the snapshot must contain.
  func noteDamage(_ damage: NodeStateMachine.Damage) {
    update { $0.noteDamage(damage) }
    stepDown()
  }

  /// Whether the node is being closed.
  var isClosed: Bool { state.withLock { $0.machine.isClosed } }

  /// Ends the thread of the node, and the waits.
  func close() {
    update { $0.machine.close() }
    log.close()
    snapshotCalls.end()
    wakeUp.signal()
    outboxChanged.signal()
    announcementIsDue.signal()
  }

  /// Closes the file, after the end of the node, and lets another node use it.
  func closeFile() throws {
    try pool.close()
    turn.release()
  }
}
