internal import Foundation
internal import Storage
internal import WellspringSystem

/// What the thread of a node does: it follows the log, claims an epoch when there is no primary,
/// and says that it is alive when it is the primary.
///
/// Only its thread uses it. Calls of the log block, so it is not a thread of Swift's.
final class NodeLoop {
  /// How many entries are asked for at once, and repeated in one transaction.
  private static let batchCount = 512
  /// After how many heartbeats their place is written into the file.
  private static let heartbeatsPerWrite = 256

  private let node: Node
  private var follower: LogFollower
  /// When the node claims an epoch unless it reads an entry before.
  private var electionTime: ContinuousClock.Instant
  /// How many heartbeats were read that the file does not know.
  private var heartbeats = 0
  /// How long to wait after the next error.
  private var pause = Duration.milliseconds(20)
  private var wasPrimary = false
  /// The last epoch that this node has won.
  private var wonEpoch: Int64 = 0
  /// Whether the log has the last entry of the file.
  private var isChecked: Bool
  /// Whether the commits that the damaged file has alone are in a file for people.
  private var hasSurfacedCommits = false
  /// What the primary had appended at the last heartbeat.
  private var lastTail: LogPosition?
  /// How long the primary has waited for its next heartbeat, since it last had something to do.
  private var idleTime = Duration.zero

  /// Starts the thread of a node.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - history: What the file has.
  ///   - isChecked: Whether the log certainly has that too.
  static func start(_ node: Node, after history: History, isChecked: Bool) {
    // Made before the thread runs: callers may write, and lose the primacy again, before that.
    nonisolated(unsafe) let loop = NodeLoop(node, after: history, isChecked)
    Thread.detachNewThread {
      loop.run()
      node.didEnd.signal()
    }
  }

  private init(_ node: Node, after history: History, _ isChecked: Bool) {
    self.node = node
    self.isChecked = isChecked
    follower = LogFollower(node.log, from: history.last)
    electionTime = .now
    postponeElection()
    if let epoch = node.state.withLock({ $0.isPrimary ? $0.place.epoch : nil }) {
      wasPrimary = true
      wonEpoch = epoch
    }
    // A history without an epoch has no primary.
    if history.last.epoch == 0 { electionTime = .now + .milliseconds(.random(in: 20...200)) }
  }

  private func run() {
    while !node.isClosed {
      do {
        if node.state.withLock({ $0.ending }) != nil {
          // The node only serves reads now.
          node.wakeUp.wait()
        } else if !isChecked {
          try check()
        } else if let damage = node.state.withLock({ $0.damage }) {
          try repair(damage)
        } else if node.state.withLock({ $0.isPrimary }) {
          wasPrimary = true
          wonEpoch = max(wonEpoch, node.state.withLock { $0.place.epoch })
          try lead()
        } else {
          if wasPrimary { try beginFollowing() }
          try follow()
        }
        pause = .milliseconds(20)
      } catch {
        handle(error)
      }
    }
    // Best effort: the next start reads the heartbeats again otherwise.
    if heartbeats > 0 { try? writePlace() }
  }

  /// Checks that the log still has the last entry of the file, before the node does anything else.
  private func check() throws {
    guard let place = try node.file.place() else { throw ReplicationError.notReplicated }
    var follower = LogFollower(node.log, from: place)
    do throws(ReplicationError) {
      // The primary has ended, so there is nothing to wait for.
      if let last = try follower.checkLast(), Node.isFarewell(last) { hastenElection() }
    } catch {
      // It is asked again.
      if case .log = error { throw error }
      if let survivor = try Survivor.position(in: node.log, after: place) {
        node.noteDamage(.otherSurvivor(survivor), needed: survivor)
      } else if node.state.withLock({ $0.damage == nil }) {
        throw error
      }
    }
    isChecked = true
  }

  // MARK: The primary

  private func lead() throws {
    node.makeSnapshotIfDue()
    // Nodes that wait for a snapshot do not wait for a heartbeat.
    let interval = min(node.options.heartbeatInterval, node.lookInterval)
    let wasWoken = node.wakeUp.wait(for: interval)
    let (isPrimary, tail) = node.state.withLock { ($0.isPrimary && !$0.isClosed, $0.tail) }
    idleTime = wasWoken ? .zero : idleTime + interval
    guard isPrimary, idleTime >= node.options.heartbeatInterval else { return }
    idleTime = .zero
    defer { lastTail = node.state.withLock { $0.tail } }
    // A commit says the same as a heartbeat.
    if tail == lastTail { try node.beat() }
  }

  // MARK: The replica

  /// Reads on from the place of the file, after the node was the primary or a step has failed.
  private func beginFollowing() throws {
    guard let place = try node.file.place() else { throw ReplicationError.notReplicated }
    follower = LogFollower(node.log, from: place)
    heartbeats = 0
    guard wasPrimary else { return }
    wasPrimary = false
    let hasResigned = node.update { state in
      defer { state.hasResigned = false }
      return state.hasResigned
    }
    // Another node is to claim. This node claims only if no other node does.
    if hasResigned { return postponeElection() }
    // Most likely only the log has failed, so that the node can go on soon.
    electionTime = .now + .milliseconds(.random(in: 20...200))
  }

  private func follow() throws {
    let start = follower.history.last.position
    let rest = max(.zero, electionTime - .now)
    let wait =
      isCandidate ? min(rest, node.options.heartbeatInterval) : node.options.heartbeatInterval
    let steps = try follower.next(limit: Self.batchCount, waitingUpTo: wait)
    let last = follower.history.last.position
    guard last > start else {
      node.noteAnswer(tail: last)
      if isCandidate, .now >= electionTime { try claim() }
      return
    }
    // Its own entries, which it reads after an outage, are not a sign of another primary.
    if follower.history.last.epoch > wonEpoch {
      postponeElection()
      // The primary has ended, so there is nothing to wait for.
      if let last = steps.last, Node.isFarewell(last.entry) { hastenElection() }
    }
    // There may be any number of others, unless the engine says where it ends.
    node.noteAnswer(tail: node.log.knownTail.map { max($0, last) })
    guard !steps.isEmpty else { return }
    if steps.allSatisfy({ $0.entry.kind == .heartbeat }) {
      try note(steps)
    } else {
      try node.apply(steps)
      heartbeats = 0
    }
  }

  /// Notes heartbeats, which change nothing, without a write to the file.
  private func note(_ steps: [LogFollower.Step]) throws {
    guard let last = steps.last else { return }
    node.update { state in
      state.place = last.place
      state.time = last.entry.time
      state.tail = state.tail.map { max($0, last.place.position) }
    }
    heartbeats += steps.count
    if heartbeats >= Self.heartbeatsPerWrite { try writePlace() }
  }

  private func writePlace() throws {
    try node.writePlace()
    heartbeats = 0
  }

  // MARK: Snapshots

  /// Replaces a file that cannot follow the log.
  private func repair(_ damage: (error: ReplicationError, needed: LogPosition)) throws {
    wasPrimary = false
    if damage.error == .discardedCommits, !hasSurfacedCommits {
      try node.surfaceDiscardedCommits()
      hasSurfacedCommits = true
    }
    guard node.options.snapshots != nil else {
      defer { node.stop(damage.error) }
      // The file is still damaged when the node is opened again.
      return try node.noteDamageInFile()
    }
    try node.noteDamageInFile()
    var mayContinue = true
    // The log does not have what such a node lacks.
    if case .snapshotNeeded = damage.error { mayContinue = false }
    let isTaken: Bool
    do {
      isTaken = try node.takeSnapshot(atLeast: damage.needed, continuing: mayContinue)
    } catch ReplicationError.damagedSnapshot(let reason) {
      try node.requestSnapshot(atLeast: damage.needed)
      throw ReplicationError.damagedSnapshot(reason)
    }
    guard isTaken else {
      try node.requestSnapshot(atLeast: damage.needed)
      let tail: LogPosition
      do throws(ReplicationLogError) {
        tail = try node.log.tail()
      } catch {
        throw ReplicationError.log(error)
      }
      node.noteAnswer(tail: tail)
      // The primary makes one when it reads the request, when an entry needs one, and from time to
      // time.
      _ = node.wakeUp.wait(for: pause)
      pause = min(pause * 2, .seconds(1))
      // The node is not a candidate meanwhile, so it does not matter what it has read.
      return
    }
    node.update { state in
      state.damage = nil
      state.nextSnapshotRequest = 0
      state.hasKeptContent = false
    }
    hasSurfacedCommits = false
    try beginFollowing()
    postponeElection()
  }

  // MARK: Elections

  private var isCandidate: Bool { node.role.isCandidate }

  private var isPreferred: Bool { node.role == .preferred }

  private func postponeElection() {
    let timeout = node.options.electionTimeout
    let share = isPreferred ? 0...0.01 : 0.02...0.1
    electionTime = .now + timeout + timeout * Double.random(in: share)
  }

  /// Lets the node claim soon, because there is no primary.
  private func hastenElection() {
    electionTime = .now + .milliseconds(.random(in: isPreferred ? 0...15 : 30...150))
  }

  private func claim() throws {
    let fingerprint = try node.pool.read { db in
      // The schema may be ahead of the place of the file.
      try Outbox.count(db) == 0 ? SchemaFingerprint(db).bytes : []
    }
    let claim = try Primacy.claim(
      node.log,
      after: follower.history,
      EpochClaim(address: node.options.address),
      fingerprint: fingerprint,
      time: Node.now,
      partLimit: node.partLimit
    )
    switch claim {
    case .won(let primacy):
      wasPrimary = true
      wonEpoch = primacy.last.epoch
      lastTail = nil
      try node.begin(primacy)
    case .lost:
      // The entry of the winner comes next, and postpones the next claim.
      electionTime = .now + .milliseconds(.random(in: 20...200))
    }
  }

  // MARK: Errors

  private func handle(_ error: any Error) {
    switch error {
    case ReplicationError.log(.closed), ReplicationError.closed:
      if !node.isClosed { node.stop(.log(.closed)) }
      return
    case ReplicationError.log(.anotherLog(let reason)):
      // Whether it continues the history of the file is found out when the node is opened again.
      return node.stop(.log(.anotherLog(reason)))
    case ReplicationError.log: node.note(error, isOfLog: true)
    // The append has noted its cause.
    case ReplicationError.notPrimary, ReplicationError.outcomeUnknown: break
    case ReplicationError.snapshotNeeded(let position):
      return node.noteDamage(.snapshotNeeded(after: position), needed: position.next)
    case let error as ReplicationError:
      let place = node.state.withLock { $0.place.position }
      switch error {
      case .diverged: return node.noteDamage(error, needed: place)
      case .otherSurvivor(let position): return node.noteDamage(error, needed: position)
      case .foreignWrite: return node.noteForeignWrite()
      case .discardedCommits: return node.noteDamage(error, needed: place.next)
      case .damagedSnapshot: node.note(error, isOfLog: false)
      default: return node.stop(error)
      }
    default:
      // The disk is full, for instance. Nothing of the batch is in the file.
      node.note(error, isOfLog: false)
    }
    let isPrimary = node.state.withLock { $0.isPrimary }
    if !isPrimary {
      do {
        try beginFollowing()
      } catch {
        node.note(error, isOfLog: false)
      }
    }
    _ = node.wakeUp.wait(for: pause)
    pause = min(pause * 2, .seconds(1))
  }
}
