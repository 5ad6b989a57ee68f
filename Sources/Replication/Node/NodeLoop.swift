internal import Foundation
internal import Storage
internal import WellspringSystem

/// The thread of a node: it carries out the decisions of ``NodeStateMachine``. It follows the log,
/// claims an epoch when no node is the primary, and sends heartbeats when its node is the primary.
///
/// Only its thread uses it. Calls of the log block, so it is not a thread of Swift's.
final class NodeLoop {
  /// How many entries are asked for at once, and repeated in one transaction.
  private static let batchCount = 512

  private let node: Node
  private var follower: LogFollower
  /// Whether the commits that the damaged file has alone are in a file for people.
  private var hasSurfacedCommits = false

  /// Starts the thread of a node.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - history: The history of the file.
  ///   - isChecked: Whether the log certainly has that too.
  static func start(_ node: Node, after history: History, isChecked: Bool) {
    // Made before the thread runs: callers may write, and lose the primacy again, before that.
    nonisolated(unsafe) let loop = NodeLoop(node, after: history)
    loop.machine { $0.start(after: history.last.epoch, isChecked: isChecked, at: .now) }
    Thread.detachNewThread {
      loop.run()
      node.didEnd.signal()
    }
  }

  private init(_ node: Node, after history: History) {
    self.node = node
    follower = LogFollower(node.log, from: history.last)
  }

  /// Asks or changes the state of the node. It changes nothing that other threads wait for.
  private func machine<Value>(_ body: (inout NodeStateMachine) -> Value) -> Value {
    node.state.withLock { body(&$0.machine) }
  }

  private func run() {
    while true {
      let work = machine { $0.next(at: .now) }
      if work == .end { break }
      do {
        if try perform(work) { machine { $0.didSucceed() } }
      } catch {
        handle(error, of: work)
      }
    }
    // Best effort: the next start reads the heartbeats again otherwise.
    if machine({ $0.unwrittenHeartbeats > 0 }) { try? writePlace() }
  }

  /// Does the next work.
  ///
  /// - Returns: Whether that was of use. If not, the next pause is longer.
  private func perform(_ work: NodeStateMachine.Work) throws -> Bool {
    switch work {
    case .end: break
    case .serveReads: node.wakeUp.wait()
    case .check: try check()
    case .repair(let damage): return try repair(damage)
    case .lead: try lead()
    case .rejoin:
      try rejoin()
      return false
    case .follow(let wait): try follow(waitingUpTo: wait)
    }
    return true
  }

  /// Waits before work that has failed is tried again.
  private func pause() {
    _ = node.wakeUp.wait(for: machine { $0.nextPause() })
  }

  /// Checks that the log still has the last entry of the file, before the node does anything else.
  private func check() throws {
    guard let place = try node.file.place() else { throw ReplicationError.notReplicated }
    var follower = LogFollower(node.log, from: place)
    var isFarewell = false
    do throws(ReplicationError) {
      isFarewell = try follower.checkLast().map(Node.isFarewell) ?? false
    } catch {
      // It is asked again.
      if case .log = error { throw error }
      if let survivor = try Survivor.position(in: node.log, after: place) {
        node.noteDamage(.init(error: .otherSurvivor(survivor), needed: survivor))
      } else if machine({ $0.damage == nil }) {
        throw error
      }
    }
    machine { $0.didCheck(isFarewell: isFarewell, at: .now) }
  }

  // MARK: The primary

  private func lead() throws {
    node.makeSnapshotIfDue()
    // Nodes that wait for a snapshot do not wait for a heartbeat.
    let interval = min(node.options.heartbeatInterval, node.lookInterval)
    let wasWoken = node.wakeUp.wait(for: interval)
    let mustBeat = node.state.withLock { state in
      state.machine.mustBeat(after: interval, wasWoken: wasWoken, tail: state.tail)
    }
    guard mustBeat else { return }
    defer { node.state.withLock { state in state.machine.didBeat(tail: state.tail) } }
    try node.beat()
  }

  // MARK: The replica

  /// Reads on from the place of the file, after the node was the primary or a step has failed.
  private func rejoin() throws {
    guard let place = try node.file.place() else { throw ReplicationError.notReplicated }
    follower = LogFollower(node.log, from: place)
    machine { $0.didRejoin(at: .now) }
  }

  private func follow(waitingUpTo wait: Duration) throws {
    let start = follower.history.last.position
    let steps = try follower.next(limit: Self.batchCount, waitingUpTo: wait)
    let last = follower.history.last
    guard last.position > start else {
      machine { $0.didLearn(tail: last.position, at: .now) }
      node.noteAnswer(tail: last.position)
      if machine({ $0.mustClaim(at: .now) }) { try claim() }
      return
    }
    let isFarewell = steps.last.map { Node.isFarewell($0.entry) } ?? false
    machine { $0.didRead(epoch: last.epoch, isFarewell: isFarewell, at: .now) }
    let isFull = last.position.sequence - start.sequence >= Self.batchCount
    let tail = node.log.knownTail.map { max($0, last.position) }
    node.noteAnswer(tail: tail ?? machine { $0.tail(after: last.position, isFull: isFull) })
    try repeatSteps(steps)
    askForTail(after: last.position, isFull: isFull)
  }

  private func repeatSteps(_ steps: [LogFollower.Step]) throws {
    guard !steps.isEmpty else { return }
    if steps.allSatisfy({ $0.entry.kind == .heartbeat }) {
      try note(steps)
    } else {
      try node.apply(steps)
      machine { $0.didWritePlace() }
    }
  }

  /// Asks for the end of a log whose engine does not say it along with the entries.
  private func askForTail(after last: LogPosition, isFull: Bool) {
    guard node.log.knownTail == nil,
      machine({ $0.mustAskForTail(after: last, isFull: isFull, at: .now) })
    else { return }
    // The next read has the error of a log that is away.
    let tail = try? node.log.tail()
    machine { $0.didLearn(tail: tail, at: .now) }
    if let tail {
      node.noteAnswer(tail: max(tail, last))
    } else {
      node.update { $0.tail = nil }
    }
  }

  /// Notes heartbeats, which change nothing, without a write to the file.
  private func note(_ steps: [LogFollower.Step]) throws {
    guard let last = steps.last else { return }
    let mustWrite = node.update { state in
      state.noteRead(heartbeat: last.place, at: last.entry.time)
      state.tail = state.tail.map { max($0, last.place.position) }
      return state.machine.didRead(heartbeats: steps.count)
    }
    if mustWrite { try writePlace() }
  }

  private func writePlace() throws {
    try node.writePlace()
    machine { $0.didWritePlace() }
  }

  // MARK: Snapshots

  /// Replaces a file that cannot follow the log.
  ///
  /// - Returns: Whether it was replaced; `false` if no usable snapshot exists yet.
  private func repair(_ damage: NodeStateMachine.Damage) throws -> Bool {
    if damage.error == .discardedCommits, !hasSurfacedCommits {
      try node.surfaceDiscardedCommits()
      hasSurfacedCommits = true
    }
    guard node.options.snapshots != nil else {
      defer { node.stop(damage.error) }
      // The file is still damaged when the node is opened again.
      try node.noteDamageInFile()
      return true
    }
    try node.noteDamageInFile()
    var mayContinue = true
    // The log does not have the entries that such a node lacks.
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
      let log = node.log
      let tail = try ReplicationError.asking { () throws(ReplicationLogError) in try log.tail() }
      node.noteAnswer(tail: tail)
      // The primary makes one when it reads the request, when an entry needs one, and from time to
      // time.
      pause()
      // The node is not a candidate meanwhile, so the entries that it has read do not matter.
      return false
    }
    node.update { state in
      state.machine.didRepair(at: .now)
      state.nextSnapshotRequest = 0
      state.hasKeptContent = false
    }
    hasSurfacedCommits = false
    return true
  }

  // MARK: Elections

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
    case .won(let primacy): try node.begin(primacy)
    case .lost: machine { $0.didLoseClaim(at: .now) }
    }
  }

  // MARK: Errors

  private func handle(_ error: any Error, of work: NodeStateMachine.Work) {
    let reaction = node.state.withLock { state in
      state.machine.reaction(to: error, at: state.place.position)
    }
    switch reaction {
    case .none: break
    case .stop(let error): node.stop(error)
    case .damage(let damage): node.noteDamage(damage)
    case .retry(let source):
      // A log that cannot be read takes no commits. A heartbeat says nothing about them: their own
      // append comes next.
      let refused = work == .lead ? nil : Int64.max
      if let source { node.note(error, isOfLog: source == .log, refusing: refused) }
      machine { $0.didFail() }
      pause()
    }
  }
}
