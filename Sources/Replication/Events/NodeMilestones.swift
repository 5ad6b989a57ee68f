/// What of a node's state makes events when it changes.
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
  /// How many errors there were that differ from the one before.
  var errorNumber = 0
  var lastError: String?

  /// Returns the events that lead from an earlier state to this one, in the order of causes and
  /// effects.
  func events(since old: NodeMilestones) -> [ReplicationEvent.Kind] {
    guard self != old else { return [] }
    var events: [ReplicationEvent.Kind] = []
    let hasStopped = role.isStopped && !old.role.isStopped
    if !isConnected, old.isConnected {
      events.append(.disconnected(lastError ?? "the reason is unknown"))
    } else if errorNumber != old.errorNumber, let lastError, !hasStopped, damage == old.damage,
      keptCopy == old.keptCopy
    {
      events.append(.failed(lastError))
    }
    if isConnected, !old.isConnected { events.append(.connected) }
    if old.role == .primary, role != .primary { events.append(.endedPrimacy(epoch: old.epoch)) }
    if discardedCommits != old.discardedCommits, let path = discardedCommits {
      events.append(.discardedCommits(path: path))
    }
    if keptCopy != old.keptCopy, let path = keptCopy { events.append(.keptCopy(path: path)) }
    if let damage, old.damage == nil { events.append(.needsSnapshot(damage)) }
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
