import Foundation
import Replication
import Storage
import Testing
import TestSupport
import WellspringSystem

/// Snapshots that a node asks for.
@Suite(.patient) struct SnapshotRequestTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  private var directory: String { nodes.directory.appendingPathComponent("snapshots").path }

  @Test func `a failover alone makes no snapshot`() async throws {
    let looks = Lock(0)
    let uploads = Lock(0)
    func options(_ name: String) -> ReplicationOptions {
      var options = TestNodes.options(name)
      var store = SnapshotStore.directory(directory)
      let (put, names) = (store.put, store.names)
      store.put = { path, name in
        uploads.withLock { $0 += 1 }
        try await put(path, name)
      }
      store.names = {
        looks.withLock { $0 += 1 }
        return try await names()
      }
      options.snapshots = store
      return options
    }
    let one = try await nodes.open("one", options: options("one"))
    let two = try await nodes.open("two", options: options("two"))
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await two.catchUp(with: one)
    try one.close()
    looks.withLock { $0 = 0 }
    try await two.waitForPrimacy()
    // It has checked whether a node asks, and has continued.
    try await eventually { looks.withLock { $0 } >= 2 }
    #expect(uploads.withLock { $0 } == 0)
    #expect(two.status.snapshot == nil)
    try two.close()
  }

  @Test func `a node that waits for a snapshot gets it, and its request is removed`() async throws {
    var options = TestNodes.options("one")
    options.snapshots = .directory(directory)
    options.keptEntries = 1
    let one = try await nodes.open("one", options: options)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    let two = try await nodes.open("two", role: .replica, options: options)
    try await two.catchUp(with: one)
    // No snapshot was made so far, so the damaged node has nothing to take.
    let other = try DatabaseQueue(path: two.path)
    try await other.write { try $0.execute(sql: "INSERT INTO t VALUES (99)") }
    try other.close()
    try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    try await two.catchUp(with: one)
    #expect(try await two.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    try expectEqual(one, two)
    let directory = directory
    try await eventually {
      let names = try? FileManager.default.contentsOfDirectory(atPath: directory)
      return names?.contains { $0.contains("wanted") } == false
    }
    try one.close()
    try two.close()
  }
}
