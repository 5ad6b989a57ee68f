import EtcdSupport
import Foundation
import Replication
import Storage
import Testing
import TestSupport

/// Nodes over the real engine.
@Suite(.serialized, .patient) struct EtcdNodeTests {
  private let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  @Test func `nodes over one server go on after it was killed`() async throws {
    let cluster = try await OwnThread.run { try EtcdCluster(size: 1) }.value
    let database = UUID().uuidString
    func open(_ name: String) async throws -> ReplicatedDatabase {
      var options = TestNodes.options(name)
      options.electionTimeout = .seconds(2)
      return try await ReplicatedDatabase(
        path: nodes.path(name),
        log: try cluster.log(
          database,
          timeouts: EtcdTimeouts(attempt: .milliseconds(300), call: .seconds(1))
        ),
        options: options
      )
    }
    let one = try await open("one")
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    let two = try await open("two")
    try await two.catchUp(with: one)
    cluster.servers[0].kill()
    await #expect(throws: ReplicationError.self) {
      try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    }
    #expect(try await two.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [])
    try await OwnThread.run { try cluster.restart(cluster.servers[0]) }.value
    let last = try await written(one, two)
    for node in [one, two] { try await node.wait(until: last.token, timeout: Patience.limit) }
    try expectEqual(one, two)
    // The write that threw is not there, and no repeated write is there twice.
    let rows = try await two.read { try Int.fetchAll($0, sql: "SELECT a FROM t") }
    #expect(Set(rows).count == rows.count)
    #expect(rows.contains(last.number) && last.possible.isSuperset(of: rows))
    try one.close()
    try two.close()
  }

  @Test func `nodes over three servers go on while each server is killed`() async throws {
    let cluster = try await OwnThread.run { try EtcdCluster(size: 3) }.value
    let database = UUID().uuidString
    func open(_ name: String) async throws -> ReplicatedDatabase {
      var options = TestNodes.options(name)
      options.electionTimeout = .seconds(3)
      return try await ReplicatedDatabase(
        path: nodes.path(name),
        log: try cluster.log(database),
        options: options
      )
    }
    let one = try await open("one")
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    let two = try await open("two")
    var acknowledged: [Int] = []
    for (round, server) in cluster.servers.enumerated() {
      server.kill()
      for number in (round * 10)..<(round * 10 + 10) {
        for node in [one, two] {
          do {
            try await node.write { db in
              try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
            }
            acknowledged.append(number)
            break
          } catch is ReplicationError {
            continue
          }
        }
      }
      try await OwnThread.run { try cluster.restart(server) }.value
    }
    let last = try await written(one, two)
    for node in [one, two] { try await node.wait(until: last.token, timeout: Patience.limit) }
    try expectEqual(one, two)
    let rows = try await two.read { try Int.fetchAll($0, sql: "SELECT a FROM t") }
    #expect(Set(acknowledged).isSubset(of: rows))
    #expect(Set(acknowledged).count == acknowledged.count)
    try one.close()
    try two.close()
  }

  @Test func `nodes go on when a server is cut off from the others, and read nothing old from it`()
    async throws
  {
    let cluster = try await OwnThread.run { try EtcdCluster(size: 3, isPartitionable: true) }.value
    let network = try #require(cluster.network)
    let database = UUID().uuidString
    func open(_ name: String) async throws -> ReplicatedDatabase {
      var options = TestNodes.options(name)
      options.electionTimeout = .seconds(3)
      return try await ReplicatedDatabase(
        path: nodes.path(name),
        log: try cluster.log(
          database,
          timeouts: EtcdTimeouts(attempt: .milliseconds(500), call: .seconds(4))
        ),
        options: options
      )
    }
    let one = try await open("one")
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    let two = try await open("two")
    for _ in 0..<Soak.size(30, inSuite: 2) {
      let leader = try await OwnThread.run { try #require(try cluster.awaitLeader()) }.value
      network.isolate([leader.name])
      // Most members continue, and clients still reach the isolated member.
      let last = try await written(one, two)
      try await OwnThread.run {
        let alone = try EtcdLog(
          endpoints: [leader.clientURL],
          database: database,
          timeouts: EtcdTimeouts(attempt: .milliseconds(500), call: .milliseconds(500))
        )
        defer { alone.close() }
        // It may still believe that it leads.
        #expect(throws: ReplicationLogError.self) { try alone.tail() }
      }.value
      network.isolate([])
      for node in [one, two] { try await node.wait(until: last.token, timeout: Patience.limit) }
    }
    // Without most of its members, the log takes nothing.
    let before = try await one.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    network.isolate(Set(cluster.servers.map(\.name)))
    for node in [one, two] {
      await #expect(throws: ReplicationError.self) {
        try await node.write { try $0.execute(sql: "INSERT INTO t VALUES (-2)") }
      }
    }
    #expect(try await one.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == before)
    network.isolate([])
    let last = try await written(one, two)
    for node in [one, two] { try await node.wait(until: last.token, timeout: Patience.limit) }
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  @Test func `nodes whose cluster was made again stop by name, and serve reads`() async throws {
    let cluster = try await OwnThread.run { try EtcdCluster(size: 1) }.value
    let database = UUID().uuidString
    var open: [ReplicatedDatabase] = []
    for name in ["one", "two"] {
      open.append(
        try await ReplicatedDatabase(
          path: nodes.path(name),
          log: try cluster.log(
            database,
            timeouts: EtcdTimeouts(attempt: .milliseconds(500), call: .seconds(2))
          ),
          options: TestNodes.options(name)
        )
      )
    }
    try await open[0].write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    try await open[1].catchUp(with: open[0])
    try await OwnThread.run { try cluster.makeAgain() }.value
    for node in open {
      let status = try await node.waitForStatus("the end") { status in
        if case .stopped = status.role { true } else { false }
      }
      guard case .stopped(.log(.anotherLog)) = status.role else {
        Issue.record("it stopped with \(status.role)")
        continue
      }
      #expect(try await node.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    }
    for node in open { try node.close() }
  }

  @Test func `a store that is full takes writes again after the steps of the runbook`()
    async throws
  {
    let cluster = try await OwnThread.run {
      try EtcdCluster(options: ["--quota-backend-bytes", "6291456"])
    }.value
    var options = TestNodes.options("one")
    options.snapshots = .directory(nodes.directory.appendingPathComponent("snapshots").path)
    options.keptEntries = 1
    let one = try await ReplicatedDatabase(
      path: nodes.path("one"),
      log: try cluster.log("shop"),
      options: options
    )
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    // Where a busy server lets a write run into its time limit, the node finds out by itself.
    let end = ContinuousClock.now + Patience.limit
    var isFull = false
    while !isFull, ContinuousClock.now < end {
      do {
        try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (randomblob(400000))") }
      } catch ReplicationError.log(.full) {
        isFull = true
      } catch is ReplicationError {
        isFull = one.status.lastError?.contains("etcdctl defrag") == true
      }
    }
    #expect(isFull)
    try await one.trimLog()
    try await OwnThread.run {
      try cluster.control("defrag")
      try cluster.control("alarm", "disarm")
    }.value
    let deadline = ContinuousClock.now + Patience.limit
    var isWritten = false
    while !isWritten, ContinuousClock.now < deadline {
      do {
        try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        isWritten = true
      } catch is ReplicationError {
        _ = try await one.waitForStatus("the primacy") { $0.role == .primary }
      }
    }
    #expect(isWritten)
    try one.close()
  }

  private struct Written {
    let token: WriteToken
    /// The row that was acknowledged.
    let number: Int
    /// That row, and the rows whose outcome was unknown.
    let possible: Set<Int>
  }

  /// Writes a negative number on the node that is the primary, or becomes it. Each attempt has
  /// its own number.
  private func written(_ nodes: ReplicatedDatabase...) async throws -> Written {
    let deadline = ContinuousClock.now + Patience.limit
    var possible: Set<Int> = []
    var number = 0
    while ContinuousClock.now < deadline {
      for node in nodes {
        number -= 1
        do {
          let token = try await node.writeReturningToken { [number] db in
            try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
          }.token
          return Written(token: token, number: number, possible: possible.union([number]))
        } catch ReplicationError.outcomeUnknown {
          possible.insert(number)
        } catch is ReplicationError {
          try await Task.sleep(for: .milliseconds(5))
        }
      }
    }
    throw ReplicationError.timeout
  }
}
