import Storage
import Testing

@testable import StorageTestSupport

@Suite struct DatabaseTransactionsTests {
  struct Undo: Error, Equatable {}

  static let insert = "INSERT INTO item (name) VALUES (?)"

  /// The names of all items.
  func names(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM item ORDER BY id")
  }

  @Test(arguments: [Database.TransactionKind.deferred, .immediate, .exclusive])
  func `a transaction is committed or rolled back as its closure returns`(
    kind: Database.TransactionKind
  ) throws {
    try withDatabase { db in
      try db.inTransaction(kind) {
        #expect(db.isInsideTransaction)
        try db.execute(sql: Self.insert, arguments: ["kept"])
        return .commit
      }
      #expect(!db.isInsideTransaction)
      try db.inTransaction(kind) {
        try db.execute(sql: Self.insert, arguments: ["undone"])
        return .rollback
      }
      #expect(throws: Undo.self) {
        try db.inTransaction(kind) {
          try db.execute(sql: Self.insert, arguments: ["thrown away"])
          throw Undo()
        }
      }
      #expect(!db.isInsideTransaction)
      #expect(try names(db) == ["kept"])
    }
  }

  @Test func `a transaction that its closure has rolled back cannot be committed`() throws {
    try withDatabase { db in
      for sql in ["ROLLBACK", "ROLLBACK; INSERT INTO item (name) VALUES ('alone')"] {
        let error = #expect(throws: DatabaseError.self) {
          try db.inTransaction {
            try db.execute(sql: Self.insert, arguments: ["undone"])
            try db.execute(sql: sql)
            return .commit
          }
        }
        #expect(error?.resultCode == .SQLITE_ABORT)
      }
      try db.inTransaction {
        try db.execute(sql: Self.insert, arguments: ["undone"])
        try db.rollback()
        return .rollback
      }
      try db.inTransaction {
        try db.execute(sql: Self.insert, arguments: ["kept"])
        try db.commit()
        return .commit
      }
      try db.inTransaction {
        try db.execute(sql: "ROLLBACK; BEGIN")
        try db.execute(sql: Self.insert, arguments: ["kept too"])
        return .commit
      }
      #expect(try names(db) == ["alone", "kept", "kept too"])
    }
  }

  @Test func `a savepoint whose transaction its closure has rolled back cannot be committed`()
    throws
  {
    try withDatabase { db in
      let error = #expect(throws: DatabaseError.self) {
        try db.inTransaction {
          try db.inSavepoint {
            try db.execute(sql: "ROLLBACK")
            return .commit
          }
          return .commit
        }
      }
      #expect(error?.resultCode == .SQLITE_ABORT)
      try db.inTransaction {
        try db.inSavepoint {
          try db.execute(sql: "ROLLBACK")
          return .rollback
        }
        return .rollback
      }
      #expect(!db.isInsideTransaction)
    }
  }

  @Test(arguments: [40, 100, 101])
  func `TXN-02, TXN-05: a transfer is made completely or not at all`(amount: Int) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE account (name TEXT PRIMARY KEY, balance INTEGER CHECK (balance >= 0));
          INSERT INTO account VALUES ('alice', 100), ('betty', 0);
          """
      )
    }
    let transfer = {
      try queue.write { db in
        let update = "UPDATE account SET balance = balance + ? WHERE name = ?"
        try db.execute(sql: update, arguments: [amount, "betty"])
        try db.execute(sql: update, arguments: [-amount, "alice"])
      }
    }
    if amount <= 100 {
      try transfer()
    } else {
      expectDatabaseError(
        .SQLITE_CONSTRAINT_CHECK,
        "CHECK constraint failed: balance >= 0",
        transfer
      )
    }
    let balances = try queue.read { db in
      try Int.fetchAll(db, sql: "SELECT balance FROM account ORDER BY name")
    }
    #expect(balances == (amount <= 100 ? [100 - amount, amount] : [100, 0]))
  }

  @Test func `transactions do not nest`() throws {
    try withDatabase { db throws in
      expectDatabaseError(
        .SQLITE_ERROR,
        "cannot start a transaction within a transaction"
      ) {
        try db.inTransaction {
          try db.execute(sql: Self.insert, arguments: ["cup"])
          try db.inTransaction { .commit }
          return .commit
        }
      }
      #expect(try names(db) == [])
    }
  }

  @Test func `savepoints nest and are undone separately`() throws {
    try withDatabase { db in
      try db.inTransaction {
        try db.execute(sql: Self.insert, arguments: ["1"])
        try db.inSavepoint {
          try db.execute(sql: Self.insert, arguments: ["2"])
          try db.inSavepoint {
            try db.execute(sql: Self.insert, arguments: ["3, undone"])
            return .rollback
          }
          #expect(throws: Undo.self) {
            try db.inSavepoint {
              try db.execute(sql: Self.insert, arguments: ["4, thrown away"])
              throw Undo()
            }
          }
          try db.inSavepoint {
            try db.execute(sql: Self.insert, arguments: ["5"])
            return .commit
          }
          return .commit
        }
        try db.inSavepoint {
          try db.inSavepoint {
            try db.execute(sql: Self.insert, arguments: ["6, undone from outside"])
            return .commit
          }
          return .rollback
        }
        #expect(db.isInsideTransaction)
        return .commit
      }
      #expect(try names(db) == ["1", "2", "5"])
    }
  }

  @Test func `a savepoint outside a transaction is a transaction`() throws {
    try withDatabase { db in
      try db.inSavepoint {
        #expect(db.isInsideTransaction)
        try db.execute(sql: Self.insert, arguments: ["kept"])
        return .commit
      }
      try db.inSavepoint { .rollback }
      #expect(throws: Undo.self) {
        try db.inSavepoint {
          try db.execute(sql: Self.insert, arguments: ["thrown away"])
          throw Undo()
        }
      }
      #expect(!db.isInsideTransaction)
      #expect(try names(db) == ["kept"])
    }
  }

  @Test func `a closure may end its transaction with a statement`() throws {
    let shop = try Shop()
    try shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1; COMMIT") }
    let error = #expect(throws: DatabaseError.self) {
      try shop.pool.write { db in try db.execute(sql: "DELETE FROM item; ROLLBACK") }
    }
    #expect(error?.resultCode == .SQLITE_ABORT)
    #expect(throws: Undo.self) {
      try shop.pool.write { db in
        try db.execute(sql: "UPDATE item SET name = 'kettle'; COMMIT")
        throw Undo()
      }
    }
    let items = try shop.pool.read { db in try Item.fetchAll(db, sql: "SELECT * FROM item") }
    #expect(items == [Item(id: 2, name: "kettle", price: nil)])
  }

  @Test func `a failure after a statement has committed is that of its statement only`() throws {
    let shop = try Shop()
    try shop.pool.write { db in
      try db.execute(sql: "DELETE FROM item WHERE id = 1; COMMIT")
      #expect(throws: DatabaseError.self) { try Item.pot.insert(db) }
      try db.execute(sql: "UPDATE item SET name = 'kettle'")
    }
    let names = try shop.pool.read { db in try self.names(db) }
    #expect(names == ["kettle"])
    // SQLite ends a transaction in the closure.
    try shop.pool.write { db in
      try db.execute(sql: "COMMIT")
      try? db.inTransaction {
        try db.execute(sql: "INSERT OR ROLLBACK INTO item VALUES (2, 'dup', 1)")
        return .commit
      }
      #expect(throws: DatabaseError.self) { try Item.pot.insert(db) }
    }
  }

  @Test(arguments: ["BEGIN", "SAVEPOINT s"])
  func `a transaction that a closure has begun again and SQLite has ended fails`(begin: String)
    throws
  {
    let shop = try Shop()
    let error = #expect(throws: DatabaseError.self) {
      try shop.pool.write { db in
        try db.execute(sql: "COMMIT; \(begin)")
        try? db.execute(sql: "INSERT OR ROLLBACK INTO item VALUES (2, 'dup', 1)")
      }
    }
    #expect(error?.resultCode == .SQLITE_ABORT)
  }

  @Test func `a violated deferred foreign key fails the commit`() throws {
    try withDatabase { db in
      try db.execute(
        sql: "CREATE TABLE part (item REFERENCES item DEFERRABLE INITIALLY DEFERRED)"
      )
      let error = expectDatabaseError(
        .SQLITE_CONSTRAINT_FOREIGNKEY,
        "FOREIGN KEY constraint failed"
      ) {
        try db.inTransaction {
          try db.execute(sql: "INSERT INTO part VALUES (7)")
          return .commit
        }
      }
      #expect(error?.sql == "COMMIT")
      #expect(error?.underlyingError == nil)
      #expect(!db.isInsideTransaction)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM part") == 0)
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO part VALUES (7)")
        try Item(id: 7, name: "late", price: nil).insert(db)
        return .commit
      }
      #expect(try Int.fetchAll(db, sql: "SELECT item FROM part") == [7])
    }
  }

  @Test func `a failed statement does not undo earlier statements`() throws {
    try withDatabase { db in
      try db.inTransaction {
        try Item.cup.insert(db)
        #expect(throws: DatabaseError.self) { try Item.cup.insert(db) }
        try Item.pot.insert(db)
        return .commit
      }
      #expect(try names(db) == ["cup", "pot"])
    }
  }

  @Test func `a transaction that an access leaves open is rolled back and is an error`() throws {
    let shop = try Shop()
    expectDatabaseError(
      .SQLITE_MISUSE,
      """
      the closure left a transaction open, which is rolled back: commit it, or set \
      Configuration.allowsUnsafeTransactions
      """
    ) {
      try shop.pool.writeWithoutTransaction { db in
        try db.execute(sql: "DELETE FROM item WHERE id = 1; BEGIN; DELETE FROM item")
      }
    }
    let names = try shop.pool.write { db in try self.names(db) }
    #expect(names == ["pot"])
  }

  @Test func `A-009: unsafe transactions outlive the access that began them`() throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let shop = try Shop(configuration)
    try shop.pool.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN; DELETE FROM item WHERE id = 1")
    }
    try shop.pool.writeWithoutTransaction { db in
      #expect(db.isInsideTransaction)
      #expect(try names(db) == ["pot"])
      try db.rollback()
      #expect(try names(db) == ["cup", "pot"])
    }
  }

  @Test func `TXN-06: an SQL script may begin and commit a transaction`() throws {
    let shop = try Shop()
    try shop.pool.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          BEGIN TRANSACTION;
          DELETE FROM item WHERE id = 1;
          INSERT INTO item (name) VALUES ('pan');
          COMMIT TRANSACTION;
          """
      )
      #expect(!db.isInsideTransaction)
    }
    #expect(try shop.pool.read { db in try names(db) } == ["pot", "pan"])
  }

  @Test func `a transaction can be begun and ended explicitly`() throws {
    try withDatabase { db in
      try db.beginTransaction()
      #expect(db.isInsideTransaction)
      try Item.cup.insert(db)
      try db.commit()
      #expect(!db.isInsideTransaction)
      try db.beginTransaction(.exclusive)
      try Item.pot.insert(db)
      try db.rollback()
      try db.rollback()
      #expect(try names(db) == ["cup"])
      expectDatabaseError(.SQLITE_ERROR, "cannot commit - no transaction is active") {
        try db.commit()
      }
    }
  }

  @Test func `TXN-01: a transaction takes the lock of its kind, by default none in a read`() throws
  {
    let shop = try Shop()
    try shop.pool.unsafeRead { db in
      try db.inTransaction { return .commit }
      #expect(throws: DatabaseError.self) { try db.inTransaction(.immediate) { .commit } }
    }
    let queue = try DatabaseQueue()
    try queue.inTransaction(.deferred) { db in
      try db.execute(sql: Item.schema)
      return .commit
    }
    try queue.inTransaction { db in
      try Item.cup.insert(db)
      return .rollback
    }
    #expect(try queue.inDatabase { db in try names(db) } == [])
    try shop.pool.writeInTransaction(.exclusive) { db in
      try db.execute(sql: "DELETE FROM item")
      return .commit
    }
    #expect(try shop.pool.read { db in try names(db) } == [])
  }

  @Test func `TXN-03: a failed savepoint does not undo the rest of the transaction`()
    throws
  {
    try withDatabase { db in
      try db.inTransaction {
        try Item.cup.insert(db)
        #expect(throws: DatabaseError.self) {
          try db.inSavepoint {
            try Item.pot.insert(db)
            try Item.cup.insert(db)
            return .commit
          }
        }
        return .commit
      }
      #expect(try names(db) == ["cup"])
    }
  }

  @Test func `a transaction can end while a cursor is open`() throws {
    let shop = try Shop()
    for end in [Database.TransactionCompletion.commit, .rollback] {
      try shop.pool.writeWithoutTransaction { db in
        let cursor = try Item.fetchCursor(db, sql: "SELECT * FROM item")
        try db.inTransaction {
          _ = try cursor.next()
          try db.execute(sql: Self.insert, arguments: ["\(end)"])
          return end
        }
        #expect(!db.isInsideTransaction)
      }
    }
    let names = try shop.pool.read { db in try self.names(db) }
    #expect(names == ["cup", "pot", "commit"])
  }

  // MARK: Transactions that SQLite rolled back

  @Test func `a transaction that SQLite rolled back fails`() throws {
    let shop = try Shop()
    #expect(throws: (any Error).self) {
      try shop.pool.write { db in
        try db.execute(sql: "INSERT INTO item VALUES (3, 'acknowledged', 1)")
        try? db.execute(sql: "INSERT OR ROLLBACK INTO item VALUES (1, 'dup', 1)")
      }
    }
  }

  @Test func `nothing is written after SQLite has rolled the transaction back`() throws {
    struct Undo: Error {}
    let shop = try Shop()
    try? shop.pool.write { db in
      try? db.execute(sql: "INSERT OR ROLLBACK INTO item VALUES (1, 'dup', 1)")
      try db.execute(sql: "INSERT INTO item VALUES (4, 'leaked', 1)")
      throw Undo()
    }
    let names = try shop.pool.read { db in try String.fetchAll(db, sql: "SELECT name FROM item") }
    #expect(names == ["cup", "pot"])
  }

  @Test func `a swallowed cancellation in a savepoint still cancels the write`() async throws {
    let shop = try Shop()
    let pool = shop.pool
    let began = AsyncStream.makeStream(of: Void.self)
    let write = Task {
      try await pool.write { db in
        try? db.inSavepoint {
          began.continuation.yield()
          _ = try Int.fetchOne(db, sql: EndlessQuery.sql)
          return .commit
        }
        try db.execute(sql: "DELETE FROM item")
      }
    }
    for await _ in began.stream { break }
    write.cancel()
    await #expect(throws: CancellationError.self) { try await write.value }
  }
}
