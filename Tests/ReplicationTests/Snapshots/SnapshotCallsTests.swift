import Foundation
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import Replication

@Suite(.patient) struct SnapshotCallsTests {
  /// Tells a test that something has begun.
  private struct Beginning {
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func tell() { continuation.yield() }

    func wait() async { for await _ in stream { return } }
  }

  @Test func `the calling thread gets what a call returns or throws`() async throws {
    try await OwnThread.run { () throws -> Void in
      let calls = SnapshotCalls()
      #expect(try calls.wait { 1 } == 1)
      #expect(throws: ReplicationError.notReplicated) {
        try calls.wait { throw ReplicationError.notReplicated }
      }
    }.value
  }

  @Test func `calls are cancelled at the end, and refused after it`() async throws {
    let calls = SnapshotCalls(grace: .seconds(50))
    let begun = Beginning()
    let call = OwnThread.run {
      try calls.wait {
        begun.tell()
        try await Task.sleep(for: .seconds(1_000))
      }
    }
    await begun.wait()
    calls.end()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(throws: ReplicationError.closed) { try calls.wait { 1 } }
  }

  @Test func `a call that goes on after its cancellation is left`() async throws {
    let calls = SnapshotCalls(grace: .milliseconds(1))
    let begun = Beginning()
    let end = Beginning()
    let call = OwnThread.run {
      try calls.wait {
        begun.tell()
        // Not cancelled with the call.
        await Task.detached { await end.wait() }.value
      }
    }
    await begun.wait()
    calls.end()
    await #expect(throws: ReplicationError.closed) { try await call.value }
    end.tell()
  }

  @Test(arguments: ["put", "get"])
  func `a node that is closed while it makes a snapshot leaves no copy`(step: String) async throws {
    let nodes = try TestNodes()
    let directory = nodes.directory.appendingPathComponent("snapshots").path
    let begun = Beginning()
    var store = SnapshotStore.directory(directory)
    let (put, get) = (store.put, store.get)
    @Sendable func stop() async throws {
      begun.tell()
      try await Task.sleep(for: .seconds(1_000))
    }
    if step == "put" {
      store.put = { _, _ in try await stop() }
    } else {
      store.put = put
      store.get = { name, path in
        try await get(name, path)
        try await stop()
      }
    }
    var options = TestNodes.options("one")
    options.snapshots = store
    options.entriesPerSnapshot = 1
    let node = try await nodes.open("one", options: options)
    try await node.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    await begun.wait()
    let names = try FileManager.default.contentsOfDirectory(atPath: nodes.directory.path)
    #expect(names.contains { $0.contains("-snapshot-") })
    try await OwnThread.run { try node.close() }.value
    let left = try FileManager.default.contentsOfDirectory(atPath: nodes.directory.path)
    #expect(left.filter { $0.contains("-snapshot-") } == [])
    #expect(node.status.lastError == nil)
  }
}
