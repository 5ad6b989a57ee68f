/// The role of a node of a replicated database, and its progress.
public struct ReplicationStatus: Hashable, Sendable {
  /// The role of a node.
  public enum Role: Hashable, Sendable {
    /// It writes.
    case primary
    /// It follows.
    case replica
    /// It serves reads, and waits for a snapshot that replaces the content of its file.
    case needsSnapshot(ReplicationError)
    /// It has stopped following, and only serves reads.
    case stopped(ReplicationError)
  }

  /// The role of the node.
  public internal(set) var role: Role

  /// How many primaries there have been, as far as the node has read.
  public internal(set) var epoch: Int64

  /// The last entry whose rows are in the node's file.
  public internal(set) var applied: LogPosition

  /// The last entry of the log, as of ``isConnected``; `nil` if the node does not know it.
  public internal(set) var tail: LogPosition?

  /// The address of the primary, if the node knows one.
  public internal(set) var primaryAddress: String?

  /// Whether the log has answered the last call, and has not been silent since for as long as
  /// ``ReplicationOptions/electionTimeout``.
  public internal(set) var isConnected: Bool

  /// How often the log has answered again after it had not.
  public internal(set) var reconnects: Int

  /// The last error, which may be over.
  public internal(set) var lastError: String?

  /// How long ago that error was.
  public internal(set) var lastErrorAge: Duration?

  /// Whether the node has since succeeded: the log has answered, or the file has followed it.
  public internal(set) var isLastErrorOver = false

  /// How long ago the log has answered last; `nil` if it has not since the node was opened.
  public internal(set) var lastContact: Duration?

  /// How old the last entry is whose rows are in the file, by the clocks of the primary and of this
  /// node; `nil` if the node has applied none since it was opened. The primary makes an entry in
  /// each ``ReplicationOptions/heartbeatInterval``.
  public internal(set) var dataAge: Duration?

  /// How many commits are in the file and not in the log yet, with ``ReplicationPromise/local``.
  public internal(set) var outbox: Int

  /// The file with the commits that a failover has discarded; `nil` if there was none since the
  /// node was opened.
  public internal(set) var discardedCommits: String?

  /// The last entry in the newest snapshot that this node has made or taken.
  public internal(set) var snapshot: LogPosition?

  /// How old that snapshot is.
  public internal(set) var snapshotAge: Duration?

  /// How many bytes the engine used for the log when the primary last made a snapshot.
  public internal(set) var logSize: Int64?

  /// How many entries of the log are not in the file; `nil` if the node does not know the end of
  /// the log, as when it is disconnected.
  public var lag: Int64? {
    guard isConnected, let tail else { return nil }
    return max(0, tail.sequence - applied.sequence)
  }

  /// How old the content of the file is by the clocks of the primary and of this node; `nil` if the
  /// node is disconnected, and zero if the file has all entries.
  public internal(set) var delay: Duration?

  /// The status without the values that change while nothing happens.
  var withoutAges: ReplicationStatus {
    var status = self
    status.lastErrorAge = nil
    status.lastContact = nil
    status.dataAge = nil
    status.snapshotAge = nil
    if let delay, delay != .zero { status.delay = .milliseconds(1) }
    return status
  }
}
