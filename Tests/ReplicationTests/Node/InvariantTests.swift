import Foundation
import Storage
import Testing
import TestSupport

@testable import Replication

/// The invariants at each moment on all nodes. Other tests have further invariants: only commits
/// that touch its rows run an observation (`NodeObservationTests`), after the first entry of an
/// epoch comes no entry of an earlier epoch (`HistoryTests`), and a log that goes backwards stops
/// the nodes (`FailoverTests`).
@Suite(.patient) struct InvariantTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  private static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a);
    CREATE TABLE n (a, b);
    CREATE TABLE k (a TEXT PRIMARY KEY, b) WITHOUT ROWID;
    """

  private static func insert(_ number: Int, _ node: ReplicatedDatabase) async throws {
    try await node.write { db in
      try db.execute(sql: "INSERT INTO t (a) VALUES (?)", arguments: [number])
      try db.execute(sql: "INSERT INTO n VALUES (NULL, ?)", arguments: [number])
      try db.execute(
        sql: "INSERT OR REPLACE INTO k VALUES (?, ?)",
        arguments: ["\(number % 3)", number]
      )
      try db.execute(sql: "DELETE FROM t WHERE a = ?", arguments: [number - 5])
    }
  }

  private func entries() throws -> [LogEntry] {
    try MemoryLog(sharing: nodes.log).entries(after: .start, limit: .max, waitingUpTo: .zero)
  }

  @Test func `there is one history: each entry names the hash of the one before`() async throws {
    var one = try await nodes.open("one")
    try await one.write { try $0.execute(sql: Self.schema) }
    for round in 0..<Soak.size(50, inSuite: 3) {
      let two = try await nodes.open("two\(round)")
      try await two.catchUp(with: one)
      try one.close()
      try await two.waitForPrimacy()
      try await Self.insert(round, two)
      one = two
    }
    try one.close()
    let entries = try entries()
    var history = try History.genesis(entries[0])
    for (before, entry) in zip(entries, entries.dropFirst()) {
      #expect(try Entry.decode(entry.bytes).entry.previous == Entry.decode(before.bytes).hash)
      _ = try history.accept(entry)
    }
    #expect(history.last.epoch > 3)
  }

  @Test func `a file has its place and its rows at the same moment`() async throws {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await two.catchUp(with: one)
    let count = Soak.size(5_000, inSuite: 100)
    let readings = [one, two].map { node in
      Task {
        var differences: Set<Int> = []
        var rows = 0
        while rows < count {
          let (found, commit) = try await node.read { db in
            let place = try #require(try ReplicationTable.read(db))
            return (try Int.fetchOne(db, sql: "SELECT count(*) FROM t") ?? 0, Int(place.commit))
          }
          rows = found
          differences.insert(commit - found)
        }
        return differences
      }
    }
    for number in 0..<count {
      try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number]) }
    }
    // One commit made the table.
    for reading in readings { #expect(try await reading.value == [1]) }
    try one.close()
    try two.close()
  }

  @Test func `what is committed in any file is in the log`() async throws {
    let log = MemoryLog(sharing: nodes.log)
    let one = try await nodes.openOnlyCandidate("one", log: log)
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: Self.schema) }
    var random = SeededGenerator(seed: 7)
    for number in 0..<Soak.size(2_000, inSuite: 60) {
      if random.chance(20) {
        let fault = random.pick(from: [LogFaults.Appending.answerLost, .requestLost, .late])
        log.faults.appending = [fault]
      }
      do {
        try await Self.insert(number, one)
      } catch is ReplicationError {
        try await one.waitForPrimacy()
      }
      for node in [one, two] {
        let place = try #require(try await node.read(ReplicationTable.read))
        let bytes = try entries()[Int(place.position.sequence) - 1].bytes
        #expect(try Entry.decode(bytes).hash == place.hash)
      }
    }
    try await two.catchUp(with: one)
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  @Test func `what is in the log is in every replica, once and in order, with equal content`()
    async throws
  {
    let one = try await nodes.open("one")
    try await one.write { try $0.execute(sql: Self.schema) }
    try await one.write { try $0.execute(sql: "CREATE TABLE o (a)") }
    let replicas = [
      try await nodes.open("two", role: .replica), try await nodes.open("three", role: .replica),
    ]
    let count = Soak.size(3_000, inSuite: 60)
    for number in 0..<count {
      try await Self.insert(number, one)
      try await one.write { try $0.execute(sql: "INSERT INTO o VALUES (?)", arguments: [number]) }
    }
    for replica in replicas {
      try await replica.catchUp(with: one)
      let rows = try await replica.read { try Int.fetchAll($0, sql: "SELECT a FROM o") }
      #expect(rows == Array(0..<count))
    }
    try expectEqual([one] + replicas)
    for node in [one] + replicas { try node.close() }
  }

  @Test func `what cannot be repeated stops a replica that has no place for snapshots`()
    async throws
  {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica)
    try await one.write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    }
    try await two.catchUp(with: one)
    let last = two.status.applied
    try await one.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (3)") }
    let status = try await two.waitForStatus("the stop") { $0.role != .replica }
    guard case .stopped(.snapshotNeeded(let position)) = status.role else {
      Issue.record("the replica is \(status.role)")
      return
    }
    #expect(position >= last)
    #expect(try await two.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1, 2])
    try one.close()
    try two.close()
  }

  @Test func `a replica whose schema differs stops before it applies anything`() async throws {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await two.catchUp(with: one)
    // Not even a commit of another connection: the file itself differs.
    try two.node.withoutRecording { file in
      try file.write { db in
        try db.execute(sql: "CREATE INDEX i ON t (a)")
        return .commit
      }
    }
    try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    let status = try await two.waitForStatus("the stop") { $0.role != .replica }
    guard case .stopped(.diverged) = status.role else {
      Issue.record("the replica is \(status.role)")
      return
    }
    #expect(try await two.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [])
    try one.close()
    try two.close()
  }
}
