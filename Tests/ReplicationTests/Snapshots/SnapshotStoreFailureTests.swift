import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import Replication

/// Stores that refuse, and stores that hang.
@Suite(.patient) struct SnapshotStoreFailureTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  /// A store in a directory, whose uploads a closure comes before.
  private func store(_ put: @escaping @Sendable () async throws -> Void) -> SnapshotStore {
    let path = nodes.directory.appendingPathComponent("snapshots").path
    var store = SnapshotStore.directory(path)
    let upload = store.put
    store.put = { file, name in
      try await put()
      try await upload(file, name)
    }
    return store
  }

  @Test func `a store that refuses uploads is asked again after growing pauses`() async throws {
    let uploads = Lock(0)
    let isRefused = Lock(true)
    var options = TestNodes.options("one")
    options.heartbeatInterval = .milliseconds(20)
    options.entriesPerSnapshot = 1
    options.snapshots = store {
      uploads.withLock { $0 += 1 }
      if isRefused.withLock({ $0 }) { throw CocoaError(.fileWriteNoPermission) }
    }
    let start = ContinuousClock.now
    let one = try await nodes.open("one", options: options)
    _ = try await one.waitForStatus("the refusal") { $0.lastError != nil }
    // At each of them, a snapshot is due.
    _ = try await one.waitForStatus("heartbeats") { $0.applied.sequence > 150 }
    // Pauses of 1, 2, 4 seconds and so on: the next power of two for each further upload.
    // The time is read after the count, so that it covers all uploads that are counted.
    let count = uploads.withLock { $0 }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    #expect(Double(1 << count) <= (seconds + 1) * 2)
    isRefused.withLock { $0 = false }
    _ = try await one.waitForStatus("a snapshot") { $0.snapshot != nil && $0.isLastErrorOver }
    try one.close()
  }

  @Test func `a store that hangs is given up, and named`() async throws {
    let isHanging = Lock(true)
    var options = TestNodes.options("one")
    options.storeTimeout = .milliseconds(100)
    options.entriesPerSnapshot = 1
    options.snapshots = store {
      // It ends when its task is cancelled, as it has to.
      if isHanging.withLock({ $0 }) { try await Task.sleep(for: .seconds(10_000)) }
    }
    let one = try await nodes.open("one", options: options)
    let status = try await one.waitForStatus("the error") { $0.lastError != nil }
    #expect(status.lastError == ReplicationError.storeTimeout(.milliseconds(100)).description)
    isHanging.withLock { $0 = false }
    options.storeTimeout = .seconds(600)
    try one.close()
    let again = try await nodes.open("one", options: options)
    _ = try await again.waitForStatus("a snapshot") { $0.snapshot != nil }
    try again.close()
  }

  @Test func `a call that ignores its cancellation is given up too`() async throws {
    let calls = SnapshotCalls(limit: .milliseconds(10), grace: .milliseconds(10))
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let call = OwnThread.run {
      try calls.wait { await Task.detached { for await _ in stream {} }.value }
    }
    await #expect(throws: ReplicationError.storeTimeout(.milliseconds(10))) {
      try await call.value
    }
    continuation.finish()
  }

  @Test func `commits that came with a snapshot are not called discarded`() async throws {
    // The primary makes a snapshot while its log does not take its commits.
    let log = MemoryLog(sharing: nodes.log)
    var options = TestNodes.options("one")
    options.promise = .local
    options.heartbeatInterval = .seconds(60)
    options.snapshots = store {}
    options.entriesPerSnapshot = 10
    options.keptEntries = 1
    let one = try await nodes.open("one", log: log, options: options)
    _ = try await one.writeReturningToken { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.isFull = true
    try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (77)") }
    _ = try await OwnThread.run { try one.node.makeSnapshot() }.value
    // While another node takes that snapshot, with the commit in its outbox, the log gets this
    // commit and further commits, and is trimmed: the node needs a second snapshot.
    let isFirst = Lock(true)
    let get = options.snapshots!.get
    options.snapshots!.get = { name, path in
      try await get(name, path)
      let isFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard isFirst else { return }
      log.faults.isFull = false
      for number in 1...5 {
        _ = try await one.writeReturningToken { db in
          try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
        }
      }
      _ = try await OwnThread.run { try one.node.makeSnapshot() }.value
    }
    let two = try await nodes.open("two", role: .replica, options: options)
    try await two.catchUp(with: one)
    #expect(!isFirst.withLock { $0 })
    #expect(try await two.read { try Int.fetchAll($0, sql: "SELECT a FROM t") }.contains(77))
    #expect(two.status.discardedCommits == nil)
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }
}
