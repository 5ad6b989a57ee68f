import Dispatch
import Foundation
import Replication
import Storage
import Testing
import TestSupport
import WellspringSystem

/// Commits that the log gets after the file: `ReplicationPromise.local`.
@Suite(.patient) struct LocalPromiseTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  private func options(_ name: String) -> ReplicationOptions {
    var options = TestNodes.options(name)
    options.promise = .local
    options.longestOutboxTime = .seconds(10_000)
    options.snapshots = .directory(nodes.directory.appendingPathComponent("snapshots").path)
    return options
  }

  private func open(
    _ name: String,
    role: ReplicationRole = .automatic,
    log: (any ReplicationLog)? = nil,
    change: (inout ReplicationOptions) -> Void = { _ in }
  ) async throws -> ReplicatedDatabase {
    var options = options(name)
    change(&options)
    return try await ReplicatedDatabase(
      path: nodes.path(name),
      log: AnyLog(log ?? MemoryLog(sharing: nodes.log)),
      role: role,
      options: options
    )
  }

  /// Lets a primary keep the primacy while a test lets its log wait or fail, however busy the
  /// machine is.
  private static func patient(_ options: inout ReplicationOptions) {
    options.electionTimeout = .seconds(10_000)
  }

  /// The same for a primary that no other node may follow, so that no node needs its heartbeats.
  private static func quiet(_ options: inout ReplicationOptions) {
    patient(&options)
    options.heartbeatInterval = .seconds(60)
  }

  private func rows(_ node: ReplicatedDatabase) async throws -> [Int] {
    try await node.read { try Int.fetchAll($0, sql: "SELECT a FROM t ORDER BY a") }
  }

  private static func insert(_ number: Int, _ node: ReplicatedDatabase) async throws {
    try await node.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
    }
  }

  @Test func `a write returns while its entry is on the way, and replicas get it then`()
    async throws
  {
    let log = GateLog(MemoryLog(sharing: nodes.log))
    let one = try await open("one", log: log, change: Self.quiet)
    let two = try await open("two", role: .replica)
    let token = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
      .token
    try await two.wait(until: token, timeout: Patience.limit)
    let gate = DispatchSemaphore(value: 0)
    log.beforeNextAppend { gate.wait() }
    for number in 1...50 { try await Self.insert(number, one) }
    #expect(try await rows(one) == Array(1...50))
    #expect(try await rows(two) == [])
    #expect(one.status.outbox == 50)
    let before = try nodes.log.tail()
    gate.signal()
    let last = try await one.writeReturningToken {
      try $0.execute(sql: "DELETE FROM t WHERE a = 1")
    }
    .token
    try await two.wait(until: last, timeout: Patience.limit)
    #expect(try await rows(two) == Array(2...50))
    #expect(one.status.outbox == 0)
    #expect(try nodes.log.tail().sequence - before.sequence <= 4)
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  @Test func `commits that a failover discards are in a file, and the nodes are equal`()
    async throws
  {
    let log = MemoryLog(sharing: nodes.log)
    let one = try await open("one", log: log, change: Self.patient)
    let two = try await open("two")
    let token = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
      .token
    try await two.wait(until: token, timeout: Patience.limit)
    let kept = try await one.writeReturningToken { db in
      try db.execute(sql: "INSERT INTO t VALUES (55)")
    }.token
    try await two.wait(until: kept, timeout: Patience.limit)
    log.faults.unavailableCalls = .max
    try await one.write { try $0.execute(sql: "UPDATE t SET a = 66") }
    try await Self.insert(77, one)
    #expect(try await rows(one) == [66, 77])
    try await two.waitForPrimacy()
    try await Self.insert(1, two)
    log.faults.unavailableCalls = 0
    let status = try await one.waitForStatus("the discarded commits") { $0.discardedCommits != nil }
    let text = try String(contentsOfFile: try #require(status.discardedCommits), encoding: .utf8)
    #expect(
      text == """
        commit 1
          before: t row 1 {a: 55}
          update: t row 1 column 1: 66
        commit 2
          insert: t row 2 (77)

        """
    )
    let last = try await two.writeReturningToken { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
      .token
    try await one.wait(until: last, timeout: Patience.limit)
    #expect(try await rows(one) == [1, 2, 55])
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  @Test func `each failover surfaces the commits that it discards`() async throws {
    var primary = try await open("one", log: MemoryLog(sharing: nodes.log))
    _ = try await primary.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
    try primary.close()
    let log = MemoryLog(sharing: nodes.log)
    // It also has to become the primary when the other node could not hand over in time.
    primary = try await open("one", log: log) { $0.electionTimeout = .seconds(20) }
    var discarded: String?
    for round in 1...2 {
      try await primary.waitForPrimacy()
      let other = try await open("two")
      try await other.catchUp(with: primary)
      log.faults.unavailableCalls = .max
      try await Self.insert(round * 10, primary)
      try await other.waitForPrimacy()
      try await Self.insert(round, other)
      log.faults.unavailableCalls = 0
      let last = discarded
      let status = try await primary.waitForStatus("the discarded commits of \(round)") {
        $0.discardedCommits != last
      }
      discarded = status.discardedCommits
      let text = try String(contentsOfFile: try #require(discarded), encoding: .utf8)
      #expect(text.contains("(\(round * 10))"))
      try await primary.catchUp(with: other)
      try other.close()
    }
    #expect(try await rows(primary) == [1, 2])
    try primary.close()
  }

  @Test func `commits of a node that is too far behind are in a file before a snapshot comes`()
    async throws
  {
    let log = MemoryLog(sharing: nodes.log)
    let one = try await open("one", log: log, change: Self.patient)
    let two = try await open("two") { options in
      options.entriesPerSnapshot = 10
      options.keptEntries = 2
    }
    _ = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await two.catchUp(with: one)
    log.faults.unavailableCalls = .max
    try await Self.insert(77, one)
    try one.close()
    try await two.waitForPrimacy()
    for number in 1...40 {
      let token = try await two.writeReturningToken { db in
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
      }.token
      try await two.wait(until: token, timeout: Patience.limit)
    }
    _ = try await two.waitForStatus("a trimmed log") { status in
      (status.snapshot?.sequence ?? 0) > 30
    }
    let again = try await open("one", role: .replica)
    try await again.catchUp(with: two)
    let path = try #require(again.status.discardedCommits)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("(77)"))
    try expectEqual(again, two)
    try again.close()
    try two.close()
  }

  @Test func `commits that were not published are published at the next start`() async throws {
    let log = MemoryLog(sharing: nodes.log)
    let one = try await open("one", log: log, change: Self.patient)
    _ = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.unavailableCalls = .max
    try await Self.insert(1, one)
    try await one.write { try $0.execute(sql: "CREATE TABLE u (b)") }
    try one.close()
    let again = try await open("one")
    try await again.waitForPrimacy()
    let two = try await open("two", role: .replica)
    let token = try await again.writeReturningToken { db in
      try db.execute(sql: "INSERT INTO u VALUES (1)")
    }.token
    try await two.wait(until: token, timeout: Patience.limit)
    #expect(try await rows(two) == [1])
    try expectEqual(again, two)
    try again.close()
    try two.close()
  }

  @Test func `killed after COMMIT and before publishing, the commits are published once`()
    async throws
  {
    let log = GateLog(MemoryLog(sharing: nodes.log))
    let one = try await open("one", log: log, change: Self.quiet)
    _ = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
    let (path, crash) = (nodes.path("one"), nodes.path("crash"))
    let gate = DispatchSemaphore(value: 0)
    let isCopied = Lock(false)
    log.beforeNextAppend {
      gate.wait()
      CrashPointTests.copy(path, to: crash)
      isCopied.withLock { $0 = true }
      // The killed node does not get to its append.
      _ = gate.wait(timeout: .now() + Patience.seconds)
    }
    for number in 1...3 { try await Self.insert(number, one) }
    gate.signal()
    try await eventually { isCopied.withLock { $0 } }
    let crashed = try await open("crash")
    try await crashed.waitForPrimacy()
    _ = try await crashed.writeReturningToken { try $0.execute(sql: "INSERT INTO t VALUES (4)") }
    let two = try await open("two", role: .replica)
    try await two.catchUp(with: crashed)
    #expect(try await rows(two) == [1, 2, 3, 4])
    try expectEqual(crashed, two)
    gate.signal()
    try one.close()
    try crashed.close()
    try two.close()
  }

  @Test func `killed after publishing and before noting it, nothing is published twice`()
    async throws
  {
    let log = GateLog(MemoryLog(sharing: nodes.log))
    let one = try await open("one", log: log, change: Self.quiet)
    _ = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
    let (path, crash) = (nodes.path("one"), nodes.path("crash"))
    log.afterNextAppend { CrashPointTests.copy(path, to: crash) }
    _ = try await one.writeReturningToken { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    try one.close()
    // The commit is in the log, and the file does not know that.
    let waiting = try await DatabaseQueue(path: crash).read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM _replication_outbox")
    }
    #expect(waiting == 1)
    let crashed = try await open("crash")
    try await crashed.waitForPrimacy()
    let two = try await open("two", role: .replica)
    let token = try await crashed.writeReturningToken { db in
      try db.execute(sql: "INSERT INTO t VALUES (2)")
    }.token
    try await two.wait(until: token, timeout: Patience.limit)
    #expect(try await rows(two) == [1, 2])
    try expectEqual(crashed, two)
    try crashed.close()
    try two.close()
  }

  @Test func `an outbox that the log does not take for too long refuses writes`() async throws {
    let log = MemoryLog(sharing: nodes.log)
    let one = try await open("one", log: log) { $0.longestOutboxTime = .milliseconds(200) }
    _ = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.isFull = true
    try await Self.insert(1, one)
    let deadline = ContinuousClock.now + Patience.limit
    await #expect(throws: ReplicationError.outboxIsFull) {
      while ContinuousClock.now < deadline {
        try await one.write { try $0.execute(sql: "UPDATE t SET a = a + 1") }
      }
    }
    log.faults.isFull = false
    _ = try await one.waitForStatus("an empty outbox") { $0.outbox == 0 }
    try await Self.insert(1, one)
    try one.close()
  }

  @Test func `a full outbox refuses writes`() async throws {
    let log = MemoryLog(sharing: nodes.log)
    let one = try await open("one", log: log) { $0.largestOutbox = 3 }
    _ = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.isFull = true
    await #expect(throws: ReplicationError.outboxIsFull) {
      for number in 1...5 { try await Self.insert(number, one) }
    }
    #expect(try await rows(one) == [1, 2, 3])
    log.faults.isFull = false
    _ = try await one.waitForStatus("an empty outbox") { $0.outbox == 0 }
    try await Self.insert(4, one)
    #expect(try await rows(one) == [1, 2, 3, 4])
    try one.close()
  }
}
