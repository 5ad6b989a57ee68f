import CommandLineSupport
import Foundation
import Testing

@testable import Replication
@testable import ReplicasCLI

/// The reports of the tool about nodes and a log.
@Suite struct ReplicasReportTests {
  private static let log = ReplicasReport.Log(
    first: 9_001,
    last: 10_423,
    bytes: 12_000_000,
    bytesInUse: 3_100_000
  )

  private static func node(
    _ address: String,
    _ change: (inout NodeAnnouncement) -> Void = { _ in }
  ) throws -> NodeAnnouncement {
    let text = """
      {"id": "\(address)", "address": "\(address)", "host": "h", "process": 12, "role": "replica",
       "mayBePrimary": true, "isPreferred": false, "epoch": 7, "applied": 10423, "lag": 0,
       "dataAge": 210, "outbox": 0, "hasSnapshotStore": true,
       "snapshot": 10000, "snapshotAge": 1000, "time": 1}
      """
    var node = try #require(NodeAnnouncement(decoding: Array(text.utf8)))
    change(&node)
    return node
  }

  private static func options(_ arguments: [String] = []) throws -> ReplicasOptions {
    try ReplicasOptions(
      ParsedArguments(
        ["--log", "http://e:2379", "shop"] + arguments,
        syntax: ReplicasOptions.syntax
      ),
      environment: [:]
    )
  }

  private static func problems(
    _ nodes: [NodeAnnouncement],
    _ arguments: String...
  ) throws -> [String] {
    ReplicasProblems.find(log, nodes, try options(arguments))
  }

  private static func report(of nodes: [NodeAnnouncement]) throws -> ReplicasReport {
    ReplicasReport(try options(), log: log, nodes: nodes, snapshots: nil, time: 0)
  }

  @Test func `a table shows each node, and what is wrong below it`() throws {
    let nodes = [
      try Self.node("http://a") { $0.role = .primary },
      try Self.node("http://b") { ($0.isPreferred, $0.lag, $0.dataAge) = (true, nil, nil) },
      try Self.node("http://c") {
        ($0.role, $0.reason, $0.lag, $0.snapshot) = (.stopped, "its file is damaged", 323, nil)
        ($0.mayBePrimary, $0.applied, $0.dataAge) = (false, 10_100, 240_000)
      },
    ]
    let snapshot = ReplicasReport.Snapshot(
      name: "s",
      entry: 10_000,
      bytes: 57_000_000,
      time: 1_000
    )
    let report = ReplicasReport(
      try Self.options(),
      log: Self.log,
      nodes: nodes,
      snapshots: [snapshot],
      time: 181_000
    )
    #expect(
      report.table() == """
        shop: entries 9001 to 10423, 3100 kB of 12 MB in use
        snapshot of entry 10000, 57 MB, 3 min old

        address   role                    epoch  applied  lag    age  outbox  snapshot  on
        http://a  primary                     7    10423    0  0.2 s       0     10000  h (12)
        http://b  replica, preferred          7    10423    ?      ?       0     10000  h (12)
        http://c  stopped, never primary      7    10100  323  4 min       0            h (12)

        Problem: http://c has stopped: its file is damaged

        """
    )
    #expect(!report.isHealthy)
  }

  @Test func `without nodes and entries, it says so`() throws {
    let report = ReplicasReport(
      try Self.options(),
      log: ReplicasReport.Log(first: nil, last: 0, bytes: 20_480, bytesInUse: 16_384),
      nodes: [],
      snapshots: nil,
      time: 0
    )
    #expect(
      report.table() == """
        shop: the log is empty

        No node has announced itself.

        Problem: 0 of 1 nodes have announced themselves

        """
    )
  }

  @Test func `texts of nodes cannot move the cursor`() throws {
    let node = try Self.node("http://a") {
      ($0.role, $0.address, $0.discardedCommits) = (.primary, "\u{1B}[2J\n", "\u{1B}[1m")
    }
    let report = try Self.report(of: [node])
    #expect(!report.table().contains("\u{1B}"))
    #expect(report.table().contains(#"\u{1B}[2J\n"#))
  }

  @Test func `in JSON, texts of nodes cannot move the cursor either, and stay what they are`()
    throws
  {
    let address = "\u{9B}2J\u{202E}\u{7F}"
    let node = try Self.node("http://a") { ($0.role, $0.address) = (.primary, address) }
    let report = try Self.report(of: [node])
    let json = report.json()
    #expect(json.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 10 })
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    #expect((object?["nodes"] as? [[String: Any]])?.first?["address"] as? String == address)
  }

  @Test func `each problem is named`() throws {
    let primary = try Self.node("a") { $0.role = .primary }
    let replica = try Self.node("b")
    #expect(try Self.problems([primary, replica]) == [])
    #expect(
      try Self.problems([replica]) == [
        "no node says that it is the primary: nothing can be written"
      ]
    )
    #expect(
      try Self.problems([primary], "--min-nodes", "3") == ["1 of 3 nodes have announced themselves"]
    )
    let alone = try Self.node("a") { ($0.role, $0.hasSnapshotStore) = (.primary, false) }
    #expect(
      try Self.problems([alone])
        == ["no node has a store of snapshots: the log is never trimmed, and fills up"]
    )
    #expect(try Self.problems([alone, replica]) == [])
    let old = try Self.node("c") { ($0.role, $0.epoch) = (.primary, 6) }
    #expect(
      try Self.problems([primary, old])
        == ["c says that it is the primary, in the earlier epoch 6"]
    )
    let behind = try Self.node("d") { ($0.lag, $0.dataAge) = (41, 31_000) }
    #expect(try Self.problems([primary, behind]) == ["the content of d is 31 s old"])
    #expect(
      try Self.problems([primary, behind], "--max-lag", "40", "--max-age=60")
        == ["d is 41 entries behind"]
    )
    #expect(
      try Self.problems([primary], "--max-size", "3") == ["the log has 3 MB"]
    )
    let waiting = try Self.node("") { ($0.role, $0.reason) = (.needsSnapshot, "why") }
    #expect(
      try Self.problems([primary, waiting]) == ["process 12 on h waits for a snapshot: why"]
    )
    let discarded = try Self.node("e") { $0.discardedCommits = "/f" }
    #expect(
      try Self.problems([primary, discarded])
        == ["e has kept commits that a failover has discarded: /f"]
    )
  }

  @Test func `a full store of etcd is named as the reason why no node is there`() throws {
    var log = Self.log
    log.isFull = true
    let found = try ReplicasProblems.find(log, [], Self.options(["--min-nodes", "2"]))
    #expect(found.count == 2)
    #expect(found[0].contains("etcd's store is full"))
    #expect(found[0].contains("etcdctl alarm disarm"))
    let alone = try ReplicasProblems.find(log, [], Self.options(["--node", "a"]))
    #expect(alone == [found[0], "no node has announced itself as a"])
  }

  @Test func `one node can be checked alone`() throws {
    let nodes = [
      try Self.node("a") { $0.role = .primary }, try Self.node("b"),
      try Self.node("c") { ($0.role, $0.reason) = (.stopped, "why") },
    ]
    #expect(try Self.problems(nodes, "--node", "b") == [])
    #expect(try Self.problems(nodes, "--node", "a", "--primary") == [])
    #expect(try Self.problems(nodes, "--node", "b", "--primary") == ["b is not the primary"])
    #expect(try Self.problems(nodes, "--node", "c") == ["c has stopped: why"])
    #expect(try Self.problems(nodes, "--node", "d") == ["no node has announced itself as d"])
    // A killed primary, and the primary after it; a killed process, and the process after it.
    let next = try Self.node("b") { ($0.role, $0.epoch) = (.primary, 8) }
    #expect(
      try Self.problems([nodes[0], next], "--node", "a", "--primary")
        == ["a says that it is the primary, in the earlier epoch 7"]
    )
    #expect(try Self.problems([nodes[0], next], "--node", "b", "--primary") == [])
    let old = try Self.node("b") { ($0.id, $0.role, $0.epoch) = ("0", .stopped, 6) }
    #expect(try Self.problems([old, next], "--node", "b", "--primary") == [])
    let later = try Self.node("e") { $0.role = .unknown }
    #expect(
      try Self.problems([later], "--node", "e") == ["e does what this version does not know"]
    )
  }

  @Test(arguments: [
    ([], "the name of the database is missing"),
    (["a"], "--log is missing: the addresses of etcd's members"),
    (["a", "b", "--log", "http://e"], "unexpected argument b"),
    (["a", "--log", "http://e", "--primary"], "--primary needs --node"),
    (["a", "--log", "http://e", "--max-lag", "x"], "--max-lag needs a whole number, not x"),
    (["a", "--log", "http://e", "--max-age=0.5"], "--max-age needs a whole number, not 0.5"),
    (
      ["a", "--log", "http://e", "--min-nodes=0"],
      "--min-nodes needs a whole number from 1 on, not 0"
    ),
    (["a", "--log", "http://e", "--cert", "f"], "--cert and --key are only of use together"),
    (["a", "--log", "http://e", "--format", "xml"], "--format needs one of table, json, not xml"),
    (
      ["a", "--log", "http://e", "--fomat", "x"], "unknown option --fomat (did you mean --format?)"
    ),
  ])
  func `a wrong use is explained`(arguments: [String], message: String) {
    #expect(throws: UsageError(message)) {
      try ReplicasOptions(
        ParsedArguments(arguments, syntax: ReplicasOptions.syntax),
        environment: [:]
      )
    }
  }
}
