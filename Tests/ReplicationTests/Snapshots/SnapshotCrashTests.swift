import Foundation
import Replication
import Testing
import TestSupport

/// Processes that are killed while they make or take a snapshot, during many writes.
@Suite(.serialized, .patient) struct SnapshotCrashTests {
  typealias Step = SnapshotCrashes.Step

  private static var steps: [Step] {
    Soak.isFull ? Step.allCases : [.insidePut, .afterTrim, .insideInstall]
  }

  @Test func `killed at each step of a snapshot, under many writes, the nodes go on`()
    async throws
  {
    let nodes = try await OwnThread.run { () throws -> NodeProcesses in
      let nodes = try NodeProcesses(
        ["one", "two", "three"],
        servers: 1,
        writers: Soak.size(64, inSuite: 16)
      )
      for name in nodes.names { try nodes.start(name) }
      try nodes.waitForWrite(after: "the start")
      for _ in 0..<Soak.size(5, inSuite: 1) {
        for step in Self.steps {
          if step.isOfPrimary {
            try Self.endPrimary(nodes, at: step)
          } else {
            try Self.endReplica(nodes, at: step)
          }
          for _ in 0..<10 { try nodes.waitForWrite(after: step.rawValue) }
        }
      }
      try nodes.end()
      return nodes
    }.value
    try await nodes.expectOneHistory()
    // The nodes have removed the incomplete snapshots.
    let left = try FileManager.default.contentsOfDirectory(atPath: nodes.directory)
    #expect(left.filter { $0.contains("-snapshot-") } == [])
  }

  private static func endPrimary(_ nodes: NodeProcesses, at step: Step) throws {
    for name in nodes.names { SnapshotCrashes.ask(name, at: step, nodes.snapshots) }
    try nodes.wait("the end at \(step)") {
      nodes.names.contains(where: nodes.hasEnded) ? true : nil
    }
    SnapshotCrashes.forget(step, nodes.names, nodes.snapshots)
    for name in nodes.names where nodes.hasEnded(name) { try nodes.start(name) }
  }

  private static func endReplica(_ nodes: NodeProcesses, at step: Step) throws {
    let primary = try nodes.primary()
    let name = nodes.names.first { $0 != primary.name } ?? ""
    nodes.kill(name)
    let tail = try nodes.primary().sequence
    let log = try nodes.log()
    defer { log.close() }
    try nodes.wait("a log that is trimmed above \(tail)") {
      try log.first().map { $0.sequence > tail } == true ? true : nil
    }
    SnapshotCrashes.ask(name, at: step, nodes.snapshots)
    try nodes.start(name)
    try nodes.wait("the end at \(step)") { nodes.hasEnded(name) ? true : nil }
    try nodes.start(name)
  }
}
