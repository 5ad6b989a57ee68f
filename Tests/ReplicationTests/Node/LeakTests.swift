import Foundation
import Storage
import Testing
import TestSupport

@testable import Replication

/// Logs and nodes leave nothing behind after they are closed.
@Suite(.serialized, .patient) struct LeakTests {
  @Test func `1,000 connections to a log in memory leave no waiting readers`() throws {
    let log = MemoryLog()
    for number in 0..<1000 {
      let other = MemoryLog(sharing: log)
      _ = try other.append([1], expecting: LogPosition(Int64(number)))
      let found = try other.entries(
        after: LogPosition(Int64(number + 1)),
        limit: 1,
        waitingUpTo: .microseconds(10)
      )
      #expect(found == [])
      other.close()
      #expect(NamedFailure { _ = try other.tail() }.name == "closed")
    }
    #expect(log.waiterCount == 0)
  }

  @Test func `nodes that open and close leave no descriptors, threads and objects`() async throws {
    let nodes = try TestNodes()
    let one = try await nodes.open("one")
    try await one.waitForPrimacy()
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    let threads = Self.threads()
    var closed: [WeakNode] = []
    // So many rounds that one leaked thread of each would exceed the threads of the tests beside
    // it.
    for round in 1...Soak.size(1000, inSuite: 100) {
      let two = try await nodes.open("two", role: .replica)
      if round.isMultiple(of: 10) {
        try await two.catchUp(with: one)
        #expect(try await two.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 1)
      }
      try two.close()
      closed.append(WeakNode(node: two.node))
    }
    #expect(nodes.openFiles(of: "two") == [])
    #expect(Self.threads() < threads + 50)
    // The threads of the last nodes may still hold them.
    #expect(closed.count { $0.node != nil } < 20)
    try one.close()
    #expect(nodes.openFiles(of: "one") == [])
  }

  private struct WeakNode { weak var node: Node? }

  private static func threads() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
  }
}

extension TestNodes {
  /// The files of a node that this process has open.
  fileprivate func openFiles(of name: String) -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return all.compactMap { number in
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
    }.filter { $0.hasPrefix(path(name)) }.sorted()
  }
}
