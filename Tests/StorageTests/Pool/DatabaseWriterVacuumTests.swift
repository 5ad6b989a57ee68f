import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite struct DatabaseWriterVacuumTests {
  private func fill(_ pool: DatabasePool) throws {
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE page (id INTEGER PRIMARY KEY, body BLOB);
          CREATE VIEW bodies AS SELECT body FROM page;
          PRAGMA user_version = 7;
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
          INSERT INTO page SELECT i, randomblob(1000) FROM n;
          DELETE FROM page WHERE id > 5;
          """
      )
    }
  }

  private func pageCount(_ reader: some DatabaseReader) throws -> Int {
    try reader.read { try Int.fetchOne($0, sql: "PRAGMA page_count")! }
  }

  @Test func `vacuum frees the space of deleted rows`() throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try fill(pool)
    let before = try pageCount(pool)
    try pool.vacuum()
    #expect(try pageCount(pool) < before / 10)
    #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM page") } == 5)
  }

  @Test func `vacuum(into:) makes a copy, and never overwrites a file`() throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try fill(pool)
    let copy = directory.file("it's a copy.sqlite")
    try pool.vacuum(into: copy)
    let count = try DatabaseQueue(path: copy).read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM page")
    }
    #expect(count == 5)
    expectDatabaseError(.SQLITE_ERROR, "output file already exists") {
      try pool.vacuum(into: copy)
    }
  }

  @Test func `the async variants of vacuum and erase do the same`() async throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write { try $0.execute(sql: "CREATE TABLE a (b)") }
    try await pool.vacuum()
    let copy = directory.file("copy.sqlite")
    try await pool.vacuum(into: copy)
    let error = await #expect(throws: DatabaseError.self) { try await pool.vacuum(into: copy) }
    #expect(error?.sql == "VACUUM INTO ?")
    try await pool.erase()
    #expect(
      try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") } == 0
    )
  }

  @Test func `erase keeps the journal mode of the emptied database`() throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    for _ in 1...2 {
      try fill(pool)
      try pool.erase()
      try pool.read { db throws in
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0)
        #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == 0)
        #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
        #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      }
    }
  }

  @Test func `erase empties a database in memory and one with a journal`() throws {
    let directory = TemporaryDirectory()
    for queue in [try DatabaseQueue(), try DatabaseQueue(path: directory.file())] {
      try queue.write { try $0.execute(sql: "CREATE TABLE a (b); INSERT INTO a VALUES (1)") }
      let mode = try queue.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
      try queue.erase()
      try queue.write { db throws in
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0)
        #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == mode)
        try db.execute(sql: "CREATE TABLE a (c)")
      }
    }
  }

  // SQLite gives an erased file the schema version 1, which the file of this test has already.
  @Test(arguments: [true, false])
  func `after erase, connections and other processes see the new schema`(isShared: Bool) throws {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try pool.write { try $0.execute(sql: "CREATE TABLE page (id); INSERT INTO page VALUES (1)") }
    func count(_ db: Database) throws -> Int? {
      try Int.fetchOne(db, sql: "SELECT count(*) FROM page")
    }
    #expect(try pool.read(count) == 1)
    let other = try isShared ? DatabasePool(path: directory.file()) : nil
    let shell = try ChildProcess(["sqlite3", "-batch", directory.file()])
    shell.write("SELECT count(*) FROM page; SELECT 'ready';\n")
    #expect(shell.read(until: "ready\n") == "1\n")
    #expect(try other?.read(count) == (isShared ? 1 : nil))
    try pool.erase()
    for reader in [pool, other].compactMap({ $0 }) {
      expectDatabaseError(.SQLITE_ERROR, "no such table: page") { _ = try reader.read(count) }
    }
    shell.write("SELECT count(*) FROM sqlite_schema; CREATE TABLE new (a); SELECT 'ready';\n")
    #expect(shell.read(until: "ready\n") == "0\n")
    #expect(try pool.read { try $0.tableExists("new") })
    shell.endInput()
    shell.wait()
  }

  @Test func `an observation fails after erase, and recovers when its table exists again`()
    async throws
  {
    let directory = TemporaryDirectory()
    let pool = try DatabasePool(path: directory.file())
    try await pool.write {
      try $0.execute(sql: "CREATE TABLE page (id); INSERT INTO page VALUES (1)")
    }
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM page") ?? -1
    }
    var results = observation.results(in: pool).makeAsyncIterator()
    #expect(try await results.next()?.get() == 1)
    try await pool.erase()
    let error = await #expect(throws: DatabaseError.self) { try await results.next()?.get() }
    #expect(error?.message == "no such table: page", "\(error.map(String.init(describing:)) ?? "")")
    try await pool.write { try $0.execute(sql: "CREATE TABLE page (id)") }
    #expect(try await results.next()?.get() == 0)
  }
}
