import Foundation
import Storage
import Testing
import TestSupport

@testable import Replication

/// No space for the file of a node, or for the log.
@Suite(.patient) struct DiskFullTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  /// Sets how many pages the file of a node may have, as a disk does that is full.
  private func limit(_ node: ReplicatedDatabase, pages: Int) throws {
    try node.node.pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA max_page_count = \(pages)")
    }
  }

  private static func insert(_ count: Int, _ node: ReplicatedDatabase) async throws {
    try await node.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (zeroblob(?))", arguments: [count])
    }
  }

  private func sizes(_ node: ReplicatedDatabase) async throws -> [Int] {
    try await node.read { try Int.fetchAll($0, sql: "SELECT length(a) FROM t ORDER BY rowid") }
  }

  @Test func `a full disk of the primary is what it is without replication`() async throws {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try limit(one, pages: 20)
    let error = await #expect(throws: DatabaseError.self) { try await Self.insert(1_000_000, one) }
    #expect(error?.resultCode == .SQLITE_FULL)
    #expect(one.status.role == .primary)
    try await Self.insert(10, one)
    try limit(one, pages: 100_000)
    try await Self.insert(1_000_000, one)
    try await two.catchUp(with: one)
    #expect(try await sizes(two) == [10, 1_000_000])
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  @Test func `a replica with a full disk keeps its place, tries again, and goes on`() async throws {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await Self.insert(10, one)
    try await two.catchUp(with: one)
    try limit(two, pages: 20)
    try await Self.insert(1_000_000, one)
    let status = try await two.waitForStatus("the full disk") { status in
      status.lastError?.contains("full") == true
    }
    #expect(status.role == .replica)
    #expect(try await sizes(two) == [10])
    try limit(two, pages: 100_000)
    try await two.catchUp(with: one)
    #expect(try await sizes(two) == [10, 1_000_000])
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  @Test(.enabled(if: SmallDisk.isPossible, "only an administrator can mount a file system"))
  func `a disk that is full at COMMIT, when the log has the entry, leaves one history`()
    async throws
  {
    let disk = try SmallDisk(kilobytes: 4_096)
    let log = GateLog(MemoryLog(sharing: nodes.log))
    var options = TestNodes.options("one")
    options.heartbeatInterval = .seconds(60)
    let one = try await ReplicatedDatabase(
      path: disk.path + "/one.sqlite",
      log: log,
      options: options
    )
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.afterNextAppend { disk.fill() }
    let error = await #expect(throws: ReplicationError.self) {
      try await Self.insert(300_000, one)
    }
    guard case .outcomeUnknown(let token) = error else {
      Issue.record("the write has thrown \(String(describing: error))")
      return
    }
    try await two.wait(until: token, timeout: Patience.limit)
    #expect(try await sizes(two) == [300_000])
    #expect(try await sizes(one) == [])
    // It cannot write its own entry either, and tries again.
    let full = try await one.waitForStatus("the full disk") { status in
      status.role == .replica && status.lastError?.contains("full") == true
    }
    #expect(full.applied < LogPosition(token.sequence))
    disk.empty()
    try await one.wait(until: token, timeout: Patience.limit)
    #expect(try await sizes(one) == [300_000])
    try await one.waitForPrimacy()
    try await Self.insert(5, one)
    try await two.catchUp(with: one)
    #expect(try await sizes(two) == [300_000, 5])
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  @Test func `a full log refuses writes, keeps its history, and goes on when it has space`()
    async throws
  {
    let log = MemoryLog(sharing: nodes.log)
    let one = try await nodes.open("one", log: log)
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.isFull = true
    await #expect(throws: ReplicationError.self) { try await Self.insert(1, one) }
    #expect(try await sizes(one) == [])
    #expect(try nodes.log.first() == .start.next)
    log.faults.isFull = false
    try await one.waitForPrimacy()
    try await Self.insert(2, one)
    try await two.catchUp(with: one)
    #expect(try await sizes(two) == [2])
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }
}
