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
    if isAwaited { try awaitAnswer() }
    if let network { network.know(try memberIDs()) }
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
  }

  /// Runs etcdctl, and returns its output.
  @discardableResult
  package func control(_ arguments: String...) throws -> String {
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

  /// The names of the members, by the numbers that they give each other.
  private func memberIDs() throws -> [String: String] {
    var names: [String: String] = [:]
    for line in try control("member", "list").split(separator: "\n") {
      let words = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      if words.count > 2 { names[words[0]] = words[2] }
    }
    return names
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
