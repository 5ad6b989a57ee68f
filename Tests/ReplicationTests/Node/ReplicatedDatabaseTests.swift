import Foundation
import Replication
import Storage
import Testing
import TestSupport

@Suite(.patient) struct ReplicatedDatabaseTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  @Test func `the first node of an empty log writes as soon as it is open`() async throws {
    let node = try await nodes.open("one")
    try await node.write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    }
    #expect(try await node.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    #expect(node.status.role == .primary)
    #expect(node.status.epoch == 1)
    #expect(node.status.lag == 0)
    try node.close()
  }

  @Test func `a replica has what the primary has written, and its place`() async throws {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica)
    try await one.write { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT UNIQUE)")
    }
    var token = one.lastToken
    for number in 0..<20 {
      token = try await one.writeReturningToken { db in
        try db.execute(sql: "INSERT INTO t (a) VALUES (?)", arguments: ["\(number)"])
      }.token
    }
    try await two.wait(until: token, timeout: Patience.limit)
    try expectEqual(one, two)
    #expect(two.status.role == .replica)
    #expect(two.status.primaryAddress == "one")
    try one.close()
    try two.close()
  }

  @Test func `a write on a replica throws the address of the primary`() async throws {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await two.catchUp(with: one)
    let refusal = ReplicationError.notPrimary(address: "one")
    #expect(throws: refusal) { try two.write { _ in } }
    await #expect(throws: refusal) { try await two.write { _ in } }
    #expect(throws: refusal) { try two.writeWithoutTransaction { _ in } }
    #expect(throws: refusal) { try two.barrierWriteWithoutTransaction { _ in } }
    #expect(throws: refusal) { try two.unsafeReentrantWrite { _ in } }
    typealias Updates = @Sendable (Result<Database, any Error>) -> Void
    let writes: [(@escaping Updates) -> Void] = [
      { two.asyncWriteWithoutTransaction($0) }, { two.asyncBarrierWriteWithoutTransaction($0) },
    ]
    for write in writes {
      let error = await withCheckedContinuation { continuation in
        write { result in
          var error: (any Error)?
          if case .failure(let failure) = result { error = failure }
          continuation.resume(returning: error as? ReplicationError)
        }
      }
      #expect(error == refusal)
    }
    // A type-erased node reaches the connection without the node.
    #expect(throws: refusal) {
      try AnyDatabaseWriter(two).write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    }
    #expect(try await two.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
    try one.close()
    try two.close()
  }

  @Test func `the other node takes over when the primary ends`() async throws {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two")
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    try one.close()
    try await two.waitForPrimacy()
    try await two.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    #expect(try await two.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1, 2])
    #expect(two.status.epoch == 2)
    let again = try await nodes.open("one")
    try await again.catchUp(with: two)
    try expectEqual(two, again)
    #expect(again.status.role == .replica)
    try two.close()
    try again.close()
  }

  @Test func `an append that fails rolls the write back, and the primary goes on`() async throws {
    let log = MemoryLog(sharing: nodes.log)
    let node = try await nodes.open("one", log: log)
    try await node.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.isFull = true
    await #expect(throws: ReplicationError.self) {
      try await node.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    }
    #expect(try await node.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [])
    log.faults.isFull = false
    try await node.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    #expect(try await node.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [2])
    #expect(node.status.epoch == 1)
    try node.close()
  }

  @Test func `a lost answer is an unknown outcome, and the token tells the outcome`() async throws {
    let log = MemoryLog(sharing: nodes.log)
    let node = try await nodes.open("one", log: log)
    try await node.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.appending = [.answerLost]
    var token: WriteToken?
    do {
      try await node.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    } catch ReplicationError.outcomeUnknown(let unknown) {
      token = unknown
    }
    try await node.wait(until: try #require(token), timeout: Patience.limit)
    #expect(try await node.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    try await node.waitForPrimacy()
    try await node.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    #expect(node.status.epoch == 2)
    try node.close()
  }

  @Test func `the token of a write that the log does not have is discarded`() async throws {
    let log = MemoryLog(sharing: nodes.log)
    var options = TestNodes.options("one")
    options.heartbeatInterval = .seconds(60)
    let node = try await nodes.open("one", log: log, options: options)
    try await node.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.appending = [.requestLost]
    var token: WriteToken?
    do {
      try await node.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    } catch ReplicationError.outcomeUnknown(let unknown) {
      token = unknown
    }
    let unknown = try #require(token)
    await #expect(throws: ReplicationError.discardedToken(unknown)) {
      try await node.wait(until: unknown, timeout: Patience.limit)
    }
    #expect(try await node.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [])
    try node.close()
  }

  @Test func `a wait for a token that does not come times out`() async throws {
    let node = try await nodes.open("one")
    let token = WriteToken(epoch: 1, sequence: 1_000_000)
    await #expect(throws: ReplicationError.timeout) {
      try await node.wait(until: token, timeout: .milliseconds(20))
    }
    try node.close()
    await #expect(throws: ReplicationError.closed) {
      try await node.wait(until: token, timeout: Patience.limit)
    }
  }

  @Test func `a node that is opened again continues from its place`() async throws {
    var node = try await nodes.openOnlyCandidate("one")
    try await node.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    for number in 1...5 {
      try node.close()
      node = try await nodes.openOnlyCandidate("one")
      try await node.waitForPrimacy()
      try await node.write { try $0.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number]) }
    }
    #expect(
      try await node.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1, 2, 3, 4, 5]
    )
    #expect(node.status.epoch == 6)
    try node.close()
  }

  @Test func `a file of its own cannot follow another history`() async throws {
    let one = try await nodes.open("one")
    let pool = try DatabasePool(path: nodes.path("two"))
    try await pool.write { try $0.execute(sql: "CREATE TABLE other (a)") }
    try pool.close()
    await #expect(throws: ReplicationError.foreignFile) { _ = try await nodes.open("two") }
    try one.close()
  }
}
