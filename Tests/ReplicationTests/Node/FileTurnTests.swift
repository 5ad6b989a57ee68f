import Foundation
import Replication
import Storage
import Testing
import TestSupport

/// One node at a time has a file.
@Suite(.patient) struct FileTurnTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  @Test func `a file has one node of a process, until that one is closed`() async throws {
    let one = try await nodes.open("one")
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    let link = nodes.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: one.path)
    for name in ["one", "link"] {
      await #expect {
        _ = try await nodes.open(name)
      } throws: { error in
        guard case ReplicationError.fileInUse(let owner) = error else { return false }
        return owner.contains("process \(getpid()) ")
      }
    }
    // The attempts have left the node as it was.
    try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    try one.close()
    let again = try await nodes.open("link")
    #expect(try await again.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    try again.close()
  }

  // A child process has copies of all descriptors from its fork to its exec.
  @Test func `a copy of the descriptor does not keep the file from the next node`() async throws {
    let one = try await nodes.open("one")
    let path = one.path + "-node"
    let manager = FileManager.default
    let names = try manager.contentsOfDirectory(atPath: "/proc/self/fd")
    let number = names.first { name in
      (try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == path
    }
    let copy = dup(try #require(number.flatMap { Int32($0) }))
    defer { Foundation.close(copy) }
    try one.close()
    let again = try await nodes.open("one")
    try again.close()
  }

  @Test func `a survivor does not take a file that has a node`() async throws {
    let one = try await nodes.open("one")
    var options = TestNodes.options("one")
    options.snapshots = .directory(nodes.directory.appendingPathComponent("snapshots").path)
    await #expect {
      _ = try await ReplicatedDatabase(
        survivor: nodes.path("one"),
        log: MemoryLog(sharing: nodes.log),
        options: options
      )
    } throws: { error in
      if case ReplicationError.fileInUse = error { true } else { false }
    }
    try one.close()
  }

  @Test func `another process is named while it has the file, also when it is to be killed`()
    async throws
  {
    let processes = try await OwnThread.run {
      let processes = try NodeProcesses(["one"], servers: 1)
      try processes.start("one")
      try processes.waitForWrite(after: "its start")
      return processes
    }.value
    let process = try #require(processes.process("one"))
    await #expect {
      _ = try await processes.openAll()
    } throws: { error in
      guard case ReplicationError.fileInUse(let owner) = error else { return false }
      return owner.contains("process \(process) ")
    }
    try await OwnThread.run { processes.kill("one") }.value
    for node in try await processes.openAll() { try node.close() }
  }
}
