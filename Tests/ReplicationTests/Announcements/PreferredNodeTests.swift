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
    // What follows here is a hand-over: no election would end in time.
    options.electionTimeout = .seconds(10_000)
    return try await nodes.open(name, role: role, options: options)
  }

  @Test func `a preferred node becomes the primary when it follows, and no write is lost`()
    async throws
  {
    let a = try await open("a", .automatic)
    try await a.write { try $0.execute(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY)") }
    let c = try await open("c", .automatic)
    let b = try await open("b", .preferred)
    var written: [Int] = []
    for number in 1... {
      do {
        try await a.write { try $0.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number]) }
        written.append(number)
      } catch ReplicationError.notPrimary {
        break
      }
    }
    try await b.waitForPrimacy()
    #expect(b.status.epoch == 2)
    try await b.write { try $0.execute(sql: "INSERT INTO t VALUES (0)") }
    for node in [a, c] { try await node.catchUp(with: b) }
    try expectEqual(a, b, c)
    #expect(try await c.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [0] + written)
    for node in [a, b, c] { try node.close() }
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
    _ = try await AnnouncementTests.nodes(nodes.log) {
      $0.allSatisfy { $0.applied >= token.sequence }
    }
    #expect(a.status.role == .primary && a.status.epoch == 1)
    for node in [a, b] { try node.close() }
  }

  @Test func `of several nodes, the preferred one follows a primary that resigns`() async throws {
    var others: [ReplicatedDatabase] = []
    let a = try await open("a", .preferred)
    for name in ["b", "c", "d"] { others.append(try await open(name, .automatic)) }
    let preferred = try await open("e", .preferred)
    try await a.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    for node in others + [preferred] { try await node.catchUp(with: a) }
    try await a.resign()
    try await preferred.waitForPrimacy()
    #expect(preferred.status.epoch == 2)
    for node in others + [a, preferred] { try node.close() }
  }
}
