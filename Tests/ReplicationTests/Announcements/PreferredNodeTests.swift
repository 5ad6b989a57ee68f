import Foundation
import Storage
import Testing
import TestSupport

@testable import Replication

@Suite(.patient) struct PreferredNodeTests {
  private let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  private func open(_ name: String, _ role: ReplicationRole) async throws -> ReplicatedDatabase {
    var options = AnnouncementTests.options(name)
    // The primacy changes here by hand-overs only: no election would end in time.
    options.electionTimeout = .seconds(10_000)
    return try await nodes.open(name, role: role, options: options)
  }

  @Test func `a preferred node becomes the primary when it follows, and no write is lost`()
    async throws
  {
    let a = try await open("a", .automatic)
    try await a.write { try $0.execute(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY)") }
    let b = try await open("b", .preferred)
    var written: [Int] = []
    for number in 1... {
      do {
        try await a.write { try $0.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number]) }
        written.append(number)
        try await b.catchUp(with: a)
      } catch ReplicationError.notPrimary {
        break
      }
    }
    try await b.waitForPrimacy()
    try await b.write { try $0.execute(sql: "INSERT INTO t VALUES (0)") }
    try await a.catchUp(with: b)
    try expectEqual(a, b)
    #expect(try await a.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [0] + written)
    for node in [a, b] { try node.close() }
  }

  @Test func `between preferred nodes, the primary stays`() async throws {
    let a = try await open("a", .preferred)
    let b = try await open("b", .preferred)
    // Each has seen the announcement of the other.
    _ = try await AnnouncementTests.nodes(nodes.log) { nodes in
      nodes.map(\.role) == [.primary, .replica] && nodes.allSatisfy { $0.lag == 0 }
    }
    try await a.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    let token = a.lastToken
    try await b.wait(until: token, timeout: Patience.limit)
    _ = try await AnnouncementTests.nodes(nodes.log) { nodes in
      nodes.allSatisfy { $0.applied >= token.sequence }
    }
    #expect(a.status.role == .primary && a.status.epoch == 1)
    for node in [a, b] { try node.close() }
  }
}

/// When a primary ends for a preferred node, without nodes and clocks.
@Suite struct HandingBackTests {
  private static let second: UInt64 = 1_000_000_000
  /// The interval of announcements is one second.
  private var state = HandingBack(interval: .seconds(1))
  private var node = NodeAnnouncement(
    decoding: Array(
      #"{"id": "b", "role": "replica", "isPreferred": true, "epoch": 1, "lag": 3, "time": 0}"#.utf8
    )
  )!

  /// Checks the nodes at a second, with a new announcement of the preferred node.
  private mutating func look(
    at seconds: UInt64,
    epoch: Int64 = 1,
    isNew: Bool = true,
    needsSnapshot: Bool = false
  ) -> Bool {
    if isNew { node.time += 1 }
    let next = state.next(
      among: [node],
      epoch: epoch,
      needsSnapshot: needsSnapshot,
      now: (1_000 + seconds) * Self.second
    )
    return next != nil
  }

  @Test mutating func `it hands over after four intervals, when the node has spoken twice`() {
    #expect((0..<4).map { look(at: $0) } == [false, false, false, false])
    #expect(look(at: 4))
  }

  @Test mutating func `a node that says nothing new may have been killed`() {
    #expect(!look(at: 0))
    #expect((5..<20).allSatisfy { !look(at: $0, isNew: false) })
    #expect(look(at: 20))
  }

  @Test mutating func `while a snapshot is needed, the primary stays`() {
    #expect((0..<20).allSatisfy { !look(at: $0, needsSnapshot: true) })
    #expect(look(at: 20))
  }

  private static let others: [@Sendable (inout NodeAnnouncement) -> Void] = [
    { $0.isPreferred = false }, { $0.role = .needsSnapshot }, { $0.role = .unknown },
    { $0.epoch = 0 }, { $0.lag = 65 }, { $0.lag = nil },
  ]

  @Test(arguments: others.indices)
  mutating func `only a preferred node that follows closely gets the primacy`(index: Int) {
    Self.others[index](&node)
    #expect((0..<20).allSatisfy { !look(at: $0) })
  }

  @Test mutating func `the pause doubles while the node does not become the primary`() {
    var times: [UInt64] = []
    for second in 0..<20_000 where look(at: UInt64(second)) { times.append(UInt64(second)) }
    let pauses = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(pauses.prefix(7) == [60, 120, 240, 480, 960, 1920, 3600])
  }

  @Test mutating func `a node that was the primary in between is handed the primacy soon again`() {
    _ = look(at: 0)
    #expect(look(at: 10))
    // Another primary, and this node again, days later.
    node.epoch = 3
    _ = look(at: 100_000, epoch: 3)
    #expect(look(at: 100_010, epoch: 3))
    node.epoch = 5
    _ = look(at: 200_000, epoch: 5)
    #expect(look(at: 200_010, epoch: 5))
  }
}
