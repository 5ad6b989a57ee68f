/// Something that has happened at a node, as a service writes it to its log.
///
///     for await event in node.events { print(event) }
///     // epoch 7: this node is the primary
public struct ReplicationEvent: Hashable, Sendable {
  /// The kind of the event.
  public enum Kind: Hashable, Sendable {
    /// The node has become the primary.
    case becamePrimary(epoch: Int64)
    /// The node was the primary, and is not the primary any more.
    case endedPrimacy(epoch: Int64)
    /// Another node has become the primary. Of several that a node reads of at once, after an
    /// outage, it is the last one.
    case follows(address: String?, epoch: Int64)
    /// The log has answered, at first or again.
    case connected
    /// The log does not answer.
    case disconnected(String)
    /// The file cannot follow the log, and waits for a snapshot.
    case needsSnapshot(ReplicationError)
    /// A snapshot has replaced the content of the file. Its last entry is this one.
    case tookSnapshot(LogPosition)
    /// The node has made a snapshot. Its last entry is this one.
    case madeSnapshot(LogPosition)
    /// A failover has discarded commits, which are in this file.
    case discardedCommits(path: String)
    /// A copy of this file, with content that no other file has, is kept, because a snapshot
    /// replaces the file.
    case keptCopy(path: String)
    /// The node has stopped following, and only serves reads.
    case stopped(ReplicationError)
    /// A step has failed. The node retries the steps that it does by itself.
    case failed(String)
  }

  /// The number of the event since the node was opened: 1, 2, 3, and so on.
  public let number: Int64

  /// When it happened, by the clock of the node, in milliseconds since 1970.
  public let time: Int64

  /// The kind of the event.
  public let kind: Kind

  /// Makes an event, for tests of an instrument.
  public init(number: Int64, time: Int64, kind: Kind) {
    (self.number, self.time, self.kind) = (number, time, kind)
  }
}

extension ReplicationEvent: CustomStringConvertible {
  /// A sentence for a log.
  public var description: String {
    switch kind {
    case .becamePrimary(let epoch): "epoch \(epoch): this node is the primary"
    case .endedPrimacy(let epoch): "epoch \(epoch): this node is not the primary any more"
    case .follows(let address, let epoch):
      "epoch \(epoch): the primary is \(address.flatMap { $0.isEmpty ? nil : $0 } ?? "another node")"
    case .connected: "the log answers"
    case .disconnected(let reason): "the log does not answer: \(reason)"
    case .needsSnapshot(let error): "the file must be replaced by a snapshot: \(error)"
    case .tookSnapshot(let position): "the file was replaced by the snapshot of entry \(position)"
    case .madeSnapshot(let position): "a snapshot was made of entry \(position)"
    case .discardedCommits(let path): "a failover has discarded commits, which are in \(path)"
    case .keptCopy(let path): "a copy of what only this file had is \(path)"
    case .stopped(let error): "the node has stopped following: \(error)"
    case .failed(let reason): "failed: \(reason)"
    }
  }
}

/// Receives the status and the events of a node, for logs, metrics and alarms.
///
///     struct ReplicaMetrics: ReplicationInstrument {
///       func record(_ status: ReplicationStatus) {
///         print("replica_lag_entries", status.lag ?? -1)
///         print("replica_is_primary", status.role == .primary ? 1 : 0)
///       }
///
///       func record(_ event: ReplicationEvent) { print(event) }
///     }
///
///     var options = ReplicationOptions()
///     options.instruments = [ReplicaMetrics()]
///
/// The methods are called one after the other, on a queue of the node. They must not use the node:
/// closing it waits for them, for a second. While one of them blocks, events wait in memory, and
/// status reports are left out.
public protocol ReplicationInstrument: Sendable {
  /// Receives the status in each ``ReplicationOptions/statusInterval``.
  func record(_ status: ReplicationStatus)

  /// Receives an event. None is left out.
  func record(_ event: ReplicationEvent)
}

extension ReplicationInstrument {
  /// Does nothing.
  public func record(_ status: ReplicationStatus) {}

  /// Does nothing.
  public func record(_ event: ReplicationEvent) {}
}
