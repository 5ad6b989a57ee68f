import Foundation
import Replication
import Storage
import Testing
import TestSupport

/// A primary that ends in order leaves no time without a primary.
@Suite(.patient) struct HandOverTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  /// Opens a node that waits longer for a silent primary than the test waits for anything.
  private func open(
    _ name: String,
    role: ReplicationRole = .automatic,
    promise: ReplicationPromise = .logged,
    log: (any ReplicationLog)? = nil
  ) async throws -> ReplicatedDatabase {
    var options = TestNodes.options(name)
    options.electionTimeout = .seconds(10_000)
    options.promise = promise
    return try await ReplicatedDatabase(
      path: nodes.path(name),
      log: AnyLog(log ?? MemoryLog(sharing: nodes.log)),
      role: role,
      options: options
    )
  }

  private static func insert(_ number: Int, _ node: ReplicatedDatabase) async throws {
    try await node.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
    }
  }

  @Test(arguments: [ReplicationPromise.logged, .local])
  func `when a primary is closed, another node is the primary at once, and has all commits`(
    promise: ReplicationPromise
  ) async throws {
    let one = try await open("one", promise: promise)
    let two = try await open("two", promise: promise)
    let three = try await open("three", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    for number in 1...50 { try await Self.insert(number, one) }
    try one.close()
    try await two.waitForPrimacy()
    let token = try await two.writeReturningToken { db in
      try db.execute(sql: "INSERT INTO t VALUES (51)")
    }.token
    try await three.wait(until: token, timeout: Patience.limit)
    let rows = try await three.read { try Int.fetchAll($0, sql: "SELECT a FROM t") }
    #expect(rows == Array(1...51))
    // The closed node continues as a replica.
    let again = try await open("one", promise: promise)
    try await again.wait(until: token, timeout: Patience.limit)
    #expect(again.status.role == .replica)
    #expect(again.status.discardedCommits == nil)
    for node in [again, two, three] { try node.close() }
  }

  @Test func `a primary that resigns goes on as a replica, and its writes throw`() async throws {
    let one = try await open("one")
    let two = try await open("two")
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await two.catchUp(with: one)
    try await one.resign()
    await #expect(throws: ReplicationError.self) { try await Self.insert(1, one) }
    try await two.waitForPrimacy()
    try await Self.insert(2, two)
    try await one.catchUp(with: two)
    #expect(one.status.primaryAddress == "two")
    await #expect(throws: ReplicationError.notPrimary(address: "two")) { try await one.resign() }
    // The way back is as short.
    try await two.resign()
    try await one.waitForPrimacy()
    try await Self.insert(3, one)
    try await two.catchUp(with: one)
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  @Test func `a node that was closed as the primary is the primary again after its start`()
    async throws
  {
    let one = try await open("one")
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try one.close()
    let again = try await open("one")
    try await again.waitForPrimacy()
    try await Self.insert(1, again)
    try again.close()
  }

  @Test func `commits that the log does not take are not left to another node`() async throws {
    let log = MemoryLog(sharing: nodes.log)
    let one = try await open("one", promise: .local, log: log)
    _ = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.isFull = true
    try await Self.insert(1, one)
    await #expect(throws: ReplicationError.self) { try await one.resign() }
    log.faults.isFull = false
    _ = try await one.waitForStatus("an empty outbox") { $0.outbox == 0 }
    #expect(one.status.role == .primary)
    try await one.resign()
    try one.close()
  }

  @Test func `a primary whose log is silent is closed nevertheless`() async throws {
    let log = HangingLog(MemoryLog(sharing: nodes.log))
    let one = try await open("one", log: log)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.hang()
    try await OwnThread.run { try one.close() }.value
    let again = try await open("one")
    #expect(try await again.read { try $0.tableExists("t") })
    try again.close()
  }
}
