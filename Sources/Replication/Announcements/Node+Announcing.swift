internal import Foundation
internal import WellspringPlatform

/// Saying to others what the node does.
extension Node {
  /// How far behind a preferred node may be when the primary ends for its sake.
  private static let longestLag: Int64 = 64

  /// Starts the thread that announces the node, and gives its status to the instruments.
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
    var handingBack = HandingBack()
    while !isClosed {
      let status = status
      options.instruments.forEach { $0.record(status) }
      do throws(ReplicationLogError) {
        if announced.withLock({ $0.isWithdrawn }) {
          try log.withdraw(identity.id)
          didWithdraw.signal()
        } else {
          try announce(status)
          // A node that cannot list the others stays the primary.
          try? resign(forPreferred: &handingBack)
        }
        failure = nil
      } catch {
        announced.withLock { $0.isKept = false }
        // Without an answer, the node says so anyway.
        if status.isConnected, failure != error.description, !isClosed {
          failure = error.description
          events.note([.failed("The node is not announced: \(error)")], at: Node.now)
        }
      }
      _ = announcementIsDue.wait(for: options.announcementInterval)
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
    try log.announce(
      announcement.encoded(),
      of: identity.id,
      for: options.announcementInterval * 4
    )
    announced.withLock { $0.isKept = true }
  }

  /// Removes the announcement before the node is closed, if the engine has answered the last
  /// one, and answers at once.
  func withdraw() {
    let isKept = announced.withLock { announced in
      announced.isWithdrawn = true
      return announced.isKept
    }
    guard isKept else { return }
    announcementIsDue.signal()
    _ = didWithdraw.wait(for: .seconds(1))
  }

  // MARK: Preferred nodes

  /// When a primary may end for the sake of a preferred node.
  private struct HandingBack {
    /// When it may, by the monotonic clock: one that does not become the primary is not to end it
    /// again and again.
    var time: UInt64 = 0
    var pause = Duration.seconds(60)
  }

  /// Ends the primacy of a node that is not preferred when one that is follows it closely.
  private func resign(forPreferred state: inout HandingBack) throws(ReplicationLogError) {
    let (isPrimary, epoch) = self.state.withLock { ($0.isPrimary, $0.place.epoch) }
    guard isPrimary, role != .preferred, MonotonicClock.now >= state.time else { return }
    let isFollowed = try log.nodes().contains { node in
      node.isPreferred && node.role == .replica && node.epoch == epoch && node.id != identity.id
        && node.lag.map { $0 <= Self.longestLag } ?? false
    }
    guard isFollowed else { return }
    state.time = MonotonicClock.now + state.pause.nanoseconds
    state.pause = min(state.pause * 2, .seconds(3600))
    // What fails is noted, and tried again.
    try? handOver() as Void
  }
}
