import CWellspringSQLite
import Storage
import Testing

@testable import StorageTestSupport

/// Writes down the events that it gets.
private final class Log: TransactionObserver {
  var lines: [String] = []
  var kinds: (DatabaseEventKind) -> Bool = { _ in true }
  var willCommit: () throws -> Void = {}
  var didCommit: (Database) -> Void = { _ in }
  var didRollback: (Database) -> Void = { _ in }
  var showsValues = false
  var stopsAfterFirst = false

  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { kinds(kind) }

  func databaseWillChange(with event: DatabasePreUpdateEvent) {
    guard showsValues else { return }
    func text(_ values: [DatabaseValue]?) -> String {
      values.map { $0.map(\.description).joined(separator: ",") } ?? "-"
    }
    lines.append("\(text(event.initialDatabaseValues)) → \(text(event.finalDatabaseValues))")
  }

  func databaseDidChange(with event: DatabaseEvent) {
    let old = event.previousRowID.map { "\($0)→" } ?? ""
    lines.append("\(event.kind) \(event.tableName) \(old)\(event.rowID.map(String.init) ?? "-")")
    if stopsAfterFirst { stopObservingDatabaseChangesUntilNextTransaction() }
  }

  func databaseDidChange() { lines.append("unspecified") }

  func databaseWillCommit() throws {
    lines.append("will")
    try willCommit()
  }

  func databaseDidCommit(_ db: Database) {
    lines.append("commit")
    didCommit(db)
  }

  func databaseDidRollback(_ db: Database) {
    lines.append("rollback")
    didRollback(db)
  }

  /// The lines since the last call.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

@Suite struct TransactionObserverTests {
  /// Runs a test with an observer in an access to a database that holds the items 1 and 2.
  private func observing(_ body: (Database, Log) throws -> Void) throws {
    try withDatabase { db in
      try db.execute(sql: "INSERT INTO item VALUES (1, 'cup', 4), (2, 'pot', NULL)")
      let log = Log()
      db.add(transactionObserver: log)
      try withExtendedLifetime(log) { try body(db, log) }
    }
  }

  // MARK: Rows

  static let statements: [(sql: String, lines: [String])] = [
    ("INSERT INTO item VALUES (3, 'mug', 1)", ["insert item 3"]),
    ("UPDATE item SET price = 1 WHERE id = 1", ["update item 1"]),
    ("UPDATE item SET id = 9 WHERE id = 1", ["update item 1→9"]),
    ("DELETE FROM item WHERE id = 2", ["delete item 2"]),
    ("DELETE FROM item", ["delete item 1", "delete item 2"]),
    ("REPLACE INTO item VALUES (1, 'jug', 1)", ["delete item 1", "insert item 1"]),
    ("INSERT INTO item VALUES (1,'x',1) ON CONFLICT DO UPDATE SET name = 'y'", ["update item 1"]),
    ("UPDATE item SET price = 1 WHERE id = 77", []),
  ]

  @Test(arguments: statements)
  func `A-100: each changed row is an event, and then the commit`(
    sql: String,
    lines: [String]
  ) throws {
    try observing { db, log in
      try db.execute(sql: sql)
      #expect(log.take() == lines + ["will", "commit"])
    }
  }

  @Test func `tables without row ids, triggers and cascades have events`() throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE word (text TEXT PRIMARY KEY) WITHOUT ROWID;
          CREATE TABLE part (id INTEGER PRIMARY KEY, item REFERENCES item ON DELETE CASCADE);
          CREATE TRIGGER gone AFTER DELETE ON part BEGIN INSERT INTO word VALUES (old.id); END;
          INSERT INTO item VALUES (1, 'cup', 4);
          INSERT INTO part VALUES (5, 1)
          """
      )
      let log = Log()
      db.add(transactionObserver: log)
      try db.execute(sql: "DELETE FROM item")
      #expect(
        log.take() == ["delete item 1", "delete part 5", "insert word -", "will", "commit"]
      )
    }
  }

  @Test func `A-103: the values before and after a change are available during the change`() throws
  {
    try observing { db, log in
      log.showsValues = true
      try db.execute(sql: "UPDATE item SET price = 5 WHERE id = 1")
      #expect(
        log.take() == ["1,'cup',4.0 → 1,'cup',5.0", "update item 1", "will", "commit"]
      )
      try db.execute(sql: "DELETE FROM item WHERE id = 2; INSERT INTO item VALUES (3, 'x', 1.5)")
      #expect(log.take().filter { $0.contains("→") } == ["2,'pot',NULL → -", "- → 3,'x',1.5"])
    }
  }

  @Test(arguments: ["", "WITHOUT ROWID"])
  func `A-103: virtual generated columns have no values`(option: String) throws {
    try observing { db, log in
      try db.execute(
        sql: """
          CREATE TABLE g (double AS (x * 2), x, k PRIMARY KEY, y) \(option);
          INSERT INTO g VALUES (1, 'k', 2)
          """
      )
      _ = log.take()
      log.showsValues = true
      try db.execute(sql: "UPDATE g SET y = 3; DELETE FROM g")
      let values = log.take().filter { $0.contains("→") }
      #expect(values == ["1,'k',2 → 1,'k',3", "1,'k',3 → -"])
    }
  }

  @Test func `an observer gets only the kinds of events that it wants`() throws {
    try observing { db, log in
      log.kinds = { kind in
        if case .update("item", let columns) = kind { return columns.contains("price") }
        return false
      }
      try db.inTransaction {
        try db.execute(sql: "UPDATE item SET name = 'x' WHERE id = 1")
        try db.execute(sql: "UPDATE item SET price = 7 WHERE id = 2")
        try db.execute(sql: "DELETE FROM item WHERE id = 1")
        return .commit
      }
      #expect(log.take() == ["update item 2", "will", "commit"])
    }
  }

  @Test func `an observer can stop until the next transaction`() throws {
    try observing { db, log in
      log.stopsAfterFirst = true
      try db.execute(sql: "UPDATE item SET price = 1")
      #expect(log.take() == ["update item 1", "will", "commit"])
      try db.execute(sql: "UPDATE item SET price = 2")
      #expect(log.take() == ["update item 1", "will", "commit"])
    }
  }

  @Test func `writes through the raw handle have events`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: Item.schema) }
    let log = Log()
    log.kinds = { $0 == .insert(tableName: "item") }
    try queue.writeWithoutTransaction { db in
      db.add(transactionObserver: log)
      let sql = "INSERT INTO item VALUES (4, 'raw', 1); UPDATE item SET price = 2"
      #expect(sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil) == SQLITE_OK)
    }
    // An update of the raw handle goes to every observer that is interested in the table.
    #expect(log.take() == ["insert item 4", "will", "update item 4", "will", "commit"])
  }

  // MARK: Undone changes

  @Test func `a failed statement and a savepoint that was rolled back have no events`() throws {
    try observing { db, log in
      try db.inTransaction {
        // SQLite inserts row 3 before row 1 fails.
        #expect(throws: DatabaseError.self) {
          try db.execute(sql: "INSERT INTO item VALUES (3, 'x', 1), (1, 'y', 1)")
        }
        #expect(log.take() == [])
        #expect(throws: DatabaseError.self) {
          try db.execute(sql: "INSERT OR FAIL INTO item VALUES (4, 'x', 1), (1, 'y', 1)")
        }
        #expect(log.take() == ["insert item 4"])
        try db.execute(sql: "SAVEPOINT outer")
        try db.execute(sql: "UPDATE item SET price = 1 WHERE id = 1")
        try db.execute(sql: "SAVEPOINT inner")
        try db.execute(sql: "UPDATE item SET price = 1 WHERE id = 2")
        try db.execute(sql: "ROLLBACK TO inner")
        try db.execute(sql: "RELEASE inner")
        #expect(log.take() == [])
        try db.execute(sql: "RELEASE outer")
        #expect(log.take() == ["update item 1"])
        return .commit
      }
      #expect(log.take() == ["will", "commit"])
    }
  }

  @Test func `a rollback is an event, and undone changes are none`() throws {
    try observing { db, log in
      try db.inTransaction {
        try db.inSavepoint {
          try db.execute(sql: "DELETE FROM item")
          return .commit
        }
        return .rollback
      }
      #expect(log.take() == ["delete item 1", "delete item 2", "rollback"])
      #expect(throws: DatabaseError.self) {
        try db.inTransaction {
          try db.execute(sql: "INSERT OR ROLLBACK INTO item VALUES (1, 'x', 1)")
          return .commit
        }
      }
      #expect(log.take() == ["rollback"])
    }
  }

  @Test func `a transaction that is left open counts as rolled back`() throws {
    let queue = try DatabaseQueue()
    let log = Log()
    #expect(throws: DatabaseError.self) {
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: Item.schema)
        db.add(transactionObserver: log)
        try db.execute(sql: "BEGIN; INSERT INTO item VALUES (1, 'x', 1)")
      }
    }
    #expect(log.take() == ["insert item 1", "rollback"])
  }

  // MARK: The veto

  struct Refusal: Error {}

  @Test func `an observer that throws refuses the commit`() throws {
    let queue = try DatabaseQueue()
    let log = Log()
    try queue.write { db in
      try db.execute(sql: Item.schema)
      db.add(transactionObserver: log)
    }
    _ = log.take()
    log.willCommit = { throw Refusal() }
    #expect(throws: Refusal.self) {
      try queue.write { db in try Item.cup.insert(db) }
    }
    #expect(log.take() == ["insert item 1", "will", "rollback"])
    #expect(throws: Refusal.self) {
      try queue.writeWithoutTransaction { db in try Item.cup.insert(db) }
    }
    log.willCommit = {}
    #expect(try queue.read { db in try Item.fetchAll(db, sql: "SELECT * FROM item") } == [])
    try queue.write { db in try Item.pot.insert(db) }
    #expect(log.take().suffix(3) == ["insert item 2", "will", "commit"])
  }

  @Test func `a refused commit shows observations nothing`() async throws {
    let shop = try Shop()
    let log = SendableLog()
    shop.pool.add(transactionObserver: log)
    let (recorder, cancellable) = Shop.items.record(in: shop.pool)
    _ = try await recorder.nextValue()
    log.refuses = true
    await #expect(throws: Refusal.self) {
      try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item") }
    }
    log.refuses = false
    try await shop.pool.write { db in try db.execute(sql: "DELETE FROM item WHERE id = 1") }
    #expect(try await recorder.nextValue() == [.pot])
    cancellable.cancel()
  }

  private final class SendableLog: TransactionObserver, @unchecked Sendable {
    // Safe to share: the tests change it only between writes.
    var refuses = false
    var commits = 0
    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { false }
    func databaseWillCommit() throws { if refuses { throw Refusal() } }
    func databaseDidCommit(_ db: Database) { commits += 1 }
  }

  // MARK: Extents

  @Test func `an observer gets events as long as its extent says`() throws {
    let queue = try DatabaseQueue()
    weak var weakLog: Log?
    weak var longLog: Log?
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: Item.schema)
      let once = Log()
      db.add(transactionObserver: once, extent: .nextTransaction)
      var forever: Log? = Log()
      db.add(transactionObserver: forever!, extent: .databaseLifetime)
      longLog = forever
      forever = nil
      var short: Log? = Log()
      db.add(transactionObserver: short!)
      weakLog = short
      try Item.cup.insert(db)
      #expect(once.take() == ["insert item 1", "will", "commit"])
      #expect(short?.take() == ["insert item 1", "will", "commit"])
      short = nil
      try Item.pot.insert(db)
      #expect(once.take() == [])
      db.remove(transactionObserver: longLog!)
    }
    #expect(weakLog == nil)
    #expect(longLog == nil)
  }

  @Test func `an observer that is added to a database gets the next transactions`() throws {
    let shop = try Shop()
    let log = SendableLog()
    try shop.pool.write { db in
      // Adding the observer does not wait for the running write.
      shop.pool.add(transactionObserver: log)
      try db.execute(sql: "DELETE FROM item")
    }
    #expect(log.commits == 0)
    try shop.pool.write { db in try Item.cup.insert(db) }
    #expect(log.commits == 1)
    shop.pool.remove(transactionObserver: log)
    try shop.pool.write { db in try Item.pot.insert(db) }
    #expect(log.commits == 1)
  }

  /// Whether SQLite empties a table in one step, which it does when no hook wants to see the rows.
  private func truncates(_ queue: DatabaseQueue) throws -> Bool {
    try queue.writeWithoutTransaction { db in
      try Row.fetchAll(db, sql: "EXPLAIN DELETE FROM item").contains { $0["opcode"] == "Clear" }
    }
  }

  @Test func `rows cost nothing while no observer wants them`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: Item.schema) }
    #expect(try truncates(queue))
    try queue.write { db in
      let log = Log()
      db.add(transactionObserver: log, extent: .nextTransaction)
    }
    var log: Log? = Log()
    try queue.write { db in db.add(transactionObserver: log!) }
    #expect(try !truncates(queue))
    #expect(log != nil)
    log = nil
    #expect(try truncates(queue))
  }

  @Test func `P10: the connection can be used after a commit`() throws {
    try observing { db, log in
      log.didCommit = { db in
        guard log.lines.count < 6 else { return }
        try! db.inTransaction {
          try db.execute(sql: "UPDATE item SET price = 100 WHERE id = 2")
          return .commit
        }
      }
      try db.execute(sql: "UPDATE item SET price = 1 WHERE id = 1")
      #expect(
        log.take() == [
          "update item 1", "will", "commit", "update item 2", "will", "commit",
        ]
      )
      #expect(try Double.fetchOne(db, sql: "SELECT price FROM item WHERE id = 2") == 100)
    }
  }

  private struct Undone: Error {}

  @Test
  func `P10: the connection can be used after a rollback, which stays a rollback for the caller`()
    throws
  {
    try observing { db, log in
      var ends: [String] = []
      var counts: [Int?] = []
      log.didRollback = { db in
        counts.append(try? Int.fetchOne(db, sql: "SELECT count(*) FROM item"))
      }
      for sql in ["DELETE FROM item", "INSERT OR ROLLBACK INTO item VALUES (1, 'twice', 1)"] {
        try? db.inTransaction {
          db.afterNextTransaction(
            onCommit: { _ in ends.append("commit") },
            onRollback: { _ in ends.append("rollback") }
          )
          try db.execute(sql: sql)
          throw Undone()
        }
      }
      #expect(ends == ["rollback", "rollback"])
      #expect(counts == [2, 2])
    }
  }

  @Test
  func
    `P10: an error after a commit leaves the commit valid for the caller, and the connection usable`()
    throws
  {
    try observing { db, log in
      var ends: [String] = []
      log.didCommit = { db in
        guard log.lines.count(where: { $0 == "commit" }) == 1 else { return }
        #expect(throws: DatabaseError.self) {
          try db.execute(sql: "INSERT INTO item VALUES (1, 'twice', 1)")
        }
        #expect(throws: Undone.self) {
          try db.inTransaction {
            try db.execute(sql: "DELETE FROM item")
            throw Undone()
          }
        }
        let count = try? Int.fetchOne(db, sql: "SELECT count(*) FROM item")
        #expect(count == 2)
      }
      try db.inTransaction {
        db.afterNextTransaction(
          onCommit: { _ in ends.append("commit") },
          onRollback: { _ in ends.append("rollback") }
        )
        try db.execute(sql: "UPDATE item SET price = 1")
        return .commit
      }
      #expect(ends == ["commit"])
    }
  }

  /// Counts the events of rows.
  private final class Counter: TransactionObserver {
    var count = 0
    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) { count += 1 }
  }

  // A released observer and the next observer often have the same memory.
  @Test func `an observer at the address of a released one gets events`() throws {
    try withDatabase { db in
      try Item.cup.insert(db)
      try db.inTransaction {
        for price in 1...100 {
          let counter = Counter()
          db.add(transactionObserver: counter)
          try db.execute(sql: "UPDATE item SET price = ?", arguments: [price])
          #expect(counter.count == 1)
        }
        return .commit
      }
    }
  }

  // MARK: Transactions that change nothing

  @Test(arguments: [
    "BEGIN DEFERRED; COMMIT", "BEGIN IMMEDIATE; COMMIT", "BEGIN; SELECT * FROM item; END",
    "SAVEPOINT a; RELEASE a", "BEGIN; SAVEPOINT a; RELEASE a; COMMIT",
  ])
  func `an empty transaction is committed like any other one, and can be refused`(
    sql: String
  ) throws {
    try observing { db, log in
      try db.execute(sql: sql)
      #expect(log.take() == ["will", "commit"])
      log.willCommit = { throw Refusal() }
      #expect(throws: Refusal.self) { try db.execute(sql: sql) }
      #expect(log.take() == ["will", "rollback"])
      #expect(!db.isInsideTransaction)
      log.willCommit = {}
      try db.execute(sql: "DELETE FROM item WHERE id = 1")
      #expect(log.take() == ["delete item 1", "will", "commit"])
    }
  }

  @Test func `a closure is notified that the commit of an empty transaction was refused`() throws {
    try observing { db, log in
      log.willCommit = { throw Refusal() }
      var ends: [String] = []
      #expect(throws: Refusal.self) {
        try db.inTransaction(.deferred) {
          db.afterNextTransaction(
            onCommit: { _ in ends.append("commit") },
            onRollback: { _ in ends.append("rollback") }
          )
          return .commit
        }
      }
      #expect(ends == ["rollback"])
      try db.inTransaction(.deferred) { .rollback }
      #expect(log.take() == ["will", "rollback", "rollback"])
    }
  }

  @Test func `reads are no transactions of the writer`() throws {
    let queue = try DatabaseQueue()
    let log = Log()
    try queue.writeWithoutTransaction { db in db.add(transactionObserver: log) }
    try queue.read { db in _ = try Int.fetchOne(db, sql: "SELECT 1") }
    #expect(log.take() == [])
  }

  @Test func `a statement that fails outside a transaction is no rollback`() throws {
    try observing { db, log in
      let insert = "INSERT INTO item VALUES (3, 'x', 1), (1, 'y', 1)"
      #expect(throws: DatabaseError.self) { try db.execute(sql: insert) }
      #expect(log.take() == [])
      sqlite3_exec(db.sqliteConnection, insert, nil, nil, nil)
      #expect(log.take() == [])
      try db.execute(sql: "DELETE FROM item WHERE id = 2")
      #expect(log.take() == ["delete item 2", "will", "commit"])
      #expect(throws: DatabaseError.self) {
        try db.inTransaction {
          try db.execute(sql: insert)
          return .commit
        }
      }
      // The second row makes the statement fail: SQLite has already inserted the first one.
      #expect(log.take() == ["rollback"])
    }
  }

  @Test func `commits and rollbacks of the raw handle come in their order`() throws {
    try observing { db, log in
      try db.execute(sql: "BEGIN; DELETE FROM item WHERE id = 1")
      _ = log.take()
      sqlite3_exec(db.sqliteConnection, "COMMIT; BEGIN; ROLLBACK", nil, nil, nil)
      try db.execute(sql: "SELECT 1")
      #expect(log.take() == ["will", "commit", "rollback"])
    }
  }

  // MARK: Undetected changes

  @Test func `changes in the full database concern observers of any table`() throws {
    try observing { db, log in
      log.kinds = { $0.tableName == "other" }
      try db.notifyChanges(in: .fullDatabase)
      #expect(log.take() == ["commit"])
      log.kinds = { $0.tableName == "item" }
      db.remove(transactionObserver: log)
      db.add(transactionObserver: log)
      try db.notifyChanges(in: .fullDatabase)
      #expect(log.take() == ["unspecified", "commit"])
    }
  }
}
