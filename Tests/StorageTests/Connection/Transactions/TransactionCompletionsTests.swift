import Storage
import Testing

@testable import StorageTestSupport

@Suite struct TransactionCompletionsTests {
  /// Records the closures that run.
  final class Log {
    var entries: [String] = []

    func addClosures(_ db: Database, _ name: String = "") {
      db.afterNextTransaction(
        onCommit: { db in
          #expect(!db.isInsideTransaction)
          self.entries.append("commit\(name)")
        },
        onRollback: { db in
          #expect(!db.isInsideTransaction)
          self.entries.append("rollback\(name)")
        }
      )
    }
  }

  /// SQL that may end a transaction, and the closures that then run.
  struct Case: CustomTestStringConvertible, Sendable {
    let sql: String
    let entries: [String]
    var testDescription: String { sql }
  }

  private static let cases = [
    Case(sql: "COMMIT", entries: ["commit"]),
    Case(sql: "ROLLBACK", entries: ["rollback"]),
    Case(sql: "SAVEPOINT a; ROLLBACK TO a; RELEASE a; END", entries: ["commit"]),
    Case(sql: "SAVEPOINT a; DELETE FROM item; RELEASE a", entries: []),
    Case(sql: "INSERT INTO item VALUES (1, 'twice', 1)", entries: []),
    Case(sql: "INSERT OR ROLLBACK INTO item VALUES (1, 'twice', 1)", entries: ["rollback"]),
  ]

  @Test(arguments: cases)
  func `A-101: a closure added in a transaction runs when the transaction ends`(_ test: Case) throws
  {
    let log = Log()
    try withDatabase { db in
      try Item.cup.insert(db)
      try db.execute(sql: "BEGIN; DELETE FROM item WHERE id = 7")
      log.addClosures(db)
      try? db.execute(sql: test.sql)
      #expect(log.entries == test.entries)
      if db.isInsideTransaction { try db.rollback() }
      #expect(log.entries == (test.entries.isEmpty ? ["rollback"] : test.entries))
    }
  }

  @Test func `A-101: a closure added outside a transaction runs once, after the next one`() throws {
    let log = Log()
    try withDatabase { db in
      log.addClosures(db, " 1")
      log.addClosures(db, " 2")
      _ = try Item.fetchAll(db, sql: "SELECT * FROM item")
      #expect(log.entries == [])
      try Item.cup.insert(db)
      #expect(log.entries == ["commit 1", "commit 2"])
      try Item.pot.insert(db)
      #expect(log.entries.count == 2)
      log.addClosures(db, " 3")
      #expect(throws: DatabaseError.self) { try Item.cup.insert(db) }
      // A statement that fails outside a transaction is not one.
      #expect(log.entries.count == 2)
      log.addClosures(db, " 4")
      try db.execute(sql: "SAVEPOINT a")
      try db.execute(sql: "RELEASE a")
      #expect(log.entries.suffix(2) == ["commit 3", "commit 4"])
    }
  }

  @Test func `closures run after the pool's transaction, and may write`() throws {
    let shop = try Shop()
    let log = Log()
    struct Undo: Error {}
    try shop.pool.write { db in
      log.addClosures(db)
      db.afterNextTransaction { db in
        #expect(throws: DatabaseError.self) { try Item.cup.insert(db) }
        try! db.execute(sql: "DELETE FROM item WHERE id = 1")
        log.addClosures(db, " again")
      }
      try db.execute(sql: "UPDATE item SET price = 5")
      #expect(log.entries == [])
    }
    #expect(log.entries == ["commit"])
    try? shop.pool.write { db in
      try db.execute(sql: "DELETE FROM item")
      throw Undo()
    }
    #expect(log.entries == ["commit", "rollback again"])
    #expect(
      try shop.pool.read { db in try String.fetchAll(db, sql: "SELECT name FROM item") } == ["pot"]
    )
  }

  @Test func `closures of a transaction left open run with its rollback`() throws {
    let queue = try DatabaseQueue()
    let log = Log()
    #expect(throws: DatabaseError.self) {
      try queue.inDatabase { db in
        try db.beginTransaction()
        log.addClosures(db)
      }
    }
    #expect(log.entries == ["rollback"])
  }
}
