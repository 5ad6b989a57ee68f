import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import Replication

/// A status claims only facts that the node knows.
@Suite(.patient) struct StatusTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  private func open(
    _ name: String,
    role: ReplicationRole = .automatic,
    log: any ReplicationLog,
    options: ReplicationOptions? = nil
  ) async throws -> ReplicatedDatabase {
    try await ReplicatedDatabase(
      path: nodes.path(name),
      log: AnyLog(log),
      role: role,
      options: options ?? TestNodes.options(name)
    )
  }

  @Test func `nodes whose log is silent claim neither a connection, nor a lag, nor the primacy`()
    async throws
  {
    let logs = (0..<2).map { _ in HangingLog(MemoryLog(sharing: nodes.log)) }
    let one = try await open("one", log: logs[0])
    let two = try await open("two", role: .replica, log: logs[1])
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await two.catchUp(with: one)
    _ = try await two.waitForStatus("a known lag") { $0.lag == 0 }
    // A node that only comes now becomes the primary, when the first node has said nothing.
    logs.forEach { $0.hang() }
    let three = try await nodes.open("three")
    try await three.waitForPrimacy()
    for node in [one, two] {
      let status = try await node.waitForStatus("the silence") { !$0.isConnected }
      #expect(status.role == .replica)
      #expect(status.lag == nil)
      #expect(status.delay == nil)
      #expect(try #require(status.lastContact) >= .seconds(2))
      #expect(status.lastError?.contains("has not answered") == true)
      #expect(!status.isLastErrorOver)
    }
    // A write does not wait for the log: another node may be the primary.
    await #expect(throws: ReplicationError.notPrimary(address: nil)) {
      try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    }
    try await three.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    logs.forEach { $0.goOn() }
    for node in [one, two] {
      try await node.catchUp(with: three)
      let status = try await node.waitForStatus("a known lag") { $0.lag == 0 }
      #expect(status.isLastErrorOver)
      #expect(try #require(status.lastContact) < Patience.limit)
    }
    try expectEqual(one, two, three)
    for node in [one, two, three] { try node.close() }
  }

  @Test func `the lag is known while entries come all the time`() async throws {
    var options = TestNodes.options("one")
    options.heartbeatInterval = .milliseconds(5)
    let one = try await open("one", log: MemoryLog(sharing: nodes.log), options: options)
    try await one.waitForPrimacy()
    // No wait of this node for the next entry ends without one.
    options.heartbeatInterval = .seconds(600)
    let two = try await open(
      "two",
      role: .replica,
      log: MemoryLog(sharing: nodes.log),
      options: options
    )
    _ = try await two.waitForStatus("a known lag") { $0.lag == 0 }
    try one.close()
    try two.close()
  }

  @Test func `a node that waits for a snapshot says so, and how far it is behind`() async throws {
    var options = TestNodes.options("one")
    options.heartbeatInterval = .seconds(60)
    let one = try await open("one", log: MemoryLog(sharing: nodes.log), options: options)
    options.snapshots = SnapshotStore(
      put: { _, _ in },
      get: { _, _ in },
      names: { [] },
      remove: { _ in }
    )
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    let log = MemoryLog(sharing: nodes.log)
    let two = try await open("two", role: .replica, log: log, options: options)
    try await two.catchUp(with: one)
    let place = two.status.applied
    try two.close()
    for _ in 1...20 { try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") } }
    try nodes.log.trim(below: LogPosition(place.sequence + 10))
    let again = try await open(
      "two",
      role: .replica,
      log: MemoryLog(sharing: nodes.log),
      options: options
    )
    let status = try await again.waitForStatus("the need, and the lag") { status in
      guard case .needsSnapshot(.snapshotNeeded) = status.role else { return false }
      return status.lag == 20
    }
    #expect(status.applied == place)
    try again.close()
    try one.close()
  }

  @Test func `a node that has stopped does not claim to know the log`() async throws {
    let one = try await open("one", log: MemoryLog(sharing: nodes.log))
    let two = try await open("two", role: .replica, log: MemoryLog(sharing: nodes.log))
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await two.catchUp(with: one)
    try one.close()
    nodes.log.loseEntries(after: LogPosition(two.status.applied.sequence - 1))
    let status = try await two.waitForStatus("the end") { status in
      if case .stopped = status.role { true } else { false }
    }
    #expect(!status.isConnected)
    #expect(status.lag == nil)
    #expect(status.delay == nil)
    try two.close()
  }

  @Test func `the last error is a cause, and not the refusal of a write after it`() async throws {
    let log = MemoryLog(sharing: nodes.log)
    var options = TestNodes.options("one")
    options.heartbeatInterval = .seconds(60)
    let one = try await open("one", log: log, options: options)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.appending = [.requestLost]
    log.faults.unavailableCalls = 0
    await #expect(throws: ReplicationError.self) {
      try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    }
    // Writes while the node is not the primary are refused, and change nothing.
    for _ in 1...3 {
      _ = try? await one.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    }
    let status = try await one.waitForStatus("the next primacy") { $0.role == .primary }
    #expect(status.lastError?.contains("did not say") == true)
    #expect(try #require(status.lastErrorAge) < Patience.limit)
    #expect(status.isLastErrorOver)
    try one.close()
  }

  @Test func `ages and times of entries are in milliseconds`() async throws {
    var options = TestNodes.options("one")
    options.snapshots = .directory(nodes.directory.appendingPathComponent("snapshots").path)
    options.entriesPerSnapshot = 1
    let log = MemoryLog(sharing: nodes.log)
    let one = try await open("one", log: log, options: options)
    let two = try await open("two", role: .replica, log: MemoryLog(sharing: nodes.log))
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await two.catchUp(with: one)
    let status = try await one.waitForStatus("a snapshot") { $0.snapshotAge != nil }
    // A clock of the day may have any value, but this process has not run for longer.
    #expect(try #require(status.snapshotAge) < Patience.limit)
    #expect(try #require(two.status.dataAge) < Patience.limit)
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    for logged in try nodes.log.entries(after: .start, limit: 100, waitingUpTo: .zero) {
      let age = now - (try Entry.decode(logged.bytes).entry.time)
      #expect(abs(age) < Int64(Patience.seconds * 1000))
    }
    try one.close()
    try two.close()
  }
}
