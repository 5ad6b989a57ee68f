import Foundation
import Replication
import Storage
import Testing
import TestSupport

/// Reads that show all writes that any caller knows of, and the largest transaction.
@Suite(.patient) struct LatestTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  @Test func `a replica that has waited shows each write that has returned elsewhere`()
    async throws
  {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    for number in 1...100 {
      try await one.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
      }
      for node in [one, two] {
        try await node.waitForLatest(timeout: Patience.limit)
        let last = try await node.read { try Int.fetchOne($0, sql: "SELECT max(a) FROM t") }
        #expect(last == number)
      }
    }
    try one.close()
    try two.close()
  }

  @Test func `a primary that was cut off does not call its content the latest`() async throws {
    let log = HangingLog(MemoryLog(sharing: nodes.log))
    let one = try await ReplicatedDatabase(
      path: nodes.path("one"),
      log: log,
      options: TestNodes.options("one")
    )
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.hang()
    await #expect(throws: ReplicationError.timeout) {
      try await one.waitForLatest(timeout: .milliseconds(50))
    }
    log.goOn()
    try await one.waitForLatest(timeout: Patience.limit)
    try one.close()
  }

  @Test func `a replica whose log does not answer says so`() async throws {
    let log = MemoryLog(sharing: nodes.log)
    let one = try await nodes.open("one", log: log)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.unavailableCalls = .max
    await #expect {
      try await one.waitForLatest(timeout: Patience.limit)
    } throws: { error in
      if case ReplicationError.log(.unavailable) = error { true } else { false }
    }
    try one.close()
  }

  @Test(arguments: [ReplicationPromise.logged, .local])
  func `a transaction beyond the limit throws, and names its size and the limit`(
    promise: ReplicationPromise
  ) async throws {
    var options = TestNodes.options("one")
    options.promise = promise
    options.largestTransaction = 100_000
    let one = try await nodes.open("one", options: options)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    await #expect {
      try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (zeroblob(100000))") }
    } throws: { error in
      guard case ReplicationError.transactionTooLarge(let bytes, 100_000) = error else {
        return false
      }
      return bytes > 100_000 && "\(error)".contains("\(bytes) bytes")
    }
    #expect(try await one.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
    // The node continues.
    _ = try await one.writeReturningToken { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    try one.close()
  }
}
