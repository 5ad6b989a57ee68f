import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

@Suite struct DatabaseAttachingTests {
  private let directory = TemporaryDirectory()

  @Test(arguments: ["archive", "two words", "quote\"d", "it's"])
  func `A-020: a database is attached under the given name, and detached`(name: String) throws {
    let path = directory.file("it's \"one\"")
    try SQLiteShell.run(path, "CREATE TABLE old (n); INSERT INTO old VALUES (7)")
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.attach(path, as: name)
      let sql = "SELECT n FROM \(name.quotedDatabaseIdentifier).old"
      #expect(try Int.fetchOne(db, sql: sql) == 7)
      try db.detach(name)
      #expect(throws: DatabaseError.self) { try Int.fetchOne(db, sql: sql) }
      expectDatabaseError(.SQLITE_ERROR, "no such database: \(name)") { try db.detach(name) }
    }
  }

  @Test func `A-020: a preparation attaches a database to all connections of a pool`()
    throws
  {
    let path = directory.file("archive.sqlite")
    try SQLiteShell.run(path, "CREATE TABLE old (n); INSERT INTO old VALUES (7)")
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.attach(path, as: "archive") }
    let shop = try Shop(configuration)
    try shop.pool.write { db in try db.execute(sql: "UPDATE archive.old SET n = 8") }
    #expect(
      try shop.pool.read { db in try Int.fetchOne(db, sql: "SELECT n FROM archive.old") } == 8
    )
  }

  @Test func `A-020: readers do not see a database that a write attaches`() throws {
    let shop = try Shop()
    try shop.pool.writeWithoutTransaction { db in
      try db.attach(.inMemory, as: "scratch")
      try db.execute(sql: "CREATE TABLE scratch.t (n)")
    }
    try shop.pool.write { db in try db.execute(sql: "INSERT INTO scratch.t VALUES (1)") }
    #expect(throws: DatabaseError.self) {
      try shop.pool.read { db in try Int.fetchOne(db, sql: "SELECT n FROM scratch.t") }
    }
  }

  @Test func `a path that begins like a URI is a file name`() throws {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.attach(directory.file("file:x?mode=memory"), as: "x")
      try db.execute(sql: "CREATE TABLE x.t (n)")
    }
    #expect(try SQLiteShell.run(directory.file("file:x?mode=memory"), ".tables") == "t")
  }
}
