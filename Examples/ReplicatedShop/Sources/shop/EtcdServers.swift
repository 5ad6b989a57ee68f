import Foundation

/// Servers of etcd on free ports, which form a cluster.
struct EtcdServers {
  struct Missing: Error, CustomStringConvertible {
    var description: String { "etcd was not found: install Debian's package etcd-server" }
  }

  let endpoints: [String]
  private let processes: [Process]

  /// Starts servers.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - directory: Where they keep their data and their messages.
  /// - Throws: ``Missing``, or what starting a process throws.
  init(_ count: Int, in directory: URL) throws {
    let program = URL(fileURLWithPath: "/usr/bin/etcd")
    guard FileManager.default.isExecutableFile(atPath: program.path) else { throw Missing() }
    let ports = Self.freePorts(2 * count)
    let members = (0..<count).map { index in
      (
        name: "m\(index + 1)", client: "http://127.0.0.1:\(ports[2 * index])",
        peer: "http://127.0.0.1:\(ports[2 * index + 1])"
      )
    }
    let cluster = members.map { "\($0.name)=\($0.peer)" }.joined(separator: ",")
    endpoints = members.map(\.client)
    processes = try members.map { member in
      let process = Process()
      process.executableURL = program
      process.arguments = [
        "--name", member.name, "--data-dir", directory.appending(path: member.name).path,
        "--listen-client-urls", member.client, "--advertise-client-urls", member.client,
        "--listen-peer-urls", member.peer, "--initial-advertise-peer-urls", member.peer,
        "--initial-cluster", cluster, "--initial-cluster-state", "new", "--pre-vote",
        "--logger", "zap", "--log-outputs", directory.appending(path: "\(member.name).log").path,
      ]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }
  }

  /// What a person types to stop a server.
  var commands: [String] { processes.map { "kill -9 \($0.processIdentifier)" } }

  /// Ends the servers.
  func end() {
    for process in processes { kill(process.processIdentifier, SIGKILL) }
    for process in processes { process.waitUntilExit() }
  }

  /// Returns ports that are free at this moment.
  ///
  /// They are below those that Linux gives to connections, so that none takes one before the server
  /// does.
  private static func freePorts(_ count: Int) -> [UInt16] {
    var ports: Set<UInt16> = []
    while ports.count < count {
      let port = UInt16.random(in: 10_240..<32_768)
      if isFree(port) { ports.insert(port) }
    }
    return Array(ports)
  }

  private static func isFree(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = port.bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
