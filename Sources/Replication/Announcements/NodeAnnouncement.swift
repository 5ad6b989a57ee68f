internal import Foundation
internal import WellspringSystem

/// The state that a node announces to the other nodes and to operators, through the engine of the
/// log.
///
///     for node in try log.nodes() { print(node.address, node.role, node.lag ?? "unknown") }
///
/// `wellspring-replicas` prints them. An announcement that is not repeated for four times
/// ``ReplicationOptions/announcementInterval`` is dropped, so each announcement comes from a node
/// that was running a moment ago.
public struct NodeAnnouncement: Codable, Hashable, Sendable {
  /// The role of a node: see ``ReplicationStatus/Role``.
  public enum Role: String, Codable, Hashable, Sendable {
    /// It writes.
    case primary
    /// It follows.
    case replica
    /// It serves reads, and waits for a snapshot that replaces the content of its file.
    case needsSnapshot
    /// It has stopped following, and only serves reads.
    case stopped
    /// It has a role that this version does not know.
    case unknown
  }

  /// Tells the files of nodes apart: a number that is kept beside the file, in the file whose name
  /// ends with `-node`. It is the same after a restart.
  public var id: String
  /// See ``ReplicationOptions/address``.
  public var address: String
  /// The name of the machine.
  public var host: String
  /// The number of the process.
  public var process: Int32
  /// The role of the node.
  public var role: Role
  /// Why it needs a snapshot, or has stopped.
  public var reason: String?
  /// Whether the node may become the primary.
  public var mayBePrimary: Bool
  /// Whether the node is to be the primary: see ``ReplicationRole/preferred``.
  public var isPreferred: Bool
  /// How many primaries there have been, as far as the node has read.
  public var epoch: Int64
  /// The last entry whose rows are in the node's file.
  public var applied: Int64
  /// How many entries of the log are not in the file; `nil` if the node does not know it.
  public var lag: Int64?
  /// How old the last entry is whose rows are in the file, in milliseconds, by the clocks of the
  /// primary and of the node.
  public var dataAge: Int64?
  /// How many commits the log does not have yet: see ``ReplicationPromise/local``.
  public var outbox: Int
  /// The file with the commits that a failover has discarded.
  public var discardedCommits: String?
  /// Whether the node has a store of snapshots. If no node has one, the log is never trimmed.
  public var hasSnapshotStore: Bool
  /// The last entry in the newest snapshot that the node has made or taken.
  public var snapshot: Int64?
  /// How old that snapshot is, in milliseconds.
  public var snapshotAge: Int64?
  /// The last error, unless it is over.
  public var error: String?
  /// When the node said this, by its clock, in milliseconds since 1970.
  public var time: Int64

  /// Describes a node.
  init(
    _ status: ReplicationStatus,
    of node: NodeIdentity,
    role: ReplicationRole,
    hasSnapshotStore: Bool,
    at time: Int64
  ) {
    self.hasSnapshotStore = hasSnapshotStore
    id = node.id
    address = node.address
    host = node.host
    process = node.process
    switch status.role {
    case .primary: (self.role, reason) = (.primary, nil)
    case .replica: (self.role, reason) = (.replica, nil)
    case .needsSnapshot(let error): (self.role, reason) = (.needsSnapshot, error.description)
    case .stopped(let error): (self.role, reason) = (.stopped, error.description)
    }
    mayBePrimary = role.isCandidate
    isPreferred = role == .preferred
    epoch = status.epoch
    applied = status.applied.sequence
    lag = status.lag
    dataAge = (status.dataAge?.milliseconds).map(Int64.init)
    outbox = status.outbox
    discardedCommits = status.discardedCommits
    snapshot = status.snapshot?.sequence
    snapshotAge = (status.snapshotAge?.milliseconds).map(Int64.init)
    error = status.isLastErrorOver ? nil : status.lastError
    self.time = time
  }

  /// Reads an announcement; `nil` if it is not JSON of a node.
  init?(decoding bytes: [UInt8]) {
    guard let value = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
    self = value
  }

  /// Reads an announcement by any version: only the identity must be there.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(String.self, forKey: .id)
    address = try values.decodeIfPresent(String.self, forKey: .address) ?? ""
    host = try values.decodeIfPresent(String.self, forKey: .host) ?? ""
    process = try values.decodeIfPresent(Int32.self, forKey: .process) ?? 0
    role = try values.decodeIfPresent(String.self, forKey: .role).flatMap(Role.init) ?? .unknown
    reason = try values.decodeIfPresent(String.self, forKey: .reason)
    mayBePrimary = try values.decodeIfPresent(Bool.self, forKey: .mayBePrimary) ?? true
    isPreferred = try values.decodeIfPresent(Bool.self, forKey: .isPreferred) ?? false
    epoch = try values.decodeIfPresent(Int64.self, forKey: .epoch) ?? 0
    applied = try values.decodeIfPresent(Int64.self, forKey: .applied) ?? 0
    lag = try values.decodeIfPresent(Int64.self, forKey: .lag)
    dataAge = try values.decodeIfPresent(Int64.self, forKey: .dataAge)
    outbox = try values.decodeIfPresent(Int.self, forKey: .outbox) ?? 0
    discardedCommits = try values.decodeIfPresent(String.self, forKey: .discardedCommits)
    hasSnapshotStore = try values.decodeIfPresent(Bool.self, forKey: .hasSnapshotStore) ?? true
    snapshot = try values.decodeIfPresent(Int64.self, forKey: .snapshot)
    snapshotAge = try values.decodeIfPresent(Int64.self, forKey: .snapshotAge)
    error = try values.decodeIfPresent(String.self, forKey: .error)
    time = try values.decodeIfPresent(Int64.self, forKey: .time) ?? 0
  }

  /// The announcement as the engine keeps it: JSON.
  func encoded() -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map(Array.init) ?? []
  }
}

/// Who a node is.
struct NodeIdentity: Hashable, Sendable {
  let id: String
  let address: String
  let host: String
  let process: Int32

  init(id: String, address: String) {
    (self.id, self.address) = (id, address)
    host = Self.machine
    process = getpid()
  }

  /// The name of this machine.
  static var machine: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "this machine" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension ReplicationLog {
  /// Returns the nodes that have announced themselves a moment ago, ordered by their addresses.
  ///
  /// - Throws: ``ReplicationLogError``.
  public func nodes() throws(ReplicationLogError) -> [NodeAnnouncement] {
    try announcements().compactMap(NodeAnnouncement.init(decoding:))
      .sorted { ($0.address, $0.id) < ($1.address, $1.id) }
  }
}
