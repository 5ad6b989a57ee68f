import Dispatch
import Foundation
import Storage
import Testing
import TestSupport

@testable import Replication

@Suite(.patient) struct FailoverTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  @Test func `a primary that is stopped inside an append, and overtaken, throws and follows`()
    async throws
  {
    let log = GateLog(MemoryLog(sharing: nodes.log))
    let one = try await ReplicatedDatabase(
      path: nodes.path("one"),
      log: log,
      options: TestNodes.options("one")
    )
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    let two = try await nodes.open("two")
    var expected: [Int] = []
    let gate = DispatchSemaphore(value: 0)
    log.beforeNextAppend { gate.wait() }
    let stopped = Task { try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") } }
    try await two.waitForPrimacy()
    for number in 2...5 {
      try await two.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
      }
      expected.append(number)
    }
    gate.signal()
    // The gate may have held a heartbeat, so that the write came later, and found another primary.
    await #expect(throws: ReplicationError.self) { try await stopped.value }
    try await one.catchUp(with: two)
    #expect(try await one.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == expected)
    try expectEqual(one, two)
    #expect(one.status.role == .replica)
    await #expect(throws: ReplicationError.notPrimary(address: "two")) {
      try await one.write { _ in }
    }
    try one.close()
    try two.close()
  }

  @Test func `two nodes that stop each other have one history`() async throws {
    let logs = (0..<2).map { _ in GateLog(MemoryLog(sharing: nodes.log)) }
    var open: [ReplicatedDatabase] = []
    for (number, log) in logs.enumerated() {
      open.append(
        try await ReplicatedDatabase(
          path: nodes.path("\(number)"),
          log: log,
          options: TestNodes.options("\(number)")
        )
      )
    }
    try await open[0].write { try $0.execute(sql: "CREATE TABLE t (a UNIQUE)") }
    var acknowledged: [Int] = []
    for round in 0..<Soak.size(100, inSuite: 3) {
      let (old, new) = (round % 2, 1 - round % 2)
      try await open[old].waitForPrimacy()
      try await open[new].catchUp(with: open[old])
      let gate = DispatchSemaphore(value: 0)
      logs[old].beforeNextAppend { gate.wait() }
      let node = open[old]
      let stopped = Task {
        try await node.write { db in
          try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [-round - 1])
        }
      }
      try await open[new].waitForPrimacy()
      try await open[new].write { db in
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [round])
      }
      acknowledged.append(round)
      gate.signal()
      await #expect(throws: ReplicationError.self) { try await stopped.value }
    }
    try await open[0].wait(until: open[1].lastToken, timeout: Patience.limit)
    try await open[1].wait(until: open[0].lastToken, timeout: Patience.limit)
    try expectEqual(open[0], open[1])
    let rows = try await open[0].read { try Int.fetchAll($0, sql: "SELECT a FROM t ORDER BY a") }
    #expect(rows == acknowledged)
    for node in open { try node.close() }
  }

  @Test func `of five candidates one becomes the primary, each time the primary ends`()
    async throws
  {
    var options = ["a", "b", "c", "d", "e"].map(TestNodes.options)
    for index in options.indices {
      options[index].heartbeatInterval = .milliseconds(25)
      options[index].electionTimeout = .milliseconds(150)
    }
    var open: [ReplicatedDatabase] = []
    for options in options {
      open.append(try await nodes.open(options.address, options: options))
    }
    let count = Soak.size(1_000, inSuite: 20)
    for round in 0..<count {
      let token = try await written(round, open)
      for node in open { try await node.wait(until: token, timeout: Patience.limit) }
      let index = open.firstIndex { $0.status.role == .primary } ?? 0
      try open[index].close()
      open[index] = try await nodes.open(options[index].address, options: options[index])
    }
    let token = try await written(count, open)
    for node in open { try await node.wait(until: token, timeout: Patience.limit) }
    try expectEqual(open)
    let rows = try await open[0].read { try Int.fetchAll($0, sql: "SELECT a FROM t") }
    #expect(rows == Array(0...count))
    // The history accepts the next epoch only, so each one has one winner.
    let log = MemoryLog(sharing: nodes.log)
    let entries = try log.entries(after: .start, limit: .max, waitingUpTo: .zero)
    var history = try History.genesis(entries[0])
    for entry in entries.dropFirst() { _ = try history.accept(entry) }
    #expect(history.last.epoch > count)
    for node in open { try node.close() }
  }

  /// Writes a row on the node that is the primary, or becomes it.
  private func written(_ number: Int, _ nodes: [ReplicatedDatabase]) async throws -> WriteToken {
    let deadline = ContinuousClock.now + Patience.limit
    while ContinuousClock.now < deadline {
      let primary = try await firstPrimary(of: nodes)
      do {
        return try await primary.writeReturningToken { db in
          try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a)")
          try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
        }.token
      } catch ReplicationError.notPrimary {
        // It was overtaken, and has written nothing.
        continue
      }
    }
    Issue.record("no node could write row \(number) in 20 s")
    throw ReplicationError.timeout
  }

  private func firstPrimary(of nodes: [ReplicatedDatabase]) async throws -> ReplicatedDatabase {
    try await withThrowingTaskGroup(of: ReplicatedDatabase.self) { group in
      for node in nodes {
        group.addTask {
          try await node.waitForPrimacy()
          return node
        }
      }
      defer { group.cancelAll() }
      return try #require(try await group.next())
    }
  }

  @Test func `while the log is away, writes throw and reads go on, and the lag is unknown`()
    async throws
  {
    let log = MemoryLog(sharing: nodes.log)
    let replicaLog = MemoryLog(sharing: nodes.log)
    let one = try await nodes.open("one", log: log)
    let two = try await nodes.open("two", role: .replica, log: replicaLog)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    try await two.catchUp(with: one)
    log.faults.unavailableCalls = .max
    replicaLog.faults.unavailableCalls = .max
    await #expect(throws: ReplicationError.self) {
      try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    }
    let status = try await two.waitForStatus("the end of the connection") { !$0.isConnected }
    #expect(status.lag == nil)
    #expect(status.delay == nil)
    for node in [one, two] {
      #expect(try await node.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    }
    let token = WriteToken(epoch: 1, sequence: one.lastToken.sequence + 1000)
    await #expect(throws: ReplicationError.timeout) {
      try await two.wait(until: token, timeout: .milliseconds(10))
    }
    log.faults.unavailableCalls = 0
    replicaLog.faults.unavailableCalls = 0
    try await one.waitForPrimacy()
    try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (3)") }
    try await two.catchUp(with: one)
    let again = try await two.waitForStatus("the connection") { $0.isConnected }
    #expect(again.reconnects >= 1)
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  @Test func `a node is opened while its log is silent, and serves reads`() async throws {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    try await two.catchUp(with: one)
    try two.close()
    let log = HangingLog(MemoryLog(sharing: nodes.log))
    log.hang()
    let again = try await ReplicatedDatabase(
      path: nodes.path("two"),
      log: log,
      options: TestNodes.options("two")
    )
    #expect(try await again.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    #expect(again.status.role == .replica)
    #expect(!again.status.isConnected)
    #expect(again.status.lag == nil)
    try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    log.goOn()
    try await again.catchUp(with: one)
    try expectEqual(one, again)
    try one.close()
    try again.close()
  }

  @Test(arguments: [
    ReplicationLogError.authentication("the certificate has expired"),
    .unexpected("a proxy answers"), .unavailable("nothing listens"),
  ])
  func `a node is opened while its log refuses it, and says why`(
    error: ReplicationLogError
  ) async throws {
    let one = try await nodes.open("one")
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    try one.close()
    let log = RefusingLog(MemoryLog(sharing: nodes.log), error)
    let again = try await ReplicatedDatabase(
      path: nodes.path("one"),
      log: log,
      options: TestNodes.options("one")
    )
    let status = try await again.waitForStatus("the reason") { $0.lastError != nil }
    #expect(status.lastError == "\(ReplicationError.log(error))")
    #expect(status.role == .replica)
    #expect(try await again.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    // It needs no restart when the reason is gone.
    log.accept()
    try await again.waitForPrimacy()
    try await again.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    try again.close()
  }

  @Test func `a primary that reads its own entry after an outage soon is the primary again`()
    async throws
  {
    let log = MemoryLog(sharing: nodes.log)
    var options = TestNodes.options("one")
    // Longer than the test waits. No heartbeat takes the place of the write.
    options.electionTimeout = .seconds(10_000)
    options.heartbeatInterval = .seconds(60)
    let one = try await nodes.open("one", log: log, options: options)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.appending = [.answerLost]
    await #expect(throws: ReplicationError.self) {
      try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    }
    try await one.waitForPrimacy()
    #expect(try await one.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    try one.close()
  }

  /// A primary that appends its commits only.
  private func openWithoutHeartbeats() async throws -> ReplicatedDatabase {
    var options = TestNodes.options("one")
    options.heartbeatInterval = .seconds(60)
    return try await nodes.open("one", options: options)
  }

  @Test func `a log that has lost entries stops the replica, and the node that opens it`()
    async throws
  {
    let one = try await openWithoutHeartbeats()
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    try await two.catchUp(with: one)
    try one.close()
    let tail = try nodes.log.tail()
    nodes.log.loseEntries(after: LogPosition(tail.sequence - 2))
    let status = try await two.waitForStatus("the end") { $0.role != .replica }
    let lost = ReplicationError.logLost(from: LogPosition(tail.sequence - 1))
    #expect(status.role == .stopped(lost))
    #expect(try await two.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    try two.close()
    let again = try await nodes.open("one")
    let opened = try await again.waitForStatus("the end") { $0.role != .replica }
    #expect(opened.role == .stopped(lost))
    #expect(try await again.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    try again.close()
  }

  @Test func `a primary whose log has lost entries stops writing`() async throws {
    let one = try await openWithoutHeartbeats()
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    let tail = try nodes.log.tail()
    nodes.log.loseEntries(after: LogPosition(tail.sequence - 1))
    await #expect(throws: ReplicationError.self) {
      for number in 0..<100 {
        try await one.write { db in
          try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
        }
      }
    }
    #expect(try await one.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [])
    _ = try await one.waitForStatus("the end") { status in
      if case .stopped = status.role { true } else { false }
    }
    try one.close()
  }
}
