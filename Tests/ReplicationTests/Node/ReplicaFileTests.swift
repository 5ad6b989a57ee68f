import Dispatch
import Foundation
import Storage
import Testing
import WellspringSystem

@testable import Replication

@Suite struct ReplicaFileTests {
  @Test func `a file repeats a history, and knows its place in the same transaction`() throws {
    let node = try Node()
    _ = try node.log { primacy in
      _ = try primacy.commit(sql("CREATE TABLE t (a)"), sql("INSERT INTO t VALUES (1)"))
      _ = try primacy.commit(sql("INSERT INTO t VALUES (2)"))
    }
    let last = try node.follow()
    #expect(try node.values() == [1, 2])
    #expect(try node.file.place() == last)
  }

  @Test func `the place is not read while a commit is under way`() throws {
    let node = try Node()
    try node.log { primacy in _ = try primacy.commit(sql("CREATE TABLE t (a)")) }
    let place = try node.follow()
    let isWriting = DispatchSemaphore(value: 0)
    let mayCommit = DispatchSemaphore(value: 0)
    let isReading = DispatchSemaphore(value: 0)
    let file = node.file
    let found = Lock<HistoryPosition?>(nil)
    let (hasWritten, hasRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      try? file.pool.write { db in
        try db.execute(sql: "UPDATE _replication SET sequence = sequence + 1")
        isWriting.signal()
        mayCommit.wait()
      }
      hasWritten.signal()
    }
    isWriting.wait()
    Thread.detachNewThread {
      isReading.signal()
      let place = try? file.place()
      found.withLock { $0 = place }
      hasRead.signal()
    }
    isReading.wait()
    mayCommit.signal()
    hasWritten.wait()
    hasRead.wait()
    #expect(found.withLock { $0?.position } == place.position.next)
  }

  @Test func `steps that come twice are in the file once`() throws {
    let node = try Node()
    _ = try node.log { primacy in
      _ = try primacy.commit(sql("CREATE TABLE t (a)"), sql("INSERT INTO t VALUES (1)"))
    }
    var follower = LogFollower(node.log, from: node.begin.last)
    let steps = try follower.next(limit: 10, waitingUpTo: .zero)
    for _ in 0..<3 { try node.file.apply(steps) }
    #expect(try node.values() == [1])
  }

  @Test func `a transaction that cannot be repeated leaves the file as it was`() throws {
    let node = try Node()
    try node.log { primacy in
      _ = try primacy.commit(sql("CREATE TABLE t (a)"))
    }
    let place = try node.follow()
    try node.log { primacy in
      _ = try primacy.commit(sql("INSERT INTO t VALUES (1)"))
      _ = try primacy.commit(sql("INSERT INTO missing VALUES (1)"))
    }
    #expect(throws: DatabaseError.self) { try node.follow() }
    #expect(try node.values() == [])
    #expect(try node.file.place() == place)
  }

  @Test func `a step that needs a snapshot stops the file after the steps before it`() throws {
    let node = try Node()
    try node.log { primacy in
      _ = try primacy.commit(sql("CREATE TABLE t (a)"), sql("INSERT INTO t VALUES (1)"))
      _ = try primacy.append(.snapshotNeeded, commits: 1, fingerprint: [], time: 0)
      _ = try primacy.commit(sql("INSERT INTO t VALUES (2)"))
    }
    #expect(throws: ReplicationError.snapshotNeeded(after: LogPosition(3))) { try node.follow() }
    #expect(try node.values() == [1])
  }

  @Test func `a file with the first commits of a batch repeats the others only`() throws {
    let node = try Node()
    try node.log { primacy in _ = try primacy.commit(sql("CREATE TABLE t (a)")) }
    try node.follow()
    let inserts = (1...3).map { sql("INSERT INTO t VALUES (\($0))") }
    try node.log { primacy in _ = try primacy.commit(inserts[0], inserts[1], inserts[2]) }
    // A snapshot that was made after two commits has both, and its outbox names them.
    try node.commitOutside(inserts[0], inserts[1])
    try node.follow()
    #expect(try node.values() == [1, 2, 3])
    #expect(try node.file.pool.read(Outbox.count) == 0)
  }

  @Test func `commits that are not the first ones of the next batch are discarded`() throws {
    let node = try Node()
    try node.log { primacy in _ = try primacy.commit(sql("CREATE TABLE t (a)")) }
    try node.follow()
    let inserts = (1...3).map { sql("INSERT INTO t VALUES (\($0))") }
    try node.log { primacy in _ = try primacy.commit(inserts[0], inserts[1]) }
    try node.commitOutside(inserts[0], inserts[2], sql("INSERT INTO t VALUES (4)"))
    #expect(throws: ReplicationError.discardedCommits) { try node.follow() }
    #expect(try node.values() == [1, 3, 4])
    #expect(try node.file.pool.read(Outbox.all).map(\.body).count == 3)
  }

  @Test func `an observation of the file gets the value of a repeated commit`() async throws {
    let node = try Node()
    try node.log { primacy in
      _ = try primacy.commit(sql("CREATE TABLE t (a)"))
    }
    try node.follow()
    let observation = ValueObservation.tracking { db in
      try Int.fetchAll(db, sql: "SELECT a FROM t")
    }
    var values = observation.values(in: node.file.pool).makeAsyncIterator()
    #expect(try await values.next() == [])
    try node.log { primacy in _ = try primacy.commit(sql("INSERT INTO t VALUES (7)")) }
    try node.follow()
    #expect(try await values.next() == [7])
  }

  private func sql(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// A log, and a file that repeats transactions that are SQL.
  private final class Node {
    let log = ScriptedLog()
    let begin: History
    let file: ReplicaFile
    private let directory: URL

    init() throws {
      directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("replica-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      begin = try beginHistory(in: log)
      file = ReplicaFile(
        pool: try DatabasePool(path: directory.appendingPathComponent("db.sqlite").path)
      ) { transactions, db in
        for transaction in transactions {
          try db.execute(sql: String(decoding: transaction, as: UTF8.self))
        }
      }
      try file.begin(at: begin.last)
    }

    deinit {
      try? file.pool.close()
      try? FileManager.default.removeItem(at: directory)
    }

    /// Becomes the primary in a new epoch, and appends.
    func log(_ append: (inout Primacy) throws -> Void) throws {
      var follower = LogFollower(log, from: begin.last)
      _ = try follower.next(limit: 100, waitingUpTo: .zero)
      var primacy = try wonPrimacy(of: log, after: follower.history)
      try append(&primacy)
    }

    /// Repeats the entries of the log, from the place of the file on.
    @discardableResult
    func follow() throws -> HistoryPosition {
      let place = try #require(try file.place())
      var follower = LogFollower(log, from: place)
      try file.apply(try follower.next(limit: 100, waitingUpTo: .zero))
      return follower.history.last
    }

    /// Commits to the file as a primary does whose log does not answer yet.
    func commitOutside(_ commits: [UInt8]...) throws {
      for commit in commits {
        try file.pool.write { db in
          try db.execute(sql: String(decoding: commit, as: UTF8.self))
          let number = (try Outbox.numbers(db)?.upperBound ?? 0) + 1
          try Outbox.append(
            number,
            commit,
            fingerprint: [],
            snapshotReason: nil,
            rowsBefore: "",
            db
          )
        }
      }
    }

    func values() throws -> [Int] {
      try file.pool.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a") }
    }
  }
}
