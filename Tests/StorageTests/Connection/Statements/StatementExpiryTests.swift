import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// A statement that is kept for reuse has the meaning of a new statement.
@Suite struct StatementExpiryTests {
  private let directory = TemporaryDirectory()

  /// Makes a file with a table `item` that has one item.
  private func makeFile(_ name: String, item: String) throws -> String {
    let path = directory.file(name)
    try SQLiteShell.run(
      path,
      "PRAGMA journal_mode = WAL; \(Item.schema); INSERT INTO item VALUES (1, '\(item)', 1)"
    )
    return path
  }

  private func names(_ db: Database) throws -> [String] {
    try String.fetchAll(db.cachedStatement(sql: "SELECT name FROM item"))
  }

  @Test func `a new table hides that of an attached database`() throws {
    let path = try makeFile("archive.sqlite", item: "old")
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.attach(path, as: "archive")
      let held = try db.makeStatement(sql: "SELECT name FROM item")
      #expect(try names(db) == ["old"])
      #expect(try String.fetchAll(held) == ["old"])
      try Item(id: 2, name: "older", price: nil).insert(db)
      #expect(try names(db) == ["old", "older"])
      try db.execute(sql: "CREATE TABLE main.item (id INTEGER PRIMARY KEY, name, price)")
      #expect(try names(db) == [])
      #expect(try String.fetchAll(held) == [])
      try Item.cup.insert(db)
      #expect(try names(db) == ["cup"])
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM archive.item") == 2)
      try db.execute(sql: "DROP TABLE main.item")
      #expect(try names(db) == ["old", "older"])
      try db.inTransaction {
        try db.execute(sql: "CREATE VIEW main.item AS SELECT 'view' AS name")
        #expect(try names(db) == ["view"])
        return .rollback
      }
      #expect(try names(db) == ["old", "older"])
    }
  }

  @Test func `temporary tables and views hide other ones`() throws {
    try withDatabase { db in
      try Item.cup.insert(db)
      #expect(try names(db) == ["cup"])
      try db.execute(sql: "CREATE TEMPORARY TABLE item (name)")
      #expect(try names(db) == [])
      try db.execute(sql: "DROP TABLE temp.item; CREATE TEMP VIEW item AS SELECT 'view' AS name")
      #expect(try names(db) == ["view"])
      try db.execute(sql: "DROP VIEW temp.item")
      #expect(try names(db) == ["cup"])
    }
  }

  @Test func `an attached database is replaced by another one`() throws {
    let old = try makeFile("old.sqlite", item: "old")
    let new = try makeFile("new.sqlite", item: "new")
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(sql: "ATTACH ? AS archive", arguments: [old])
      #expect(try names(db) == ["old"])
      try db.execute(sql: "DETACH archive")
      #expect(throws: DatabaseError.self) { try names(db) }
      try db.execute(sql: "ATTACH ? AS archive", arguments: [new])
      #expect(try names(db) == ["new"])
    }
  }

  enum Kind: CaseIterable { case read, unsafeRead, write, writeWithoutTransaction, transaction }

  @Test(arguments: Kind.allCases)
  func `a table that another connection creates hides that of an attached database`(
    kind: Kind
  ) throws {
    let path = try makeFile("archive.sqlite", item: "old")
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.attach(path, as: "archive") }
    let pool = try DatabasePool(path: directory.file(), configuration: configuration)
    func read() throws -> [String] {
      switch kind {
      case .read: try pool.read(names)
      case .unsafeRead: try pool.unsafeRead(names)
      case .write: try pool.write(names)
      case .writeWithoutTransaction: try pool.writeWithoutTransaction(names)
      case .transaction:
        try pool.writeWithoutTransaction { db in
          try db.beginTransaction()
          defer { try? db.commit() }
          return try names(db)
        }
      }
    }
    #expect(try read() == ["old"])
    try SQLiteShell.run(
      directory.file(),
      "\(Item.schema); INSERT INTO item VALUES (1, 'new', 1)"
    )
    #expect(try read() == ["new"])
    try SQLiteShell.run(directory.file(), "DROP TABLE item")
    #expect(try read() == ["old"])
  }

  @Test func `a function for a number of arguments is preferred to one for any number`() throws {
    try withDatabase { db throws in
      func value() throws -> String? {
        try String.fetchOne(db.cachedStatement(sql: "SELECT f(1, 2)"))
      }
      db.add(function: DatabaseFunction("f") { _ in "any" })
      #expect(try value() == "any")
      db.add(function: DatabaseFunction("f", argumentCount: 2) { _ in "two" })
      #expect(try value() == "two")
      db.add(function: DatabaseFunction("f", argumentCount: 2) { _ in "other" })
      #expect(try value() == "other")
    }
  }

  @Test func `a collation that is replaced is used at once`() throws {
    try withDatabase { db throws in
      func isEqual() throws -> Bool? {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT 'a' = 'b' COLLATE odd"))
      }
      db.add(collation: DatabaseCollation("odd") { _, _ in .orderedSame })
      #expect(try isEqual() == true)
      db.add(collation: DatabaseCollation("odd") { _, _ in .orderedAscending })
      #expect(try isEqual() == false)
    }
  }
}
