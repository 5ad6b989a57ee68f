import Foundation
import Replication
import Sharing
import Storage
import Testing
import TestSupport
import WellspringSystem

@Suite(.patient) struct NodeObservationTests {
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
    let count = Soak.size(10_000, inSuite: 300)
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

  @Test func `a shared reader of each node has the value of each commit, across a failover`()
    async throws
  {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two")
    let three = try await nodes.open("three", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (0)") }
    for node in [two, three] { try await node.catchUp(with: one) }
    let readers = [one, two, three].map { node in
      SharedReader(wrappedValue: -1, .fetchOne(sql: "SELECT a FROM t", database: node))
    }
    #expect(readers.map(\.wrappedValue) == [0, 0, 0])
    try await one.write { try $0.execute(sql: "UPDATE t SET a = 1") }
    for reader in readers { try await Self.wait(for: 1, reader) }
    try one.close()
    try await two.waitForPrimacy()
    try await two.write { try $0.execute(sql: "UPDATE t SET a = 2") }
    for reader in readers.dropFirst() { try await Self.wait(for: 2, reader) }
    try two.close()
    try three.close()
  }

  private static func wait(for wanted: Int, _ reader: SharedReader<Int>) async throws {
    for await value in reader.values where value == wanted { return }
    Issue.record("the value \(wanted) did not come")
  }

  @Test func `values of an observation never go back, across a snapshot and a restart`()
    async throws
  {
    func open(_ name: String, _ role: ReplicationRole) async throws -> ReplicatedDatabase {
      var options = TestNodes.options(name)
      options.snapshots = .directory(nodes.directory.appendingPathComponent("snapshots").path)
      options.entriesPerSnapshot = 100_000
      return try await nodes.open(name, role: role, options: options)
    }
    let one = try await open("one", .automatic)
    var two = try await open("two", .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (0)") }
    var seen: [Int] = []
    for round in 1...3 {
      try await two.catchUp(with: one)
      let observation = ValueObservation.tracking { try Int.fetchOne($0, sql: "SELECT a FROM t") }
      var values = observation.values(in: two).makeAsyncIterator()
      // The second change comes with a snapshot, since VACUUM may have changed the row ids.
      try await one.write { try $0.execute(sql: "UPDATE t SET a = a + 1") }
      try await one.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
      try await one.write { try $0.execute(sql: "UPDATE t SET a = a + 1") }
      while let value = try await values.next() {
        seen.append(value ?? -1)
        if value == round * 2 { break }
      }
      try two.close()
      two = try await open("two", .replica)
    }
    #expect(seen == seen.sorted())
    #expect(seen.last == 6)
    try one.close()
    try two.close()
  }

  @Test func `an observer of transactions works on the primary`() async throws {
    let node = try await nodes.open("one")
    try await node.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    let commits = CountedCommits {}
    node.add(transactionObserver: commits)
    for _ in 0..<3 { try await node.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") } }
    #expect(commits.count == 3)
    try node.close()
  }

  @Test func `a replica that applies old entries does not say that it has no lag`() async throws {
    let log = MemoryLog(sharing: nodes.log)
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica, log: log)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await two.catchUp(with: one)
    log.faults.unavailableCalls = .max
    for number in 1...200 {
      try await one.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
      }
    }
    let first = Lock<ReplicationStatus?>(nil)
    let commits = CountedCommits { first.withLock { status in status = status ?? two.status } }
    two.add(transactionObserver: commits)
    log.faults.unavailableCalls = 0
    try await two.catchUp(with: one)
    let status = try #require(first.withLock { $0 })
    #expect(status.lag != 0)
    #expect(try #require(status.delay) > .zero)
    #expect(try #require(status.delay) < Patience.limit)
    _ = try await two.waitForStatus("no lag") { $0.lag == 0 }
    try one.close()
    try two.close()
  }

  /// Counts commits, on the thread of the write.
  private final class CountedCommits: TransactionObserver, @unchecked Sendable {
    private(set) var count = 0
    private let didCommit: () -> Void

    init(_ didCommit: @escaping () -> Void) { self.didCommit = didCommit }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) {
      count += 1
      didCommit()
    }
    func databaseDidRollback(_ db: Database) {}
  }
}
