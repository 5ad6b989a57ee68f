internal import Foundation
internal import WellspringSystem

/// Announcing the state of the node to the other nodes.
///
/// The thread of the announcements does nothing else that takes long, because a node that is silent
/// for four intervals counts as gone.
extension Node {
  /// The interval, bounded so that four of it are a valid duration.
  private var announcementInterval: Duration {
    min(options.announcementInterval, .seconds(1_000_000))
  }

  /// Starts the thread that announces the node.
  func startAnnouncing() {
    guard options.announcementInterval > .zero else {
      didEndAnnouncing.signal()
      return
    }
    Thread.detachNewThread {
      self.announceUntilClosed()
      self.didEndAnnouncing.signal()
    }
  }

  private func announceUntilClosed() {
    var failure: String?
    var handingBack = HandingBack(interval: announcementInterval)
    while !isClosed {
      let status = status
      do throws(ReplicationLogError) {
        if announced.withLock({ $0.isWithdrawn }) {
          try log.withdraw(identity.id)
          didWithdraw.signal()
        } else {
          try announce(status)
        }
        failure = nil
      } catch {
        announced.withLock { $0.hasFailed = true }
        // Without an answer, the node says so anyway.
        if status.isConnected, failure != error.description, !isClosed {
          failure = error.description
          events.note([.failed("The node is not announced: \(error)")], at: Node.now)
        }
      }
      handBack(&handingBack)
      _ = announcementIsDue.wait(for: announcementInterval)
      // Several changes are one announcement.
      while announcementIsDue.wait(for: .zero) {}
    }
  }

  private func announce(_ status: ReplicationStatus) throws(ReplicationLogError) {
    let announcement = NodeAnnouncement(
      status,
      of: identity,
      role: role,
      hasSnapshotStore: options.snapshots != nil,
      at: Node.now
    )
    // Without an answer, it may be there too.
    announced.withLock { $0.mayBeKept = true }
    try log.announce(announcement.encoded(), of: identity.id, for: announcementInterval * 4)
    announced.withLock { $0.hasFailed = false }
  }

  /// Removes the announcement before the node is closed, if the engine answers soon.
  func withdraw() {
    let isPromising = announced.withLock { announced in
      announced.isWithdrawn = true
      return announced.mayBeKept && !announced.hasFailed
    }
    guard isPromising else { return }
    announcementIsDue.signal()
    _ = didWithdraw.wait(for: .seconds(1))
  }

  // MARK: Preferred nodes

  /// Ends the primacy of a node that is not preferred, on another thread, when a preferred node
  /// follows it closely.
  private func handBack(_ state: inout HandingBack) {
    let (isPrimary, epoch, needsSnapshot) = self.state.withLock { state in
      (state.isPrimary, state.place.epoch, state.neededSnapshot != nil || state.isMakingSnapshot)
    }
    guard isPrimary, role != .preferred, !isHandingBack.withLock({ $0 }),
      // A node that cannot list the other nodes stays the primary.
      let nodes = try? log.nodes(),
      let next = state.next(
        among: nodes.filter { $0.id != identity.id },
        epoch: epoch,
        needsSnapshot: needsSnapshot,
        now: MonotonicClock.now
      )
    else { return }
    isHandingBack.withLock { $0 = true }
    Thread.detachNewThread {
      do {
        try self.handOver() as Void
      } catch {
        if !self.isClosed {
          let name = next.address.isEmpty ? next.host : next.address
          self.events.note(
            [.failed("\(name) is preferred, and not the primary: \(error)")],
            at: Node.now
          )
        }
      }
      self.isHandingBack.withLock { $0 = false }
    }
  }
}

/// When a primary ends for the sake of a preferred node.
struct HandingBack: Sendable {
  /// How many entries a preferred node may be behind.
  static let longestLag: Int64 = 64
  /// The first pause after the primacy was handed over, and the longest one: a node that does not
  /// become the primary is not to end it again and again.
  static let firstPause = Duration.seconds(60)
  private static let longestPause = Duration.seconds(3600)

  private let interval: UInt64
  private var pause = firstPause
  /// When the primacy was handed over last, by the monotonic clock.
  private var last: UInt64?
  /// The epoch of the node, and since when it is the primary.
  private var primacy: (epoch: Int64, since: UInt64)?
  /// When each preferred node had said its last announcement at the last look, by its clock.
  private var seen: [String: Int64] = [:]

  init(interval: Duration) { self.interval = interval.nanoseconds }

  /// Returns the node that is to be the primary now.
  ///
  /// - Parameters:
  ///   - nodes: The announcements of the other nodes.
  ///   - epoch: The epoch in which this node is the primary.
  ///   - needsSnapshot: Whether other nodes may need a snapshot that only this one can make.
  ///   - now: The time of the monotonic clock.
  /// - Returns: The node; `nil` if this one stays the primary.
  mutating func next(
    among nodes: [NodeAnnouncement],
    epoch: Int64,
    needsSnapshot: Bool,
    now: UInt64
  ) -> NodeAnnouncement? {
    if primacy?.epoch != epoch { primacy = (epoch, now) }
    let before = seen
    seen = Dictionary(nodes.map { ($0.id, $0.time) }) { max($0, $1) }
    let since = primacy?.since ?? now
    let isPaused = last.map { now - $0 < pause.nanoseconds } ?? false
    // A preferred node that has just lost an election has another try to lose.
    guard !needsSnapshot, !isPaused, now - since >= 4 * interval else { return nil }
    let next = nodes.first { node in
      // An unchanged announcement may come from a node that was killed.
      node.isPreferred && node.role == .replica && node.epoch == epoch
        && node.lag.map { $0 <= Self.longestLag } ?? false
        && before[node.id].map { $0 != node.time } ?? false
    }
    guard let next else { return nil }
    // After a longer time than this, another node has been the primary in between.
    let isRepeated = last.map { now - $0 < 2 * pause.nanoseconds } ?? false
    pause = isRepeated ? min(pause * 2, Self.longestPause) : Self.firstPause
    last = now
    return next
  }
}
