import Foundation
import Replication
import Storage
import Testing

@Suite(.timeLimit(.minutes(1))) struct NodeObservationTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  @Test func `an observation of a replica gets the commits of the primary`() async throws {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a)") }
    try await two.catchUp(with: one)
    let observation = ValueObservation.tracking { db in
      try Int.fetchAll(db, sql: "SELECT a FROM t")
    }
    var values = observation.values(in: two).makeAsyncIterator()
    #expect(try await values.next() == [])
    try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (1, 10)") }
    #expect(try await values.next() == [10])
    try await one.write { try $0.execute(sql: "UPDATE t SET a = 11") }
    #expect(try await values.next() == [11])
    try one.close()
    try two.close()
  }

  @Test func `commits to other rows, and heartbeats, do not run the query of one row`()
    async throws
  {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica)
    try await one.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a);
          INSERT INTO t VALUES (1, 0), (2, 0);
          """
      )
    }
    try await two.catchUp(with: one)
    let observation = ValueObservation.tracking { db in
      try Row.fetchOne(db, sql: "SELECT a FROM t WHERE id = 1").map { $0["a"] as Int }
    }
    var values = observation.values(in: two).makeAsyncIterator()
    #expect(try await values.next() == .some(0))
    let before = two.observationStatistics
    let count = Soak.count(300, full: 10_000)
    for number in 0..<count {
      try await one.write { db in
        try db.execute(sql: "UPDATE t SET a = ? WHERE id = 2", arguments: [number])
      }
    }
    try await two.catchUp(with: one)
    try await two.quiesce()
    let after = two.observationStatistics
    #expect(after.refetches == before.refetches)
    #expect(after.patches == before.patches)
    try await one.write { try $0.execute(sql: "UPDATE t SET a = 7 WHERE id = 1") }
    #expect(try await values.next() == .some(7))
    try one.close()
    try two.close()
  }

  @Test func `values of an observation never go back, across a failover`() async throws {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two")
    let three = try await nodes.open("three", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (0)") }
    try await three.catchUp(with: one)
    let observation = ValueObservation.tracking { try Int.fetchOne($0, sql: "SELECT a FROM t") }
    let seen = Task {
      var seen: [Int] = []
      for try await value in observation.values(in: three) {
        seen.append(value ?? -1)
        if value == 40 { break }
      }
      return seen
    }
    for number in 1...20 {
      try await one.write { try $0.execute(sql: "UPDATE t SET a = ?", arguments: [number]) }
    }
    try one.close()
    try await two.waitForPrimacy()
    for number in 21...40 {
      try await two.write { try $0.execute(sql: "UPDATE t SET a = ?", arguments: [number]) }
    }
    let values = try await seen.value
    #expect(values == values.sorted())
    #expect(values.last == 40)
    try two.close()
    try three.close()
  }

  @Test func `an observer of transactions works on the primary`() async throws {
    let node = try await nodes.open("one")
    try await node.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    let commits = CountedCommits()
    node.add(transactionObserver: commits)
    for _ in 0..<3 { try await node.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") } }
    #expect(commits.count == 3)
    try node.close()
  }

  /// Counts commits, on the thread of the write.
  private final class CountedCommits: TransactionObserver, @unchecked Sendable {
    private(set) var count = 0
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { count += 1 }
    func databaseDidRollback(_ db: Database) {}
  }
}
