import EtcdSupport
import Foundation
import Replication
import Testing
import TestSupport

/// Nodes in processes of their own, which are killed and stopped while they write.
@Suite(.serialized, .patient) struct NodeProcessTests {
  /// A failure of a process.
  enum Failure: String, CaseIterable, Sendable {
    case primaryIsKilled
    case replicaIsKilled
    case primaryIsStopped
    case replicaIsStopped
    case serverIsKilled
    case serverIsStopped

    func happen(_ nodes: NodeProcesses, _ random: inout SeededGenerator) throws {
      let primary = try nodes.primary().name
      let replicas = nodes.names.filter { $0 != primary }
      let replica = replicas[random.number(below: replicas.count)]
      let servers = nodes.cluster.servers
      let server = servers[random.number(below: servers.count)]
      switch self {
      case .primaryIsKilled, .replicaIsKilled:
        let name = self == .primaryIsKilled ? primary : replica
        nodes.kill(name)
        // The other nodes continue first, or the killed node is back before they notice.
        if random.chance(50) { try nodes.waitForWrite(after: rawValue) }
        try nodes.start(name)
      case .primaryIsStopped:
        try nodes.overtakePrimary()
      case .replicaIsStopped:
        nodes.signal(SIGSTOP, replica)
        for _ in 0..<10 { try nodes.waitForWrite(after: rawValue) }
        nodes.signal(SIGCONT, replica)
      case .serverIsKilled:
        server.kill()
        if servers.count > 1 { try nodes.waitForWrite(after: rawValue) }
        try nodes.cluster.restart(server)
      case .serverIsStopped:
        server.signal(SIGSTOP)
        if servers.count > 1 { try nodes.waitForWrite(after: rawValue) }
        server.signal(SIGCONT)
      }
      try nodes.waitForWrite(after: rawValue)
    }
  }

  private func run(
    seed: UInt64,
    servers: Int,
    isLocal: Bool = false,
    _ failures: @escaping @Sendable (inout SeededGenerator) -> [Failure]
  ) async throws {
    let nodes = try await OwnThread.run { () throws -> NodeProcesses in
      let nodes = try NodeProcesses(
        ["one", "two", "three"],
        servers: servers,
        isLocal: isLocal
      )
      var random = SeededGenerator(seed: seed)
      for name in nodes.names { try nodes.start(name) }
      try nodes.waitForWrite(after: "the start")
      for failure in failures(&random) { try failure.happen(nodes, &random) }
      try nodes.end()
      return nodes
    }.value
    try await nodes.expectOneHistory()
  }

  @Test(arguments: [false, true])
  func `kills and stops of primary, replica and server leave one history on all nodes`(
    isLocal: Bool
  ) async throws {
    try await run(seed: 1, servers: 1, isLocal: isLocal) { _ in Failure.allCases }
  }

  @Test func `a primary that SIGSTOP has stopped, and that is overtaken, throws when it wakes`()
    async throws
  {
    let count = Soak.size(100, inSuite: 2)
    try await run(seed: 2, servers: 1) { _ in Array(repeating: .primaryIsStopped, count: count) }
  }

  @Test(.enabled(if: Soak.isFull), arguments: [11, 12, 13] as [UInt64])
  func `soak: 200 random kills and stops leave one history on all nodes`(seed: UInt64)
    async throws
  {
    try await run(seed: seed, servers: 3) { random in
      (0..<200).map { _ in random.pick(from: Failure.allCases) }
    }
  }
}
