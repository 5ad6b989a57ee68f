/// The part of a node's state whose changes are events.
struct NodeMilestones: Equatable {
  var role = ReplicationStatus.Role.replica
  var epoch: Int64 = 0
  var primaryAddress: String?
  var isConnected = false
  var damage: ReplicationError?
  var madeSnapshot: LogPosition?
  var takenSnapshot: LogPosition?
  var discardedCommits: String?
  var keptCopy: String?
  /// The number of the last error. An error that repeats the one before has the same number.
  var errorNumber = 0
  var isErrorOfLog = false
  var lastError: String?

  /// Returns the events that lead from an earlier state to this one, in the order of causes and
  /// effects.
  func events(since old: NodeMilestones) -> [ReplicationEvent.Kind] {
    guard self != old else { return [] }
    var events: [ReplicationEvent.Kind] = []
    let hasStopped = role.isStopped && !old.role.isStopped
    if !isConnected, old.isConnected {
      events.append(.disconnected(lastError ?? "the reason is unknown"))
    } else if errorNumber != old.errorNumber, let lastError, !hasStopped,
      // While the log does not answer, each endpoint has an error of its own.
      isConnected || !isErrorOfLog, damage == old.damage,
      keptCopy == old.keptCopy
    {
      events.append(.failed(lastError))
    }
    if isConnected, !old.isConnected { events.append(.connected) }
    if let damage, old.damage == nil { events.append(.needsSnapshot(damage)) }
    if old.role == .primary, role != .primary { events.append(.endedPrimacy(epoch: old.epoch)) }
    if discardedCommits != old.discardedCommits, let path = discardedCommits {
      events.append(.discardedCommits(path: path))
    }
    if keptCopy != old.keptCopy, let path = keptCopy { events.append(.keptCopy(path: path)) }
    if takenSnapshot != old.takenSnapshot, let position = takenSnapshot {
      events.append(.tookSnapshot(position))
    }
    if role == .primary, old.role != .primary {
      events.append(.becamePrimary(epoch: epoch))
    } else if role == .replica, epoch > old.epoch {
      events.append(.follows(address: primaryAddress, epoch: epoch))
    }
    if madeSnapshot != old.madeSnapshot, let position = madeSnapshot {
      events.append(.madeSnapshot(position))
    }
    if hasStopped, case .stopped(let error) = role { events.append(.stopped(error)) }
    return events
  }
}

extension ReplicationStatus.Role {
  fileprivate var isStopped: Bool {
    if case .stopped = self { true } else { false }
  }
}
