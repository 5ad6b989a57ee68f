import Dispatch
import Foundation
import Replication
import Storage
import Testing
import TestSupport
import WellspringSystem

/// The answers to callers about their commits with `ReplicationPromise.local`.
@Suite(.patient) struct LocalAnswerTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  private func open(
    _ name: String,
    role: ReplicationRole = .automatic,
    log: any ReplicationLog
  ) async throws -> ReplicatedDatabase {
    var options = TestNodes.options(name)
    options.promise = .local
    options.heartbeatInterval = .seconds(60)
    options.longestOutboxTime = .seconds(10_000)
    // Its appends wait for the test, however busy the machine is.
    if name == "one" { options.electionTimeout = .seconds(10_000) }
    options.snapshots = .directory(nodes.directory.appendingPathComponent("snapshots").path)
    return try await ReplicatedDatabase(
      path: nodes.path(name),
      log: AnyLog(log),
      role: role,
      options: options
    )
  }

  private static func insert(_ number: Int, _ node: ReplicatedDatabase) async throws -> WriteToken {
    try await node.writeReturningToken { db in
      try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
    }.token
  }

  private func rows(_ node: ReplicatedDatabase) async throws -> [Int] {
    try await node.read { try Int.fetchAll($0, sql: "SELECT a FROM t ORDER BY a") }
  }

  @Test func `a caller does not wait for the commits after its own`() async throws {
    let log = GateLog(MemoryLog(sharing: nodes.log))
    let one = try await open("one", log: log)
    _ = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
    let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isAppending = Lock(false)
    log.beforeNextAppend {
      isAppending.withLock { $0 = true }
      first.wait()
    }
    log.afterNextAppend { log.beforeNextAppend { second.wait() } }
    let isAnswered = Lock(false)
    let answer = Task {
      defer { isAnswered.withLock { $0 = true } }
      return try await Self.insert(1, one)
    }
    // Before that, one entry could take both commits.
    try await eventually { isAppending.withLock { $0 } }
    try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    first.signal()
    // The entry of the second commit is still on its way.
    try await eventually { isAnswered.withLock { $0 } }
    #expect(one.status.outbox == 1)
    second.signal()
    let token = try await answer.value
    #expect(try nodes.log.tail().sequence >= token.sequence)
    try one.close()
  }

  @Test(arguments: [LogFaults.Appending.answerLost, .requestLost, .late])
  func `an append of unknown outcome is no refusal of the commits that it has`(
    fault: LogFaults.Appending
  ) async throws {
    let log = MemoryLog(sharing: nodes.log)
    let one = try await open("one", log: log)
    _ = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.appending = [fault]
    let two = try await open("two", role: .replica, log: MemoryLog(sharing: nodes.log))
    let tokens = try await withThrowingTaskGroup(of: WriteToken.self) { group in
      for number in 1...16 {
        group.addTask {
          // A write that comes when the node is not the primary has nothing in the file.
          while true {
            do {
              return try await Self.insert(number, one)
            } catch ReplicationError.notPrimary {
              _ = try await one.waitForStatus("the primacy") { $0.role == .primary }
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for token in tokens { try await two.wait(until: token, timeout: Patience.limit) }
    // No row is there twice: a refusal would have made its caller write again.
    #expect(try await rows(two) == Array(1...16))
    try one.close()
    try two.close()
  }

  @Test func `a commit has the token of its entry, though its node has read later ones at once`()
    async throws
  {
    let shared = MemoryLog(sharing: nodes.log)
    let log = GateLog(shared)
    let one = try await open("one", log: log)
    let two = try await open("two", log: MemoryLog(sharing: nodes.log))
    let begin = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
      .token
    try await two.wait(until: begin, timeout: Patience.limit)
    // The log has the entry, but the primary finds this out from the log only, after a failover.
    let gate = DispatchSemaphore(value: 0)
    shared.faults.appending = [.answerLost]
    log.afterNextAppend { gate.wait() }
    let answer = Task { try await Self.insert(1, one) }
    try await two.waitForPrimacy()
    let last = try await Self.insert(2, two)
    gate.signal()
    let token = try await answer.value
    #expect(token == WriteToken(epoch: begin.epoch, sequence: begin.sequence + 1))
    try await one.wait(until: last, timeout: Patience.limit)
    #expect(try await rows(one) == [1, 2])
    try one.close()
    try two.close()
  }

  @Test func `a commit that a failover discards says so, and not that nothing was written`()
    async throws
  {
    let log = GateLog(MemoryLog(sharing: nodes.log))
    let one = try await open("one", log: log)
    let two = try await open("two", log: MemoryLog(sharing: nodes.log))
    let token = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
      .token
    try await two.wait(until: token, timeout: Patience.limit)
    let gate = DispatchSemaphore(value: 0)
    log.beforeNextAppend { gate.wait() }
    let answer = Task { try await Self.insert(77, one) }
    try await two.waitForPrimacy()
    let last = try await Self.insert(1, two)
    gate.signal()
    await #expect(throws: ReplicationError.discardedCommits) { try await answer.value }
    try await one.wait(until: last, timeout: Patience.limit)
    #expect(one.status.discardedCommits != nil)
    #expect(try await rows(one) == [1])
    try one.close()
    try two.close()
  }

  @Test func `a commit that the log does not take is in the file, and its caller knows`()
    async throws
  {
    let log = MemoryLog(sharing: nodes.log)
    let one = try await open("one", log: log)
    _ = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.isFull = true
    await #expect {
      _ = try await Self.insert(1, one)
    } throws: { error in
      if case ReplicationError.notLogged = error { true } else { false }
    }
    #expect {
      _ = try one.writeReturningToken { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    } throws: { error in
      if case ReplicationError.notLogged = error { true } else { false }
    }
    #expect(try await rows(one) == [1, 2])
    log.faults.isFull = false
    _ = try await Self.insert(3, one)
    let two = try await open("two", role: .replica, log: MemoryLog(sharing: nodes.log))
    try await two.catchUp(with: one)
    #expect(try await rows(two) == [1, 2, 3])
    // A write that changes nothing has a token of the state that it has read.
    let token = try await one.writeReturningToken { try Int.fetchOne($0, sql: "SELECT 1") }.token
    #expect(token == one.lastToken)
    try one.close()
    try two.close()
  }
}
