import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// A database that was opened with `Configuration.readonly` can be read in all ways.
@Suite struct ReadOnlyDatabaseTests {
  private let shop: Shop
  private let configuration: Configuration

  init() throws {
    shop = try Shop()
    var configuration = Configuration()
    configuration.readonly = true
    self.configuration = configuration
  }

  private func count(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM item") ?? 0
  }

  private func expectReadOnly(_ body: () throws -> Void) {
    expectDatabaseError(
      .SQLITE_READONLY,
      "\(shop.path) was opened with Configuration.readonly: it cannot be written",
      body
    )
  }

  @Test func `it can be read through the methods of a queue that write`() throws {
    let queue = try DatabaseQueue(path: shop.path, configuration: configuration)
    #expect(try queue.inDatabase(count) == 2)
    #expect(try queue.write(count) == 2)
    #expect(try queue.writeWithoutTransaction(count) == 2)
    #expect(try queue.unsafeReentrantWrite(count) == 2)
    for kind in [nil, Database.TransactionKind.deferred] {
      try queue.inTransaction(kind) { db throws in
        #expect(db.isInsideTransaction)
        #expect(try count(db) == 2)
        return .commit
      }
    }
  }

  @Test func `it can be read through the methods of a pool that write`() async throws {
    let pool = try DatabasePool(path: shop.path, configuration: configuration)
    #expect(try await pool.write { db in try count(db) } == 2)
    #expect(try await pool.writeWithoutTransaction { db in try count(db) } == 2)
    #expect(try await pool.barrierWriteWithoutTransaction { db in try count(db) } == 2)
    try pool.writeInTransaction { db throws in
      #expect(try count(db) == 2)
      return .commit
    }
    let counts = Recorder<Int>()
    pool.asyncWrite { db in
      try count(db)
    } completion: { _, result in
      counts.append((try? result.get()) ?? -1)
    }
    #expect(try await counts.nextValue() == 2)
    try await pool.writeWithoutTransaction { _ in
      pool.spawnConcurrentRead { db in counts.append((try? count(db.get())) ?? -1) }
    }
    #expect(try await counts.nextValue() == 2)
  }

  @Test func `it cannot be written`() throws {
    let queue = try DatabaseQueue(path: shop.path, configuration: configuration)
    let delete = "DELETE FROM item"
    expectReadOnly { try queue.write { db in try db.execute(sql: delete) } }
    expectReadOnly { try queue.inDatabase { db in try db.execute(sql: delete) } }
    expectReadOnly { try queue.read { db in try db.execute(sql: delete) } }
    expectReadOnly { try queue.inTransaction(.immediate) { _ in .commit } }
    expectReadOnly { try queue.checkpoint() }
    expectReadOnly { try queue.vacuum() }
    expectReadOnly { try queue.erase() }
    expectReadOnly { try shop.pool.backup(to: queue) }
    expectReadOnly { try queue.writeWithoutTransaction { db in try db.execute(sql: delete) } }
    #expect(try shop.pool.read(count) == 2)
  }

  @Test(arguments: [false, true])
  func `a copy with a read-only configuration can be read, and not written`(isFile: Bool) throws {
    let copy =
      isFile
      ? try DatabaseQueue.temporaryCopy(fromPath: shop.path, configuration: configuration)
      : try DatabaseQueue.inMemoryCopy(fromPath: shop.path, configuration: configuration)
    #expect(try copy.read(count) == 2)
    #expect(try copy.inDatabase(count) == 2)
    #expect(throws: DatabaseError.self) {
      try copy.write { db in try db.execute(sql: "DELETE FROM item") }
    }
    #expect(throws: DatabaseError.self) { try shop.pool.backup(to: copy) }
    #expect(throws: DatabaseError.self) { try copy.checkpoint() }
    #expect(try copy.read(count) == 2)
  }

  @Test func `a changeset is not applied in a read-only access`() throws {
    let queue = try DatabaseQueue(path: shop.directory.file("copy.sqlite"))
    try shop.pool.backup(to: queue)
    let changeset = try shop.pool.write { db in
      try db.recordChangeset { try db.execute(sql: "DELETE FROM item") }
    }
    #expect(throws: DatabaseError.self) {
      try queue.read { db in try db.apply(changeset: changeset) }
    }
    #expect(try queue.read(count) == 2)
  }

  /// A call that only a connection that writes can make.
  struct Request: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (Database) throws -> Void
  }

  static let requests = [
    Request(testDescription: "notifyChanges") { try $0.notifyChanges(in: .fullDatabase) },
    Request(testDescription: "notifyChanges of a table") {
      try $0.notifyChanges(in: DatabaseRegion(table: "item"))
    },
    Request(testDescription: "recordChangeset") { db in _ = try db.recordChangeset {} },
    Request(testDescription: "recordChangeset of a table") { db in
      _ = try db.recordChangeset(tables: ["item"]) { _ = try Item.fetchAll(db) }
    },
  ]

  @Test(arguments: requests)
  func `what needs a write is an error in each read`(request: Request) async throws {
    var configuration = Configuration()
    configuration.readonly = true
    let readers: [any DatabaseReader] = [
      shop.pool, try DatabaseQueue(path: shop.path, configuration: .patient),
      try shop.pool.makeSnapshot(),
      try DatabasePool(path: shop.path, configuration: configuration),
      try DatabaseQueue(path: shop.path, configuration: configuration),
    ]
    for reader in readers {
      for _ in 0..<2 {
        let error = #expect(throws: DatabaseError.self) {
          try reader.read { try request.run($0) }
        }
        #expect(error?.resultCode == .SQLITE_READONLY)
      }
    }
    try await shop.pool.write { try request.run($0) }
  }

  private final class Observer: TransactionObserver {
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
  }

  @Test func `a transaction observer that is added in a read observes nothing`() throws {
    try shop.pool.read { db in
      let observer = Observer()
      db.add(transactionObserver: observer)
      db.remove(transactionObserver: observer)
    }
    #expect(try shop.pool.read(count) == 2)
  }
}
