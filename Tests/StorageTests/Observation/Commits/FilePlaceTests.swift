import CWellspringSQLite
import Foundation
import Storage
import Testing

/// Commits to a file that is no longer at its path.
@Suite struct FilePlaceTests {
  /// An observer that removes a file at a certain moment of a commit.
  private final class Remover: TransactionObserver, @unchecked Sendable {
    let path: String
    // Used in accesses to one connection only.
    private(set) var ends: [String] = []

    init(_ path: String) {
      self.path = path
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws { unlink(path) }
    func databaseDidCommit(_ db: Database) { ends.append("commit") }
    func databaseDidRollback(_ db: Database) { ends.append("rollback") }
  }

  static let ways: [@Sendable (Database) throws -> Void] = [
    { db in
      try db.inTransaction {
        try db.execute(sql: "DELETE FROM item")
        return .commit
      }
    },
    { try $0.execute(sql: "DELETE FROM item") },
    { db in
      _ = try Int.fetchOne(db, sql: "DELETE FROM item WHERE id = 1 RETURNING id")
    },
    { db in
      try db.execute(sql: "SAVEPOINT a")
      try db.execute(sql: "DELETE FROM item")
      try db.execute(sql: "RELEASE a")
    },
    { db in #expect(sqlite3_exec(db.sqliteConnection, "DELETE FROM item", nil, nil, nil) == 0) },
  ]

  @Test(arguments: ["", "-wal", "-shm"], ways.indices)
  func `a commit throws when the file goes while it is written`(
    suffix: String,
    way: Int
  ) throws {
    let shop = try Shop()
    let remover = Remover(shop.path + suffix)
    shop.pool.add(transactionObserver: remover)
    var isCommitted: Bool?
    let error = #expect(throws: DatabaseError.self) {
      try shop.pool.writeWithoutTransaction { db in
        db.afterNextTransaction { _ in
          isCommitted = true
        } onRollback: { _ in
          isCommitted = false
        }
        try Self.ways[way](db)
      }
    }
    let what = suffix.isEmpty ? "the file" : shop.path + suffix
    #expect(error?.extendedResultCode == .SQLITE_READONLY_DBMOVED)
    #expect(
      error?.message == """
        \(what) was moved, removed or replaced by another one around the time of the commit, and \
        the write may not be in \(shop.path): close the database, and open \
        \(shop.path) again
        """
    )
    #expect(remover.ends == ["rollback"])
    #expect(isCommitted != true)
  }

  @Test func `later writes to a file without a name write nothing`() throws {
    let shop = try Shop()
    try FileManager.default.removeItem(atPath: shop.path)
    let first = #expect(throws: DatabaseError.self) {
      try shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    }
    #expect(first?.extendedResultCode == .SQLITE_READONLY_DBMOVED)
    let second = #expect(throws: DatabaseError.self) {
      try shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 2") }
    }
    #expect(
      second?.description == """
        SQLite error 1032 (SQLITE_READONLY_DBMOVED): the file was moved, removed or replaced by another one while it was \
        open: close the database, and open \(shop.path) again
        """
    )
    let items = try shop.pool.writeWithoutTransaction { db in try Item.fetchAll(db) }
    #expect(items.contains(.pot))
  }

  @Test func `without a WAL, SQLite's own refusal says what to do`() throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in try db.execute(sql: Item.schema) }
    try FileManager.default.moveItem(atPath: path, toPath: directory.file("aside"))
    let error = #expect(throws: DatabaseError.self) {
      try queue.write { db in try Item.cup.insert(db) }
    }
    #expect(error?.extendedResultCode == .SQLITE_READONLY_DBMOVED)
    #expect(error?.message?.contains("close the database, and open \(path) again") == true)
  }

  @Test func `commits that were reported before the WAL was removed survive`() throws {
    let shop = try Shop()
    try FileManager.default.removeItem(atPath: shop.path + "-wal")
    #expect(throws: DatabaseError.self) {
      try shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    }
    try shop.pool.close()
    let items = try DatabasePool(path: shop.path).read { db in try Item.fetchAll(db) }
    #expect(items.contains(.pot))
  }

  @Test(arguments: [true, false])
  func `a change of the journal mode is no loss of the WAL`(usesRawHandle: Bool) throws {
    let directory = TemporaryDirectory()
    var configuration = Configuration()
    configuration.journalMode = .wal
    let queue = try DatabaseQueue(path: directory.file(), configuration: configuration)
    try queue.write { db in try db.execute(sql: Item.schema) }
    for mode in ["delete", "wal", "delete"] {
      try queue.writeWithoutTransaction { db in
        if usesRawHandle {
          let sql = "PRAGMA journal_mode = \(mode)"
          #expect(sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil) == SQLITE_OK)
        } else {
          try db.execute(sql: "PRAGMA journal_mode = \(mode)")
        }
        #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == mode)
      }
      try queue.write { db in try db.execute(sql: "DELETE FROM item") }
      try queue.write { db in
        try Item.cup.insert(db)
        try Item.pot.insert(db)
      }
    }
  }

  @Test func `other changes in the directory of the file do not disturb writes`() throws {
    let shop = try Shop()
    let other = shop.directory.file("other")
    for round in 0..<50 {
      _ = FileManager.default.createFile(atPath: other, contents: Data())
      try shop.pool.write { db in
        try db.execute(sql: "UPDATE item SET price = ?", arguments: [round])
      }
      try FileManager.default.removeItem(atPath: other)
    }
  }

  @Test func `the directory of the file is moved away`() throws {
    let shop = try Shop()
    let aside = shop.directory.path + "-aside"
    defer { try? FileManager.default.removeItem(atPath: aside) }
    try FileManager.default.moveItem(atPath: shop.directory.path, toPath: aside)
    let error = #expect(throws: DatabaseError.self) {
      try shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    }
    #expect(error?.extendedResultCode == .SQLITE_READONLY_DBMOVED)
    try FileManager.default.moveItem(atPath: aside, toPath: shop.directory.path)
    try shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
  }
}
