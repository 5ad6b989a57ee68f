import CWellspringSQLite
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// P1: whatever changes the result of a query, its observers receive a value that includes the
/// change.
@Suite("P1: nothing is missed", .serialized) struct ChangeKindTests {
  // Serialized: hundreds of pools at a time, each with a second process, would slow each other down
  // until tests time out.

  struct Fixture {
    let kind: ChangeKind
    let directory = TemporaryDirectory()
    let pool: DatabasePool
    var path: String { directory.file() }

    init(_ kind: ChangeKind) throws {
      self.kind = kind
      if let attached = kind.attached {
        try SQLiteShell.run(
          directory.file("aux.sqlite"),
          "PRAGMA journal_mode = wal; \(attached)"
        )
      }
      pool = try Self.pool(kind, directory)
      try pool.write { db in try kind.createTables(db) }
    }

    /// Opens another pool on the same file. A read-only pool only watches the file.
    func otherPool(readonly: Bool = false) throws -> DatabasePool {
      try Self.pool(kind, directory, readonly: readonly)
    }

    private static func pool(
      _ kind: ChangeKind,
      _ directory: TemporaryDirectory,
      readonly: Bool = false
    ) throws -> DatabasePool {
      var configuration = Configuration()
      configuration.readonly = readonly
      if kind.attached != nil {
        let path = directory.file("aux.sqlite")
        configuration.prepareDatabase { db in try db.execute(sql: "ATTACH '\(path)' AS aux") }
      }
      return try DatabasePool(path: directory.file(), configuration: configuration)
    }

    /// Runs SQL in another process, with foreign keys enforced as in the pool.
    func runInAnotherProcess(_ sql: String) throws {
      let attach = kind.attached == nil ? "" : "ATTACH '\(directory.file("aux.sqlite"))' AS aux; "
      try SQLiteShell.run(path, attach + "PRAGMA foreign_keys = ON; " + sql)
    }

    /// Observes the query, changes the database, and waits for the value after the change.
    func check(in reader: DatabasePool? = nil, change: () async throws -> Void) async throws {
      let query = kind.query
      let observation = ValueObservation.tracking { db in try Row.fetchAll(db, sql: query) }
      let (recorder, cancellable) = observation.record(in: reader ?? pool)
      let first = try await recorder.nextValue()
      try await change()
      let expected = try await pool.read { db in try Row.fetchAll(db, sql: query) }
      #expect(expected != first, "the change must be visible in the query")
      _ = try await recorder.value { $0 == expected }
      cancellable.cancel()
    }
  }

  @Test(arguments: ChangeKind.all) func `a change in a transaction is seen`(kind: ChangeKind)
    async throws
  {
    let fixture = try Fixture(kind)
    try await fixture.check { try await fixture.pool.write { db in try kind.apply(db) } }
  }

  @Test(arguments: ChangeKind.all)
  func `a change outside a transaction is seen`(kind: ChangeKind) async throws {
    let fixture = try Fixture(kind)
    try await fixture.check {
      try await fixture.pool.writeWithoutTransaction { db in try kind.apply(db) }
    }
  }

  @Test(arguments: ChangeKind.ofSQL)
  func `a change through the raw handle is seen`(kind: ChangeKind) async throws {
    let fixture = try Fixture(kind)
    try await fixture.check {
      try await fixture.pool.writeWithoutTransaction { db in
        let code = sqlite3_exec(db.sqliteConnection, kind.sql, nil, nil, nil)
        #expect(code == SQLITE_OK)
      }
    }
  }

  @Test(arguments: ChangeKind.ofSQL)
  func `a change through the raw handle in a transaction is seen`(kind: ChangeKind) async throws {
    let fixture = try Fixture(kind)
    try await fixture.check {
      try await fixture.pool.write { db in
        let code = sqlite3_exec(db.sqliteConnection, kind.sql, nil, nil, nil)
        #expect(code == SQLITE_OK)
      }
    }
  }

  @Test(arguments: ChangeKind.all) func `a change by another pool is seen`(kind: ChangeKind)
    async throws
  {
    let fixture = try Fixture(kind)
    let other = try fixture.otherPool()
    try await fixture.check { try await other.write { db in try kind.apply(db) } }
  }

  @Test(arguments: ChangeKind.all)
  func `a read-only pool sees a change by another pool`(kind: ChangeKind) async throws {
    let fixture = try Fixture(kind)
    try await fixture.check(in: fixture.otherPool(readonly: true)) {
      try await fixture.pool.write { db in try kind.apply(db) }
    }
  }

  @Test(arguments: ChangeKind.ofSQL)
  func `a change by another process is seen`(kind: ChangeKind) async throws {
    let fixture = try Fixture(kind)
    try await fixture.check { try fixture.runInAnotherProcess(kind.sql!) }
  }

  @Test(arguments: ChangeKind.ofSQL)
  func `a read-only pool sees a change by another process`(kind: ChangeKind) async throws {
    let fixture = try Fixture(kind)
    try await fixture.check(in: fixture.otherPool(readonly: true)) {
      try fixture.runInAnotherProcess(kind.sql!)
    }
  }

  // The program takes a query and cannot attach files, so changes in attached files are left out.
  @Test(arguments: ChangeKind.all.filter { $0.attached == nil })
  func `another process sees a change by this one`(kind: ChangeKind) async throws {
    let fixture = try Fixture(kind)
    let watcher = try WatchingProcess(fixture.path, sql: kind.query)
    let first = await watcher.next()
    try await fixture.pool.write { db in try kind.apply(db) }
    let expected = await (try WatchingProcess(fixture.path, sql: kind.query)).next()
    #expect(expected != first, "the change must be visible in the query")
    var last = first
    while last != expected, !last.isEmpty { last = await watcher.next() }
    #expect(last == expected)
  }

  @Test func `a change of an in-memory database is seen`() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in try db.execute(sql: Item.schema) }
    let (recorder, cancellable) = Shop.items.record(in: queue)
    #expect(try await recorder.nextValue() == [])
    try await queue.write { db in try Item.cup.insert(db) }
    #expect(try await recorder.nextValue() == [.cup])
    cancellable.cancel()
  }
}
