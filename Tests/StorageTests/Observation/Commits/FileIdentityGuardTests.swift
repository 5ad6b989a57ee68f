import CWellspringSQLite
import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Commits to a file that is no longer at its path.
@Suite struct FileIdentityGuardTests {
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
    let items = try DatabasePool(path: shop.path, configuration: .patient).read { db in
      try Item.fetchAll(db)
    }
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

  private func inode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
  }

  /// The new content at the path of the file.
  static let successors: [String: @Sendable (_ path: String, _ old: String) throws -> Void] = [
    "no file": { _, _ in },
    "an empty file": { path, _ in try Data().write(to: URL(filePath: path)) },
    "three bytes": { path, _ in try Data([1, 2, 3]).write(to: URL(filePath: path)) },
    "a copy": { path, old in try FileManager.default.copyItem(atPath: old, toPath: path) },
  ]

  @Test(arguments: successors.keys.sorted(), ["a read", "a snapshot", "an observation"])
  func `a connection that opens while another file is at the path leaves the WAL alone`(
    successor: String,
    use: String
  ) async throws {
    let shop = try Shop()
    let aside = shop.directory.file("aside")
    let wal = try inode(shop.path + "-wal")
    try FileManager.default.moveItem(atPath: shop.path, toPath: aside)
    try Self.successors[successor]!(shop.path, aside)
    let error = await #expect(throws: DatabaseError.self) {
      switch use {
      case "a read": try await shop.pool.read { db in _ = try Item.fetchAll(db) }
      case "a snapshot": _ = try shop.pool.makeSnapshot()
      default: for try await _ in Shop.items.values(in: shop.pool) { break }
      }
    }
    let codes: Set<ResultCode> = [.SQLITE_READONLY_DBMOVED, .SQLITE_CANTOPEN]
    #expect(error.map { codes.contains($0.extendedResultCode) } == true)
    #expect(try inode(shop.path + "-wal") == wal)
    try? FileManager.default.removeItem(atPath: shop.path)
    try FileManager.default.moveItem(atPath: aside, toPath: shop.path)
    let third = Item(id: 3, name: "pan", price: 5)
    try await shop.pool.write { db in try third.insert(db) }
    let live = try await shop.pool.read { db in try Item.fetchAll(db) }
    #expect(live == [.cup, .pot, third])
    try shop.pool.close()
    let items = try await DatabaseQueue(path: shop.path, configuration: .patient).read { db in
      try Item.fetchAll(db)
    }
    #expect(items == [.cup, .pot, third])
  }

  @Test func `the closing of a database that was moved leaves the WAL of its successor`() throws {
    let shop = try Shop()
    let aside = shop.directory.file("aside")
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.moveItem(atPath: shop.path + suffix, toPath: aside + suffix)
    }
    let successor = try DatabasePool(path: shop.path, configuration: .patient)
    try successor.write { db in
      try db.execute(sql: Item.schema)
      try Item.cup.insert(db)
    }
    try shop.pool.close()
    try successor.write { db in try Item.pot.insert(db) }
    // As if the process ended here: only the commits that other processes can see count.
    #expect(try SQLiteShell.run(shop.path, "SELECT name FROM item") == "cup\npot")
    #expect(try SQLiteShell.run(aside, "SELECT name FROM item") == "cup\npot")
  }

  @Test func `a file beside the WAL of another open database is not opened`() throws {
    let shop = try Shop()
    let other = shop.directory.file("other")
    let old = shop.directory.file("old")
    try DatabaseQueue(path: other).write { db in try db.execute(sql: "CREATE TABLE new (a)") }
    #expect(link(shop.path, old) == 0)
    #expect(rename(other, shop.path) == 0)
    var readonly = Configuration()
    readonly.readonly = true
    for open in [
      { _ = try DatabasePool(path: shop.path, configuration: .patient) },
      { _ = try DatabaseQueue(path: shop.path, configuration: .patient) },
      { _ = try DatabasePool(path: shop.path, configuration: readonly) },
    ] {
      let error = #expect(throws: DatabaseError.self) { try open() }
      #expect(
        error?.description == """
          SQLite error 14: \(shop.path) has replaced a file that is still open in this process, \
          and the WAL beside it belongs to the old file: close the old database first
          """
      )
    }
    try shop.pool.close()
    let names = try DatabasePool(path: shop.path, configuration: .patient).read { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema")
    }
    #expect(names == ["new"])
    // The committed rows are in the old file.
    #expect(try SQLiteShell.run(old, "SELECT name FROM item") == "cup\npot")
  }

  @Test func `the WAL of a file that was replaced is empty once the database is closed`() throws {
    let shop = try Shop()
    let other = shop.directory.file("other")
    try DatabaseQueue(path: other).write { db in try db.execute(sql: "CREATE TABLE new (a)") }
    #expect(rename(other, shop.path) == 0)
    try shop.pool.close()
    #expect(try SQLiteShell.run(shop.path, "SELECT name FROM sqlite_schema") == "new")
  }
}
