import Foundation
import Storage
import WellspringSystem

/// The network of a scenario, and the nodes that it starts there, all with default options.
final class ScenarioLab {
  let lab: Lab
  private var starts = 0
  private var running: [Host: ServedNode] = [:]

  init() throws { lab = try Lab(startsNodes: false) }

  /// Ends all, and removes it.
  func end(keepsFolder: Bool) {
    for node in running.values { node.kill() }
    lab.end(keepsFolder: keepsFolder)
  }

  var network: PartitionNetwork { lab.network }

  var members: EtcdMembers { lab.members }

  /// The host of a node, from one on.
  func host(_ number: Int) -> Host { lab.nodeHosts[number - 1] }

  /// Starts a node in a new process, and does not wait until it is open.
  ///
  /// - Parameters:
  ///   - number: The number of the node, from one on.
  ///   - path: Its file, if this is not the usual file of the node.
  ///   - adjust: Changes how the node works.
  /// - Returns: The node.
  /// - Throws: ``LabError``.
  func startUnopened(
    _ number: Int,
    path: String? = nil,
    _ adjust: (inout NodeServer) -> Void = { _ in }
  ) throws -> ServedNode {
    let host = host(number)
    starts += 1
    var server = NodeServer(
      node: host.name,
      path: path ?? lab.path(host),
      socket: "\(lab.folder)/\(host.name).\(starts).socket",
      endpoints: members.endpoints(from: number - 1)
    )
    adjust(&server)
    let node = try ServedNode(server, on: host, output: "\(lab.folder)/\(host.name).log")
    if path == nil { running[host] = node }
    return node
  }

  /// Starts a node in a new process, and waits until it is open.
  @discardableResult
  func start(
    _ number: Int,
    _ adjust: (inout NodeServer) -> Void = { _ in }
  ) throws -> ServedNode {
    let node = try startUnopened(number, adjust)
    try node.ask(.open)
    return node
  }

  /// The store of snapshots that nodes share.
  var store: NodeServer.Store { .directory("\(lab.folder)/snapshots") }

  /// Waits until one of some nodes is the primary.
  func awaitPrimary(
    of nodes: [ServedNode],
    limit: Duration = .seconds(30)
  ) throws -> ServedNode {
    var last: [NodeStatus] = []
    do {
      return try waiting(for: "a primary", limit: limit) {
        last = try nodes.map { try $0.status() }
        return zip(nodes, last).first { $0.1.role == "primary" }?.0
      }
    } catch LabError.overdue {
      throw LabError.overdue("a primary of nodes that say \(last)")
    }
  }

  /// The rows of a file that does not belong to a node.
  static func rows(ofFile path: String) throws -> [Int] {
    let database = try DatabaseQueue(path: path)
    defer { try? database.close() }
    return try database.read { try Int.fetchAll($0, sql: "SELECT id FROM item ORDER BY id") }
  }

  /// The files beside the file of a node whose names begin with its name and a suffix.
  func files(of number: Int, _ suffix: String) throws -> [String] {
    let file = URL(fileURLWithPath: lab.path(host(number)))
    let prefix = file.lastPathComponent + suffix
    let folder = file.deletingLastPathComponent()
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix(prefix) }
      .map { folder.appendingPathComponent($0).path }
  }

  /// Ends the failures of the network and the members. Nodes stay as they are.
  func heal() throws {
    try network.heal()
    try members.heal()
  }
}
