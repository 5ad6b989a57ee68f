import Dispatch
import Foundation
import Storage
import Testing
import TestSupport

@testable import Replication

/// A clock that is set back keeps no thread of a node from its work.
@Suite(.patient) struct SteppedClockTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  @Test func `a clock that is set back by an hour delays no heartbeat, commit or snapshot`()
    async throws
  {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    let done = nodes.path("done")
    let directory = nodes.directory
    let library = try await OwnThread.run { try SteppedClock.library(in: directory) }.value
    let process = try Spawn.start(
      [program, "--testing-library", "swift-testing", "--filter", "SteppedClockMain"],
      environment: [SteppedClock.variable: done, "LD_PRELOAD": library]
    )
    defer {
      kill(process, SIGKILL)
      Spawn.wait(for: process)
    }
    try await eventually { FileManager.default.fileExists(atPath: done) }
    let text = try String(contentsOfFile: done, encoding: .utf8)
    #expect(text == "the clock is stepped, and the node works")
  }

  @Test func `a semaphore counts, and its waits end in time`() async throws {
    let semaphore = MonotonicSemaphore()
    #expect(!semaphore.wait(for: .milliseconds(1)))
    #expect(!semaphore.wait(for: .zero))
    semaphore.signal()
    semaphore.signal()
    semaphore.wait()
    #expect(semaphore.wait(for: .zero))
    #expect(!semaphore.wait(for: .zero))
    try await OwnThread.run {
      let answer = MonotonicSemaphore()
      for _ in 1...1000 {
        Thread.detachNewThread { answer.signal() }
        #expect(answer.wait(for: Patience.limit))
      }
    }.value
  }
}

/// The program of the process with the stepped clock. It is not a test.
@Suite(.enabled(if: ProcessInfo.processInfo.environment[SteppedClock.variable] != nil))
struct SteppedClockMain {
  @Test func `a node beside a clock that is set back`() async throws {
    let done = try #require(ProcessInfo.processInfo.environment[SteppedClock.variable])
    // The step affects the waits of Dispatch.
    try await OwnThread.run {
      Thread.detachNewThread {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1))
        try? Data("the clock is not stepped".utf8).write(to: URL(fileURLWithPath: done))
      }
    }.value
    let nodes = try TestNodes()
    var options = TestNodes.options("one")
    options.promise = .local
    options.snapshots = .directory(nodes.directory.appendingPathComponent("snapshots").path)
    options.entriesPerSnapshot = 5
    let log = MemoryLog(sharing: nodes.log)
    let one = try await nodes.open("one", log: log, options: options)
    let two = try await nodes.open("two", role: .replica)
    let start = try nodes.log.tail().sequence
    // Heartbeats, and the snapshots that come after some of them.
    _ = try await two.waitForStatus("heartbeats") { $0.applied.sequence > start + 20 }
    _ = try await one.waitForStatus("a snapshot") { ($0.snapshot?.sequence ?? 0) > start + 5 }
    // A commit that the log has refused is tried again.
    log.faults.unavailableCalls = 3
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    _ = try await one.waitForStatus("an empty outbox") { $0.outbox == 0 }
    try await two.catchUp(with: one)
    try two.close()
    try one.close()
    let text = "the clock is stepped, and the node works"
    let isSpoiled = FileManager.default.fileExists(atPath: done)
    if !isSpoiled { try text.write(toFile: done, atomically: true, encoding: .utf8) }
  }
}
