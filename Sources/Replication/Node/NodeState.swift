internal import WellspringSystem

/// The state that all threads of a node share.
struct NodeState {
  /// The phase of the node, and the next work of its thread.
  var machine: NodeStateMachine
  /// The place of the file.
  var place: HistoryPosition
  /// Where the epochs begin whose entries are in the file.
  var epochs: EpochBeginnings
  /// The heartbeats after a commit that is in the log, and not in the file yet.
  private var earlyHeartbeats: (first: LogPosition, last: HistoryPosition)?
  var primaryAddress: String?
  /// The last entry of the log, when the node last knew it.
  var tail: LogPosition?
  /// The time of the primary's clock in the last entry that is in the file, in milliseconds.
  var time: Int64?
  var isConnected = false
  var reconnects = 0
  private(set) var lastError: String?
  /// The number of the last error. An error that repeats the one before has the same number.
  private(set) var errorNumber = 0
  /// When it was, by the monotonic clock.
  private(set) var errorTime: UInt64 = 0
  /// Whether it was an error of the log, which is over when the log answers again.
  private(set) var isErrorOfLog = false
  /// Whether the node has since succeeded with the step that failed.
  var isErrorOver = false
  /// Whether a copy of content that only the damaged file has is beside it.
  var hasKeptContent = false
  /// That copy.
  var keptCopy: String?
  /// The fate of the commits of the outbox.
  var fate: OutboxFate
  /// How many commits the log may not have.
  var outbox = 0 {
    didSet {
      if outbox == 0 {
        waitingSince = nil
      } else if outbox < oldValue || waitingSince == nil {
        waitingSince = .now
      }
    }
  }
  /// Since when the log has taken none of them.
  private(set) var waitingSince: ContinuousClock.Instant?
  var discardedCommits: String?
  /// Up to which number the outbox has commits of another node, which came with a snapshot.
  var lastForeignCommit: Int64 = 0
  /// The newest snapshot, and when it was made or taken, in milliseconds.
  private(set) var snapshot: (position: LogPosition, time: Int64)?
  private var madeSnapshot: LogPosition?
  private var takenSnapshot: LogPosition?
  /// The snapshot after which the log has a step that cannot be repeated on it.
  var unusableSnapshot: SnapshotName?
  var logSize: Int64?
  /// The last entry that other nodes can only get by a snapshot.
  var neededSnapshot: LogPosition?
  var isMakingSnapshot = false
  /// When to look whether a node asks for a snapshot, and when to ask for one again.
  var nextLookForRequests: UInt64 = 0
  var nextSnapshotRequest: UInt64 = 0
  /// How many snapshots in a row could not be made, and when to try again.
  var failedSnapshots = (count: 0, retryTime: UInt64(0))
  /// The waits for tokens, by number.
  var waiters: [UInt64: TokenWaiter] = [:]
  var lastWaiter: UInt64 = 0

  /// The role of the node, whether its file is damaged or not.
  var role: ReplicationStatus.Role {
    switch machine.phase {
    case .leading: .primary
    case .following, .damaged: .replica
    case .stopped(let error): .stopped(error)
    }
  }

  /// Whether the node writes.
  var isPrimary: Bool { machine.isLeading }

  /// Whether writes are accepted.
  var mayWrite: Bool { machine.isLeading && !machine.isClosed }

  /// The error of waits and writes that cannot succeed any more.
  var ending: ReplicationError? { machine.ending }

  init(
    _ machine: NodeStateMachine = NodeStateMachine(),
    place: HistoryPosition,
    epochs: EpochBeginnings,
    primaryAddress: String?
  ) {
    self.machine = machine
    self.place = place
    fate = OutboxFate(nil, at: place.token)
    self.epochs = epochs
    self.primaryAddress = primaryAddress
  }

  /// Ends the primacy, if the node has it.
  mutating func stepDown() {
    if machine.stepDown() { primaryAddress = nil }
  }

  /// Notes that the file must be replaced by a snapshot.
  mutating func noteDamage(_ damage: NodeStateMachine.Damage) {
    stepDown()
    machine.noteDamage(damage)
    noteError(damage.error.description, isOfLog: false)
  }

  /// Notes a heartbeat that this node has appended.
  ///
  /// A commit before it may be in the log and not in the file yet. It is noted with that one then.
  mutating func noteHeartbeat(_ heartbeat: HistoryPosition) {
    if place.position.next == heartbeat.position {
      place = heartbeat
    } else if let early = earlyHeartbeats, early.last.position.next == heartbeat.position {
      earlyHeartbeats?.last = heartbeat
    } else {
      earlyHeartbeats = (heartbeat.position, heartbeat)
    }
  }

  /// Notes a heartbeat of the primary.
  ///
  /// After an error, the heartbeats after the place of the file are read a second time.
  mutating func noteRead(heartbeat: HistoryPosition, at time: Int64) {
    guard heartbeat.position > place.position else { return }
    place = heartbeat
    self.time = time
  }

  /// Notes a commit of this node that is in the file and in the log.
  mutating func noteCommit(_ commit: HistoryPosition) {
    place = commit
    if let early = earlyHeartbeats, early.first == commit.position.next { place = early.last }
    earlyHeartbeats = nil
  }

  /// Notes that the node has made a snapshot.
  mutating func noteMadeSnapshot(_ position: LogPosition, at time: Int64) {
    snapshot = (position, time)
    madeSnapshot = position
    if let needed = neededSnapshot, needed <= position { neededSnapshot = nil }
  }

  /// Notes that a snapshot has replaced the content of the file.
  mutating func noteTakenSnapshot(_ position: LogPosition, at time: Int64) {
    snapshot = (position, time)
    takenSnapshot = position
  }

  /// The values whose changes are events.
  var milestones: NodeMilestones {
    NodeMilestones(
      role: role,
      epoch: place.epoch,
      primaryAddress: primaryAddress,
      isConnected: isConnected,
      damage: machine.damage?.error,
      madeSnapshot: madeSnapshot,
      takenSnapshot: takenSnapshot,
      discardedCommits: discardedCommits,
      keptCopy: keptCopy,
      errorNumber: errorNumber,
      isErrorOfLog: isErrorOfLog,
      lastError: lastError
    )
  }

  /// Notes an error.
  mutating func noteError(_ text: String, isOfLog: Bool) {
    if lastError != text || isErrorOver { errorNumber += 1 }
    lastError = text
    errorTime = MonotonicClock.now
    isErrorOfLog = isOfLog
    isErrorOver = false
  }

  /// The waiters whose wait is over, and their results.
  mutating func takeFinishedWaiters() -> [(TokenWaiter, Result<Void, ReplicationError>)] {
    guard !waiters.isEmpty else { return [] }
    var finished: [(TokenWaiter, Result<Void, ReplicationError>)] = []
    for (number, waiter) in waiters {
      guard let result = result(of: waiter.goal) else { continue }
      waiters[number] = nil
      finished.append((waiter, result))
    }
    return finished
  }

  /// The result of a wait; `nil` if it is not over.
  func result(of goal: TokenWaiter.Goal) -> Result<Void, ReplicationError>? {
    let fate: EpochBeginnings.Fate
    switch goal {
    case .token(let token): fate = epochs.fate(of: token, at: place)
    case .position(let position): fate = place.position >= position ? .contained : .ahead
    }
    switch (fate, goal) {
    case (.contained, _): return .success(())
    case (.discarded, .token(let token)): return .failure(.discardedToken(token))
    case (.discarded, .position), (.ahead, _): return ending.map { .failure($0) }
    }
  }

  /// The role of the node, as users see it.
  private func shownRole(_ isSilent: Bool, _ hasStore: Bool) -> ReplicationStatus.Role {
    if role == .primary { return isSilent ? .replica : .primary }
    // Without a store, the node is about to stop.
    guard hasStore, let damage = machine.damage else { return role }
    return .needsSnapshot(damage.error)
  }

  /// The status that users see.
  ///
  /// - Parameters:
  ///   - now: The time of this node's clock, in milliseconds.
  ///   - lastContact: How long ago the log has answered.
  ///   - hasStore: Whether there is a place for snapshots.
  ///   - isSilent: Whether it has not answered for so long that another node may be the primary.
  /// - Returns: The status.
  func status(
    at now: Int64,
    lastContact: Duration?,
    hasStore: Bool,
    isSilent: Bool
  ) -> ReplicationStatus {
    var isConnected = isConnected && !isSilent
    // It has ceased to ask.
    if case .stopped = role { isConnected = false }
    var status = ReplicationStatus(
      role: shownRole(isSilent, hasStore),
      epoch: place.epoch,
      applied: place.position,
      tail: tail.map { max($0, place.position) },
      primaryAddress: isSilent && role == .primary ? nil : primaryAddress,
      isConnected: isConnected,
      reconnects: reconnects,
      lastError: lastError,
      lastErrorAge: lastError.map { _ in
        .nanoseconds(MonotonicClock.now - min(MonotonicClock.now, errorTime))
      },
      isLastErrorOver: lastError != nil && isErrorOver,
      lastContact: lastContact,
      dataAge: time.map { .milliseconds(max(0, now - $0)) },
      outbox: outbox,
      discardedCommits: discardedCommits,
      snapshot: snapshot?.position,
      snapshotAge: snapshot.map { .milliseconds(max(0, now - $0.time)) },
      logSize: logSize
    )
    if status.lag == 0 {
      status.delay = .zero
    } else if isConnected, let time {
      status.delay = .milliseconds(max(1, now - time))
    }
    return status
  }
}

/// A wait for a token, or for an entry.
struct TokenWaiter: Sendable {
  /// The content that ends a wait for the file.
  enum Goal: Sendable {
    case token(WriteToken)
    case position(LogPosition)
  }

  let goal: Goal
  let finish: @Sendable (Result<Void, ReplicationError>) -> Void
}
