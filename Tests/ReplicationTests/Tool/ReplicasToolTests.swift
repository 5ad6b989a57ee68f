import EtcdSupport
import Foundation
import Storage
import Testing
import TestSupport

@testable import Replication

/// `wellspring-replicas` as a process, with a real etcd.
@Suite(.patient) struct ReplicasToolTests {
  private struct Run {
    let code: Int32
    let output: String
    let errors: String
  }

  /// The directory of the tests has the tools.
  private static var directory: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }

  private static func run(
    _ arguments: String...,
    program: String = "wellspring-replicas",
    environment: [String: String] = [:]
  ) throws -> Run {
    let process = Process()
    process.executableURL = directory.appendingPathComponent(program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("WELLSPRING_LOG") }.merging(environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let texts = try [output, errors].map { pipe in
      String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Run(code: process.terminationStatus, output: texts[0], errors: texts[1])
  }

  @Test func `it shows the nodes of a log, their snapshots, and problems by its exit code`()
    async throws
  {
    let cluster = try EtcdCluster()
    let nodes = try TestNodes()
    let store = nodes.directory.appendingPathComponent("snapshots").path
    func open(_ name: String, _ role: ReplicationRole) async throws -> ReplicatedDatabase {
      var options = AnnouncementTests.options(name)
      options.snapshots = .directory(store)
      return try await ReplicatedDatabase(
        path: nodes.path(name),
        log: try cluster.log("shop"),
        role: role,
        options: options
      )
    }
    let endpoint = cluster.endpoints[0]
    // A supervisor may read the exit code only.
    let unread = Process()
    unread.executableURL = URL(fileURLWithPath: "/bin/sh")
    let tool = Self.directory.appendingPathComponent("wellspring-replicas").path
    unread.arguments = ["-c", "(\(tool) --log \(endpoint) shop; echo $? >&2) | true"]
    let code = Pipe()
    unread.standardError = code
    try unread.run()
    #expect(try code.fileHandleForReading.readToEnd() == Data("1\n".utf8))
    unread.waitUntilExit()
    let empty = try Self.run("--log", endpoint, "shop")
    #expect(empty.code == 1 && empty.output.hasPrefix("shop: the log is empty"))
    let a = try await open("a", .automatic)
    try await a.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await a.trimLog()
    let b = try await open("b", .replica)
    _ = try await AnnouncementTests.nodes(try cluster.log("shop")) { nodes in
      nodes.map(\.role) == [.primary, .replica] && nodes.allSatisfy { $0.lag == 0 }
    }
    let table = try Self.run(
      "shop",
      environment: ["WELLSPRING_LOG": "\(endpoint),http://127.0.0.1:1"]
    )
    #expect(table.code == 0, "\(table.output)\(table.errors)")
    let lines = table.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("a        primary") })
    #expect(lines.contains { $0.hasPrefix("b        replica, never primary") })
    let json = try Self.run(
      "--log",
      endpoint,
      "shop",
      "--format",
      "json",
      "--snapshots",
      store,
      "--min-nodes",
      "3"
    )
    #expect(json.code == 1)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    )
    #expect(object["isHealthy"] as? Bool == false)
    #expect(object["problems"] as? [String] == ["2 of 3 nodes have announced themselves"])
    #expect((object["nodes"] as? [[String: Any]])?.map { $0["address"] as? String } == ["a", "b"])
    #expect((object["snapshots"] as? [[String: Any]])?.count == 1)
    try b.close()
    try a.close()
    let closed = try Self.run("--log", endpoint, "shop", "--node", "a")
    #expect(closed.code == 1)
    #expect(closed.output.contains("Problem: no node has announced itself as a"))
  }

  @Test func `wellspring replicas starts it, also outside the path`() throws {
    let help = try Self.run("--help")
    #expect(help.code == 0 && help.output.hasPrefix("wellspring-replicas shows the nodes"))
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let forwarded = try Self.run("replicas", "--version", program: "wellspring")
    #expect(forwarded.output.hasPrefix("wellspring-replicas "))
    let wrong = try Self.run("replicas", program: "wellspring")
    #expect(wrong.code == 2)
    #expect(
      wrong.errors
        == "wellspring-replicas: the name of the database is missing; see wellspring-replicas --help\n"
    )
    #expect(try Self.run("--version").output == forwarded.output)
  }

  @Test func `a log that does not answer, and an address that is wrong, are named`() throws {
    let silent = try Self.run("--log", "http://127.0.0.1:1", "shop")
    #expect(silent.code == 1)
    #expect(silent.errors.contains("http://127.0.0.1:1"))
    let wrong = try Self.run("--log", "127.0.0.1", "shop")
    #expect(wrong.code == 2)
    #expect(wrong.errors.contains("is not a URL such as http://127.0.0.1:2379; see"))
    let user = try Self.run("--log", "http://127.0.0.1:1", "shop", "--user", "u")
    #expect(user.code == 2)
    #expect(user.errors.contains("WELLSPRING_LOG_PASSWORD"))
  }
}
