internal import Foundation
package import Replication

/// A cluster of etcd on free ports, with data in a temporary directory.
///
/// Its owner uses it on one thread at a time.
package final class EtcdCluster: @unchecked Sendable {
  package let servers: [EtcdServer]
  package let directory: String
  /// The network between the members, if a test cuts members off.
  package let network: PeerNetwork?
  private let names: String

  /// Starts a cluster, and waits until it answers.
  package init(
    size: Int = 1,
    scheme: String = "http",
    options: [String] = [],
    isPartitionable: Bool = false,
    isAwaited: Bool = true
  ) throws {
    let directory = NSTemporaryDirectory() + "wellspring-etcd-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    self.directory = directory
    servers = (1...size).map {
      EtcdServer(name: "m\($0)", directory: directory, scheme: scheme, options: options)
    }
    Self.atExit(servers, directory)
    network = isPartitionable ? try PeerNetwork(of: servers) : nil
    names = servers.map { "\($0.name)=\($0.advertisedPeerURL)" }.joined(separator: ",")
    for server in servers { try server.start(cluster: names) }
    if isAwaited {
      try awaitAnswer()
      try awaitMembers()
    }
    if let network { network.know(try memberNames()) }
  }

  deinit {
    for server in servers { server.kill() }
    network?.end()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// The servers and folders to remove when the process of the tests ends.
  private nonisolated(unsafe) static var leftovers: [(servers: [WeakServer], directory: String)] =
    []
  private static let lock = NSLock()
  private struct WeakServer { weak var server: EtcdServer? }

  private static func atExit(_ servers: [EtcdServer], _ directory: String) {
    lock.withLock {
      if leftovers.isEmpty {
        atexit {
          for (servers, directory) in EtcdCluster.leftovers {
            for server in servers { server.server?.kill() }
            try? FileManager.default.removeItem(atPath: directory)
          }
        }
      }
      leftovers.append((servers.map { WeakServer(server: $0) }, directory))
    }
  }

  package var endpoints: [String] { servers.map(\.clientURL) }

  /// A log in this cluster.
  package func log(
    _ database: String = "db",
    credentials: EtcdCredentials? = nil,
    security: EtcdSecurity? = nil,
    timeouts: EtcdTimeouts = .patient
  ) throws -> EtcdLog {
    try EtcdLog(
      endpoints: endpoints,
      database: database,
      credentials: credentials,
      security: security,
      timeouts: timeouts
    )
  }

  /// Waits until the cluster answers.
  package func awaitAnswer(security: EtcdSecurity? = nil) throws {
    let log = try log("starting", security: security)
    _ = try log.tail()
    log.close()
  }

  /// Waits until each member answers and tells the names and addresses of all: two of three answer
  /// for the cluster when the third one is not known yet.
  private func awaitMembers() throws {
    let deadline = ContinuousClock.now + Self.startLimit
    for server in servers {
      while try members(at: [server.clientURL]).count(where: \.isStarted) < servers.count {
        guard ContinuousClock.now < deadline else { throw Unready(name: server.name) }
        usleep(20_000)
      }
    }
  }

  /// How long the start of all members may take.
  private static let startLimit = EtcdTimeouts.patient.call

  /// A member that does not know all others in time.
  private struct Unready: Error, CustomStringConvertible {
    let name: String

    var description: String { "The member \(name) of etcd does not know all members." }
  }

  /// Starts a member that was killed.
  package func restart(_ server: EtcdServer) throws { try server.start(cluster: names) }

  /// Makes the cluster again, without its data and with another identity.
  package func makeAgain() throws {
    for server in servers {
      server.kill()
      try FileManager.default.removeItem(atPath: "\(directory)/\(server.name)")
    }
    for server in servers {
      try server.start(cluster: names, timing: ["--initial-cluster-token", UUID().uuidString])
    }
    try awaitAnswer()
    try awaitMembers()
  }

  /// Runs etcdctl, and returns its output.
  @discardableResult
  package func control(_ arguments: String...) throws -> String {
    try control(at: endpoints, arguments)
  }

  private func control(at endpoints: [String], _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: EtcdServer.programs + "/etcdctl")
    process.arguments = ["--endpoints", endpoints.joined(separator: ",")] + arguments
    process.environment = ["ETCDCTL_API": "3"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }

  /// A member as another member knows it.
  private struct Member {
    /// The number that the members give it.
    let id: String
    let isStarted: Bool
    /// The name, which it tells when it has started.
    let name: String
  }

  /// The names of the members, by the numbers that they give each other.
  private func memberNames() throws -> [String: String] {
    Dictionary(try members(at: endpoints).map { ($0.id, $0.name) }) { first, _ in first }
  }

  private func members(at endpoints: [String]) throws -> [Member] {
    let lines = try control(at: endpoints, ["member", "list"]).split(separator: "\n")
    return lines.compactMap { line in
      let words = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      guard words.count > 2 else { return nil }
      return Member(id: words[0], isStarted: words[1] == "started", name: words[2])
    }
  }

  /// Waits for the end of an election, and returns the member that leads; `nil` after 30 seconds.
  package func awaitLeader() throws -> EtcdServer? {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      if let leader = try leader() { return leader }
      usleep(50_000)
    }
    return nil
  }

  /// The member that leads; `nil` during an election.
  package func leader() throws -> EtcdServer? {
    let status = try control("endpoint", "status", "--write-out=simple")
    let line = status.split(separator: "\n").first { $0.contains("true, false") }
    return servers.first { line?.contains($0.clientURL + ",") == true }
  }
}

extension EtcdTimeouts {
  /// For a member that answers, however slow the machine is. A call still asks the next member
  /// soon.
  package static let patient = EtcdTimeouts(
    connect: .seconds(30),
    attempt: .seconds(1),
    call: .seconds(120)
  )
}
