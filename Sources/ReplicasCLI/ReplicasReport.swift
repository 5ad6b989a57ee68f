internal import CommandLineSupport
internal import Foundation
internal import Replication

/// The state of the log and of the nodes, and the problems in it.
struct ReplicasReport: Encodable {
  struct Log: Encodable {
    var first: Int64?
    var last: Int64
    /// The size of etcd's store in bytes, and the part of it that holds data.
    var bytes: Int64
    var bytesInUse: Int64
    /// Whether etcd takes no entry any more.
    var isFull = false
  }

  struct Snapshot: Encodable {
    var name: String
    /// The last entry in it.
    var entry: Int64
    var bytes: Int64
    /// When it was written, in milliseconds since 1970.
    var time: Int64
  }

  var database: String
  var isHealthy: Bool
  var problems: [String]
  var log: Log
  var nodes: [NodeAnnouncement]
  var snapshots: [Snapshot]?
  /// The time of the report, in milliseconds since 1970.
  var time: Int64

  /// Asks a log.
  ///
  /// - Throws: `ReplicationLogError`, or `CocoaError` for the directory of the snapshots.
  init(_ source: some ReplicationLog, _ options: ReplicasOptions) throws {
    let usage = try source.usage()
    let last = try source.tail()
    let log = Log(
      first: try source.first()?.sequence,
      last: last.sequence,
      bytes: usage.bytes,
      bytesInUse: usage.bytesInUse,
      isFull: usage.isFull
    )
    self.init(
      options,
      log: log,
      nodes: try source.nodes(),
      snapshots: try options.snapshots.map(Self.snapshots(in:)),
      time: Int64(Date().timeIntervalSince1970 * 1000)
    )
  }

  init(
    _ options: ReplicasOptions,
    log: Log,
    nodes: [NodeAnnouncement],
    snapshots: [Snapshot]?,
    time: Int64
  ) {
    database = options.database
    self.log = log
    self.nodes = nodes
    self.snapshots = snapshots
    self.time = time
    problems = ReplicasProblems.find(log, nodes, options)
    isHealthy = problems.isEmpty
  }

  private static func snapshots(in directory: String) throws -> [Snapshot] {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    return names.sorted().compactMap { name in
      guard let entry = SnapshotName.position(in: name) else { return nil }
      // The primary may have removed it since.
      let path = "\(directory)/\(name)"
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
        return nil
      }
      let date = attributes[.modificationDate] as? Date
      let time = (date?.timeIntervalSince1970 ?? 0) * 1000
      return Snapshot(
        name: name,
        entry: entry,
        bytes: (attributes[.size] as? NSNumber)?.int64Value ?? 0,
        time: Int64(exactly: time.rounded()) ?? 0
      )
    }
  }

  /// The report as JSON, on one line.
  func json() -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // It consists of numbers and texts only.
    let data = (try? encoder.encode(self)) ?? Data()
    // The texts come from the network.
    return DisplayText.escapedLines(data, as: .json) + "\n"
  }
}

/// The problems that an operator should check.
enum ReplicasProblems {
  static func find(
    _ log: ReplicasReport.Log,
    _ nodes: [NodeAnnouncement],
    _ options: ReplicasOptions
  ) -> [String] {
    let full =
      "etcd's store is full: nothing can be written, and nodes cannot announce themselves. Trim the "
      + "log, then run `etcdctl defrag` and `etcdctl alarm disarm`"
    let problems = log.isFull ? [full] : []
    if let address = options.node {
      return problems + self.problems(ofNodeAt: address, nodes, options)
    }
    return problems + self.problems(of: log, nodes, options)
  }

  /// The problems of one node.
  private static func problems(
    ofNodeAt address: String,
    _ nodes: [NodeAnnouncement],
    _ options: ReplicasOptions
  ) -> [String] {
    // A process that was killed may have left an announcement.
    let node = nodes.filter { $0.address == address }
      .max { ($0.epoch, $0.time) < ($1.epoch, $1.time) }
    guard let node else { return ["no node has announced itself as \(address)"] }
    var problems = outdated(nodes).contains(node) ? [outdatedProblem(node)] : []
    if options.mustBePrimary, node.role != .primary {
      problems.append("\(name(node)) is not the primary")
    }
    return problems + self.problems(of: node, options)
  }

  /// Primaries that do not know of a later one.
  private static func outdated(_ nodes: [NodeAnnouncement]) -> [NodeAnnouncement] {
    let primaries = nodes.filter { $0.role == .primary }
    let epoch = primaries.map(\.epoch).max()
    return primaries.filter { $0.epoch < epoch ?? 0 }
  }

  private static func outdatedProblem(_ node: NodeAnnouncement) -> String {
    "\(name(node)) says that it is the primary, in the earlier epoch \(node.epoch)"
  }

  /// The problems of the log and of all nodes.
  private static func problems(
    of log: ReplicasReport.Log,
    _ nodes: [NodeAnnouncement],
    _ options: ReplicasOptions
  ) -> [String] {
    var problems: [String] = []
    if nodes.count < options.leastNodes {
      problems.append("\(nodes.count) of \(options.leastNodes) nodes have announced themselves")
    }
    problems += outdated(nodes).map(outdatedProblem)
    if !nodes.isEmpty, !nodes.contains(where: { $0.role == .primary }) {
      problems.append("no node says that it is the primary: nothing can be written")
    }
    if !nodes.isEmpty, !nodes.contains(where: \.hasSnapshotStore) {
      problems.append("no node has a store of snapshots: the log is never trimmed, and fills up")
    }
    if let limit = options.largestLog, log.bytesInUse > limit {
      problems.append("the log has \(log.bytesInUse / 1_000_000) MB")
    }
    return problems + nodes.flatMap { self.problems(of: $0, options) }
  }

  private static func name(_ node: NodeAnnouncement) -> String {
    node.address.isEmpty ? "process \(node.process) on \(node.host)" : node.address
  }

  private static func problems(
    of node: NodeAnnouncement,
    _ options: ReplicasOptions
  ) -> [String] {
    var problems: [String] = []
    let name = name(node)
    switch node.role {
    case .primary, .replica: break
    case .unknown: problems.append("\(name) does what this version does not know")
    case .needsSnapshot: problems.append("\(name) waits for a snapshot: \(node.reason ?? "")")
    case .stopped: problems.append("\(name) has stopped: \(node.reason ?? "")")
    }
    if let path = node.discardedCommits {
      problems.append("\(name) has kept commits that a failover has discarded: \(path)")
    }
    guard node.role != .stopped else { return problems }
    if let lag = node.lag, let limit = options.longestLag, lag > limit {
      problems.append("\(name) is \(lag) entries behind")
    }
    if let age = node.dataAge, age > options.longestAge {
      problems.append("the content of \(name) is \(age / 1000) s old")
    }
    return problems
  }
}
