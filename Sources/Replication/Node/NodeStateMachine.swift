/// The phase of a node, and the next work of its thread, decided without a log, a file or a clock.
///
/// The thread of the node asks for its next work, does it, and reports the result. Other threads
/// report events of the node meanwhile. All of them pass the time.
struct NodeStateMachine {
  typealias Instant = ContinuousClock.Instant

  /// How the node takes part in elections.
  struct Settings: Sendable {
    var role = ReplicationRole.automatic
    var heartbeatInterval = Duration.seconds(1)
    var electionTimeout = Duration.seconds(5)
    /// Returns a random number in a range.
    var random: @Sendable (ClosedRange<Double>) -> Double = { .random(in: $0) }
  }

  /// Why the file must be replaced by a snapshot.
  struct Damage: Equatable {
    let error: ReplicationError
    /// The first entry that the snapshot must contain.
    let needed: LogPosition
  }

  /// The phase of the node.
  enum Phase: Equatable {
    /// It follows the log.
    case following
    /// It is the primary.
    case leading
    /// Its file cannot follow the log.
    case damaged(Damage)
    /// It only serves reads.
    case stopped(ReplicationError)
  }

  /// The next work of the node's thread.
  enum Work: Equatable {
    /// End: the node is closed.
    case end
    /// Wait for the end.
    case serveReads
    /// Check that the log has the last entry of the file.
    case check
    /// Replace the content of the file.
    case repair(Damage)
    /// Send a heartbeat of the primary, unless a commit shows that it is alive.
    case lead
    /// Read on from the place of the file.
    case rejoin
    /// Read the next entries, and wait for the first one this long.
    case follow(waiting: Duration)
  }

  /// The reaction to an error of the thread's work.
  enum Reaction: Equatable {
    /// The work is tried again after a pause. The error is noted, unless its cause already is.
    case retry(noting: Source?)
    /// The file must be replaced.
    case damage(Damage)
    /// The node stops.
    case stop(ReplicationError)
    /// The node is closed, which was the cause.
    case none

    /// Where the error came from.
    enum Source { case log, file }
  }

  private(set) var phase = Phase.following
  /// Whether the node is being closed.
  private(set) var isClosed = false
  private let settings: Settings
  /// Whether the log is known to have the last entry of the file.
  private var isChecked = false
  /// Whether the thread must read on from the place of the file.
  private var mustRejoin = false
  /// Whether the node was the primary since it last began to follow.
  private var hasLed = false
  /// Whether the node has ended its primacy for the sake of another node.
  private var hasResigned = false
  /// The last epoch that this node has won.
  private var wonEpoch: Int64 = 0
  /// When the node claims an epoch unless it reads an entry before.
  private var electionTime: Instant?
  /// How many heartbeats were read that the file does not know.
  private(set) var unwrittenHeartbeats = 0
  /// How long the primary has waited for its next heartbeat, since it last had something to do.
  private var idleTime = Duration.zero
  /// The last entry of the primary at its last heartbeat.
  private var lastTail: LogPosition?
  /// The end of the log, as of the last answer about it, while the node follows.
  private var knownTail: LogPosition?
  /// When the log is asked for its end again.
  private var tailQuestion: Instant?
  /// How long to wait before the next attempt.
  private var pause = Self.shortestPause

  private static let shortestPause = Duration.milliseconds(20)
  private static let longestPause = Duration.seconds(1)
  /// After how many heartbeats their place is written into the file.
  static let heartbeatsPerWrite = 256

  init(_ settings: Settings = Settings()) {
    self.settings = settings
  }

  var isLeading: Bool { phase == .leading }

  var damage: Damage? {
    if case .damaged(let damage) = phase { damage } else { nil }
  }

  /// The error of waits and writes that cannot succeed any more.
  var ending: ReplicationError? {
    if isClosed { return .closed }
    if case .stopped(let error) = phase { return error }
    return nil
  }

  // MARK: The work of the thread

  /// Notes the start of the thread.
  ///
  /// - Parameters:
  ///   - epoch: The last epoch of the file; 0 for a history without one, which has no primary.
  ///   - isChecked: Whether the log certainly has the last entry of the file.
  ///   - now: The time.
  mutating func start(after epoch: Int64, isChecked: Bool, at now: Instant) {
    self.isChecked = isChecked
    if epoch == 0 { claimSoon(now) } else { postponeElection(now) }
  }

  /// Returns the next work of the thread.
  func next(at now: Instant) -> Work {
    if isClosed { return .end }
    if case .stopped = phase { return .serveReads }
    if !isChecked { return .check }
    switch phase {
    case .damaged(let damage): return .repair(damage)
    case .leading: return .lead
    case .stopped, .following: break
    }
    if mustRejoin || hasLed { return .rejoin }
    let rest = electionTime.map { max(.zero, $0 - now) } ?? .zero
    let interval = settings.heartbeatInterval
    return .follow(waiting: isCandidate ? min(rest, interval) : interval)
  }

  /// Notes that work has succeeded.
  mutating func didSucceed() { pause = Self.shortestPause }

  /// Returns how long to wait before the work is tried again: longer each time.
  mutating func nextPause() -> Duration {
    defer { pause = min(pause * 2, Self.longestPause) }
    return pause
  }

  /// Notes that the log has the last entry of the file, or that this is answered otherwise.
  ///
  /// - Parameters:
  ///   - isFarewell: Whether the primary has ended with that entry, so that the node need not wait.
  ///   - now: The time.
  mutating func didCheck(isFarewell: Bool, at now: Instant) {
    isChecked = true
    if isFarewell { hastenElection(now) }
  }

  /// Notes that the thread reads on from the place of the file.
  mutating func didRejoin(at now: Instant) {
    mustRejoin = false
    unwrittenHeartbeats = 0
    (knownTail, tailQuestion) = (nil, nil)
    guard hasLed else { return }
    hasLed = false
    defer { hasResigned = false }
    // After it has resigned, another node is to claim. This node claims only if no other node does.
    // Otherwise, most likely only the log has failed, so that the node can continue soon.
    if hasResigned { postponeElection(now) } else { claimSoon(now) }
  }

  /// Notes entries that were read.
  ///
  /// - Parameters:
  ///   - epoch: The epoch of the last one.
  ///   - isFarewell: Whether the primary has ended with it.
  ///   - now: The time.
  mutating func didRead(epoch: Int64, isFarewell: Bool, at now: Instant) {
    // Its own entries, which it reads after an outage, are not a sign of another primary.
    guard epoch > wonEpoch else { return }
    postponeElection(now)
    if isFarewell { hastenElection(now) }
  }

  /// Returns whether the node claims the next epoch, when the log has no more entries.
  func mustClaim(at now: Instant) -> Bool {
    isCandidate && phase == .following && electionTime.map { now >= $0 } ?? false
  }

  /// Notes that another node's claim came first. Its entry comes next, and postpones the election.
  mutating func didLoseClaim(at now: Instant) { claimSoon(now) }

  /// Notes heartbeats, which change nothing in the file.
  ///
  /// - Returns: Whether their place is to be written into the file.
  mutating func didRead(heartbeats: Int) -> Bool {
    unwrittenHeartbeats += heartbeats
    return unwrittenHeartbeats >= Self.heartbeatsPerWrite
  }

  /// Notes that the file has the place of all entries that were read.
  mutating func didWritePlace() { unwrittenHeartbeats = 0 }

  /// Notes where the log ends; `nil` if it was asked and has not said so.
  mutating func didLearn(tail: LogPosition?, at now: Instant) {
    (knownTail, tailQuestion) = (tail, now + settings.heartbeatInterval)
  }

  /// Returns where the log ends, as of the last answer about it.
  ///
  /// - Parameters:
  ///   - last: The last entry that was read.
  ///   - isFull: Whether as many entries were read as were asked for, so that there may be more.
  /// - Returns: `nil` if it is not known.
  func tail(after last: LogPosition, isFull: Bool) -> LogPosition? {
    guard let knownTail, knownTail >= last || !isFull else { return nil }
    return max(knownTail, last)
  }

  /// Returns whether to ask where the log ends, if its engine does not say so. While entries come
  /// all the time, no wait for the next one says it either.
  func mustAskForTail(after last: LogPosition, isFull: Bool, at now: Instant) -> Bool {
    guard let tailQuestion, now < tailQuestion else { return true }
    return knownTail != nil && tail(after: last, isFull: isFull) == nil
  }

  /// Returns whether the primary says that it is alive.
  ///
  /// - Parameters:
  ///   - interval: How long it has waited.
  ///   - wasWoken: Whether something came up meanwhile.
  ///   - tail: The last entry of the log: a commit says the same as a heartbeat.
  /// - Returns: Whether to append a heartbeat.
  mutating func mustBeat(after interval: Duration, wasWoken: Bool, tail: LogPosition?) -> Bool {
    idleTime = wasWoken ? .zero : idleTime + interval
    guard isLeading, !isClosed, idleTime >= settings.heartbeatInterval else { return false }
    idleTime = .zero
    defer { lastTail = tail }
    return tail == lastTail
  }

  /// Notes the last entry of the log after a heartbeat.
  mutating func didBeat(tail: LogPosition?) { lastTail = tail }

  /// Returns the reaction to an error of the thread's work.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - place: The last entry that is in the file.
  /// - Returns: The reaction.
  func reaction(to error: any Error, at place: LogPosition) -> Reaction {
    // The disk is full, for instance. No part of the batch is in the file.
    guard let error = error as? ReplicationError else { return .retry(noting: .file) }
    switch error {
    case .closed, .log(.closed): return isClosed ? .none : .stop(.log(.closed))
    // Whether it continues the history of the file is found out when the node is opened again.
    case .log(.anotherLog): return .stop(error)
    case .log: return .retry(noting: .log)
    // The append has noted its cause.
    case .notPrimary, .outcomeUnknown: return .retry(noting: nil)
    case .damagedSnapshot, .storeTimeout: return .retry(noting: .file)
    case .snapshotNeeded(let position):
      return .damage(Damage(error: error, needed: position.next))
    case .otherSurvivor(let position): return .damage(Damage(error: error, needed: position))
    case .diverged: return .damage(Damage(error: error, needed: place))
    case .foreignWrite, .discardedCommits:
      return .damage(Damage(error: error, needed: place.next))
    default: return .stop(error)
    }
  }

  /// Notes that work has failed, and is tried again. A follower begins again at the place of the
  /// file: its batch may be in the log only.
  mutating func didFail() { mustRejoin = !isLeading }

  // MARK: What happens to the node

  /// Notes that the log has this node's claim.
  mutating func didWin(epoch: Int64) {
    hasLed = true
    wonEpoch = max(wonEpoch, epoch)
    lastTail = nil
  }

  /// Begins the epoch that the node has won, once it is in the file.
  ///
  /// - Returns: Whether the node is the primary; not if its file was found to be damaged meanwhile.
  mutating func begin() -> Bool {
    guard phase == .following else { return isLeading }
    phase = .leading
    return true
  }

  /// Notes that the node is about to end its primacy for the sake of another node.
  mutating func resign() { hasResigned = true }

  /// Ends the primacy.
  ///
  /// - Returns: Whether the node was the primary.
  mutating func stepDown() -> Bool {
    guard isLeading else { return false }
    phase = .following
    return true
  }

  /// Notes that the file must be replaced. The first reason counts.
  mutating func noteDamage(_ damage: Damage) {
    switch phase {
    case .following, .leading: phase = .damaged(damage)
    case .damaged, .stopped: return
    }
    hasLed = false
  }

  /// Notes that a snapshot has replaced the content of the file.
  mutating func didRepair(at now: Instant) {
    guard case .damaged = phase else { return }
    phase = .following
    mustRejoin = true
    // An epoch that it has won meanwhile, or has resigned, is over.
    (hasLed, hasResigned) = (false, false)
    postponeElection(now)
  }

  /// Stops the node for good.
  mutating func stop(_ error: ReplicationError) { phase = .stopped(error) }

  /// Closes the node.
  mutating func close() { isClosed = true }

  // MARK: Elections

  private var isCandidate: Bool { settings.role.isCandidate }

  private var isPreferred: Bool { settings.role == .preferred }

  private mutating func postponeElection(_ now: Instant) {
    let timeout = settings.electionTimeout
    electionTime = now + timeout + timeout * settings.random(isPreferred ? 0...0.01 : 0.02...0.1)
  }

  /// Lets the node claim soon, because no node is the primary.
  private mutating func hastenElection(_ now: Instant) {
    claim(within: isPreferred ? 0...15 : 30...150, now)
  }

  private mutating func claimSoon(_ now: Instant) { claim(within: 20...200, now) }

  private mutating func claim(within milliseconds: ClosedRange<Double>, _ now: Instant) {
    electionTime = now + .milliseconds(1) * settings.random(milliseconds)
  }
}
