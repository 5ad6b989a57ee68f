import CWellspringSQLite
import Foundation
import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

/// The number of a snapshot is the number of its last commit. A snapshot is exact if it is known to
/// contain no other commits.
@Suite struct SnapshotSourceTests {
  /// The result of a read.
  private struct Reading: Equatable, Sendable {
    /// The number of items.
    let count: Int
    let number: CommitNumber
    let isExact: Bool

    init(count: Int, number: CommitNumber, isExact: Bool) {
      self.count = count
      self.number = number
      self.isExact = isExact
    }

    init(_ db: Database, _ number: CommitNumber, _ isExact: Bool) throws {
      count = try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
      self.number = number
      self.isExact = isExact
    }
  }

  private func read(_ source: SnapshotSource) throws -> Reading {
    let (reading, number) = try source.read { try Reading($0, $1, $2) }
    #expect(reading.number == number)
    return reading
  }

  /// Makes the present commits the known ones, as the first observation does. No monitor looks for
  /// foreign commits then.
  private func observe(_ core: DatabaseCore) throws {
    core.broker.commits.addObserver()
    try core.writing.queue.access(.write) { db in db.changeTracker.writerCommits.adopt(db) }
  }

  /// Commits through a connection outside the library.
  private func commitForeign(_ sql: String, to path: String) {
    var connection: OpaquePointer?
    let opened = sqlite3_open(path, &connection)
    let committed = sqlite3_exec(connection, sql, nil, nil, nil)
    #expect(opened == SQLITE_OK)
    #expect(committed == SQLITE_OK)
    sqlite3_close(connection)
  }

  private static let insertion = "INSERT INTO item VALUES (3, 'jug', 6)"

  // MARK: Numbers

  @Test func `a snapshot has the number of the last commit`() throws {
    let shop = try Shop()
    let source = shop.pool.core.broker.snapshots
    let before = try read(source)
    #expect(before.count == 2)
    try shop.pool.write { db in try db.execute(sql: Self.insertion) }
    let after = Reading(count: 3, number: before.number.next, isExact: false)
    #expect(try read(source) == after)
    struct Undone: Error {}
    #expect(throws: Undone.self) {
      try shop.pool.write { db in
        try db.execute(sql: "DELETE FROM item")
        throw Undone()
      }
    }
    #expect(try read(source) == after)
  }

  @Test func `a commit during a read is neither in the snapshot nor in its number`() throws {
    let shop = try Shop()
    let (pool, source) = (shop.pool, shop.pool.core.broker.snapshots)
    let before = try read(source)
    let (counts, number) = try source.read { db, number, isExact in
      let first = try Reading(db, number, isExact).count
      try pool.write { db in try db.execute(sql: Self.insertion) }
      return [first, try Reading(db, number, isExact).count]
    }
    #expect(counts == [2, 2])
    #expect(number == before.number)
    #expect(try read(source) == Reading(count: 3, number: before.number.next, isExact: false))
  }

  // MARK: Commits while a snapshot is taken

  /// A shop with one reader, so that all reads have the same connection.
  private func shopWithOneReader() throws -> Shop {
    var configuration = Configuration.patient
    configuration.maximumReaderCount = 1
    return try Shop(configuration)
  }

  /// Calls each action when the only reader of a pool first runs a statement.
  private func trace(_ pool: DatabasePool, _ actions: [String: () throws -> Void]) throws {
    try pool.unsafeRead { db in
      var rest = actions
      db.trace { event in
        guard let action = rest.removeValue(forKey: event.description) else { return }
        #expect(throws: Never.self, performing: action)
      }
    }
  }

  /// Reads, and returns the result of each call of the body.
  private func calls(_ source: SnapshotSource) throws -> [Reading] {
    let calls = Lock<[Reading]>([])
    _ = try source.read { db, number, isExact in
      let reading = try Reading(db, number, isExact)
      calls.withLock { $0.append(reading) }
    }
    return calls.withLock { $0 }
  }

  @Test func `a snapshot that a commit overtook is dropped before the body runs`() throws {
    let shop = try shopWithOneReader()
    let (pool, source) = (shop.pool, shop.pool.core.broker.snapshots)
    let before = try read(source)
    // The transaction has begun, and has no snapshot yet.
    try trace(
      pool,
      ["BEGIN DEFERRED": { try pool.write { db in try db.execute(sql: Self.insertion) } }]
    )
    let expected = Reading(count: 3, number: before.number.next, isExact: false)
    #expect(try calls(source) == [expected])
  }

  @Test func `a snapshot during which a commit began is dropped before the body runs`() throws {
    let shop = try shopWithOneReader()
    let source = shop.pool.core.broker.snapshots
    let before = try read(source)
    try trace(
      shop.pool,
      [
        "BEGIN DEFERRED": { _ = source.commits.withLedger { $0.begin(nil, writer: nil) } },
        // The end of the dropped snapshot.
        "COMMIT": { Self.endCommit(source.commits) },
      ]
    )
    let expected = Reading(count: 2, number: before.number.next, isExact: false)
    #expect(try calls(source) == [expected])
  }

  /// Ends a commit that began without a writer.
  private static func endCommit(_ commits: FileCommits) {
    _ = commits.commitDidEnd(.everything, index: nil, hasWritten: false, writer: nil)
  }

  @Test func `a read waits for the end of a commit`() throws {
    let shop = try Shop()
    let source = shop.pool.core.broker.snapshots
    let before = try read(source)
    _ = source.commits.withLedger { $0.begin(nil, writer: nil) }
    Thread.detachNewThread { Self.endCommit(source.commits) }
    #expect(try read(source).number == before.number.next)
  }

  // The read stops waiting after a second.
  @Test func `a commit that does not end is not in the number, and makes the snapshot inexact`()
    async throws
  {
    let shop = try Shop()
    let source = shop.pool.core.broker.snapshots
    try observe(shop.pool.core)
    let before = try read(source)
    #expect(before.isExact)
    _ = source.commits.withLedger { $0.begin(nil, writer: nil) }
    let (isExact, number) = try await OwnThread.run {
      try source.read { _, _, isExact in isExact }
    }.value
    #expect(!isExact)
    #expect(number == before.number)
    Self.endCommit(source.commits)
    #expect(try read(source) == Reading(count: 2, number: before.number.next, isExact: true))
  }

  // MARK: Exactness

  @Test func `with a WAL, a snapshot is exact unless it has a foreign commit that was not found`()
    throws
  {
    let shop = try Shop()
    let source = shop.pool.core.broker.snapshots
    #expect(try read(source).isExact == false)
    try observe(shop.pool.core)
    let first = try read(source)
    #expect(first.isExact)
    try shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    let second = Reading(count: 1, number: first.number.next, isExact: true)
    #expect(try read(source) == second)
    commitForeign(Self.insertion, to: shop.path)
    #expect(try read(source) == Reading(count: 2, number: second.number, isExact: false))
    _ = try source.readers.access(.read) { db in source.commits.checkIndex(db) }
    #expect(try read(source) == Reading(count: 2, number: second.number.next, isExact: true))
  }

  @Test func `without a WAL, so is the snapshot of the connection that reads and writes`() throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    let queue = try DatabaseQueue(path: path, configuration: .patient)
    let source = queue.core.broker.snapshots
    try queue.write { db in try db.execute(sql: Item.schema) }
    try observe(queue.core)
    let first = try read(source)
    #expect(first.isExact)
    try queue.write { db in try Item.cup.insert(db) }
    let second = Reading(count: 1, number: first.number.next, isExact: true)
    #expect(try read(source) == second)
    commitForeign(Self.insertion, to: path)
    #expect(try read(source) == Reading(count: 2, number: second.number, isExact: false))
    try queue.writeWithoutTransaction { db in
      let tracker = db.changeTracker
      _ = tracker.writerCommits.check(db, notifying: tracker.listener)
    }
    #expect(try read(source) == Reading(count: 2, number: second.number.next, isExact: true))
  }

  @Test(arguments: [nil, "the snapshots of a source"])
  func `in memory, a snapshot is exact if no other connection can open the database`(
    name: String?
  ) throws {
    let queue = try DatabaseQueue(named: name)
    let source = queue.core.broker.snapshots
    let before = source.commits.withLedger { $0.position.number }
    try queue.write { db in try db.execute(sql: Item.schema) }
    #expect(try read(source) == Reading(count: 0, number: before.next, isExact: name == nil))
  }

  @Test(arguments: [ForeignFile.Journal.wal, .delete])
  func `a file that is only watched has no numbers before its commits are found`(
    journal: ForeignFile.Journal
  ) throws {
    let file = try ForeignFile(journal)
    let pool = try file.watch()
    let source = pool.core.broker.snapshots
    #expect(try read(source) == Reading(count: 2, number: .none, isExact: false))
    try SQLiteShell.run(file.path, "DELETE FROM item WHERE id = 1")
    #expect(try read(source) == Reading(count: 1, number: .none, isExact: false))
  }

  // MARK: Threads and errors

  /// Reads on another thread.
  private func submit(
    to source: SnapshotSource,
    _ body: @escaping @Sendable (Database, CommitNumber, Bool) throws -> Reading
  ) async throws -> Reading {
    let (reading, number) = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<(Reading, number: CommitNumber), any Error>) in
      source.submit(body) { continuation.resume(with: $0) }
    }
    #expect(reading.number == number)
    return reading
  }

  @Test func `a read on another thread has the same snapshot, or the error of its body`()
    async throws
  {
    let shop = try shopWithOneReader()
    let source = shop.pool.core.broker.snapshots
    let here = try read(source)
    #expect(throws: CancellationError.self) {
      _ = try source.read { _, _, _ -> Int in throw CancellationError() }
    }
    await #expect(throws: CancellationError.self) {
      _ = try await submit(to: source) { _, _, _ in throw CancellationError() }
    }
    // The errors have left no transaction open.
    let isInside = try source.access { db in db.isInsideTransaction }
    #expect(!isInside)
    let there = try await submit(to: source) { try Reading($0, $1, $2) }
    #expect(there == here)
  }

  @Test func `no read is possible while the file is not in its place`() async throws {
    let shop = try Shop()
    let source = shop.pool.core.broker.snapshots
    let before = try read(source)
    let aside = shop.directory.file("aside")
    try FileManager.default.moveItem(atPath: shop.path, toPath: aside)
    shop.pool.core.fileGuard?.check()
    let here = #expect(throws: DatabaseError.self) { _ = try read(source) }
    let there = await #expect(throws: DatabaseError.self) {
      _ = try await submit(to: source) { try Reading($0, $1, $2) }
    }
    for error in [here, there] {
      #expect(error?.extendedResultCode == .SQLITE_READONLY_DBMOVED)
    }
    try FileManager.default.moveItem(atPath: aside, toPath: shop.path)
    shop.pool.core.fileGuard?.check()
    #expect(try read(source) == before)
  }
}
