import Foundation
import Replication
import Storage
import Testing
import TestSupport
import WellspringSystem

/// The files that a killed primary leaves: another process copies them at that moment, and they are
/// opened as a node.
@Suite(.patient) struct CrashPointTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  /// A primary with one row, which says nothing by itself.
  private func open(_ log: GateLog) async throws -> ReplicatedDatabase {
    var options = TestNodes.options("one")
    options.heartbeatInterval = .seconds(60)
    let node = try await ReplicatedDatabase(path: nodes.path("one"), log: log, options: options)
    try await node.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    return node
  }

  /// Copies the files of a node. A process that opens the files itself would lose its locks.
  static func copy(_ path: String, to other: String) {
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      guard let process = try? Spawn.start(["/bin/cp", path + suffix, other + suffix]) else {
        continue
      }
      Spawn.wait(for: process)
    }
  }

  /// Opens the files of a crash, and expects their rows, also after the node has caught up and
  /// written.
  private func expect(_ rows: [Int], after crash: String) async throws {
    let crashed = try await nodes.open(crash)
    try await crashed.waitForPrimacy()
    #expect(try await crashed.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == rows)
    try await crashed.write { try $0.execute(sql: "INSERT INTO t VALUES (9)") }
    let other = try await nodes.open("other", role: .replica)
    try await other.catchUp(with: crashed)
    try expectEqual(crashed, other)
    #expect(try await other.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == rows + [9])
    try crashed.close()
    try other.close()
  }

  @Test func `killed before the append, nothing has happened`() async throws {
    let memoryLog = MemoryLog(sharing: nodes.log)
    let log = GateLog(memoryLog)
    let node = try await open(log)
    let (path, crash) = (nodes.path("one"), nodes.path("crash"))
    log.beforeNextAppend {
      Self.copy(path, to: crash)
      // The killed node does not get to its append.
      memoryLog.faults.isFull = true
    }
    await #expect(throws: ReplicationError.self) {
      try await node.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    }
    try node.close()
    try await expect([1], after: "crash")
  }

  @Test func `killed after the append and before COMMIT, the node applies its own entry`()
    async throws
  {
    let log = GateLog(MemoryLog(sharing: nodes.log))
    let node = try await open(log)
    let (path, crash) = (nodes.path("one"), nodes.path("crash"))
    log.afterNextAppend { Self.copy(path, to: crash) }
    try await node.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    try node.close()
    // The copy has no second row: its transaction was not committed.
    let copy = nodes.path("look")
    Self.copy(crash, to: copy)
    let look = try DatabaseQueue(path: copy)
    #expect(try await look.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    try look.close()
    try await expect([1, 2], after: "crash")
  }

  @Test func `killed after COMMIT, the node has the commit once`() async throws {
    let log = GateLog(MemoryLog(sharing: nodes.log))
    let node = try await open(log)
    try await node.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    Self.copy(nodes.path("one"), to: nodes.path("crash"))
    try node.close()
    try await expect([1, 2], after: "crash")
  }

  @Test func `after a power cut that lost the last commits, the node catches up before it writes`()
    async throws
  {
    let log = GateLog(MemoryLog(sharing: nodes.log))
    let node = try await open(log)
    Self.copy(nodes.path("one"), to: nodes.path("crash"))
    for number in 2...9 {
      try await node.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
      }
    }
    try node.close()
    try await expect(Array(1...9), after: "crash")
  }

  @Test func `killed after the trim, the node and one that is behind go on`() async throws {
    func options(_ name: String) -> ReplicationOptions {
      var options = TestNodes.options(name)
      options.snapshots = .directory(nodes.directory.appendingPathComponent("snapshots").path)
      options.entriesPerSnapshot = 10
      options.keptEntries = 2
      return options
    }
    let log = GateLog(MemoryLog(sharing: nodes.log))
    let node = try await ReplicatedDatabase(
      path: nodes.path("one"),
      log: log,
      options: options("one")
    )
    try await node.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    let behind = try await nodes.open("behind", role: .replica, options: options("behind"))
    try await behind.catchUp(with: node)
    try behind.close()
    let (path, crash) = (nodes.path("one"), nodes.path("crash"))
    let isCopied = Lock(false)
    log.afterNextTrim {
      Self.copy(path, to: crash)
      isCopied.withLock { $0 = true }
    }
    var rows: [Int] = []
    while !isCopied.withLock({ $0 }) || rows.count < 40 {
      try await node.write { [number = rows.count] db in
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
      }
      rows.append(rows.count)
    }
    try node.close()
    let crashed = try await nodes.open("crash", options: options("crash"))
    try await crashed.waitForPrimacy()
    let again = try await nodes.open("behind", role: .replica, options: options("behind"))
    try await again.catchUp(with: crashed)
    #expect(try await again.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == rows)
    try expectEqual(crashed, again)
    try crashed.close()
    try again.close()
  }

  @Test func `a replica that is killed anywhere goes on at the next entry`() async throws {
    let node = try await nodes.open("one")
    let replica = try await nodes.open("two", role: .replica)
    try await node.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    for number in 0..<Soak.size(200, inSuite: 8) {
      try await node.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
      }
      Self.copy(nodes.path("two"), to: nodes.path("crash\(number)"))
    }
    for number in 0..<Soak.size(200, inSuite: 8) {
      let crashed = try await nodes.open("crash\(number)", role: .replica)
      try await crashed.catchUp(with: node)
      try expectEqual(node, crashed)
      try crashed.close()
    }
    try replica.close()
    try node.close()
  }
}
