import CWellspringSQLite
import Testing
import TestSupport

@testable import Storage
@testable import StorageTestSupport

/// The rows that the hook of a real connection only counts, because they add no change.
///
/// The tables are `item` with ten rows, and `other` with three. The prices of the items are
/// observed unless a test says otherwise.
@Suite struct RowFilterTests {
  private static let schema = """
    \(Item.schema);
    CREATE TABLE other (x);
    WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10)
      INSERT INTO item SELECT i, 'cup', i FROM n;
    INSERT INTO other VALUES (1), (2), (3)
    """

  private static let prices = DatabaseRegion(table: "item", columns: ["price"])

  /// Changes the price of each item.
  private static let update = "UPDATE item SET price = price + 1"

  private func observe(
    _ region: DatabaseRegion,
    in queue: DatabaseQueue
  ) -> AnyDatabaseCancellable {
    DatabaseRegionObservation(tracking: region).start(in: queue) { _ in
    } onChange: { _ in
    }
  }

  /// Runs a test in an access to a database, outside a transaction.
  private func withItems(
    observing region: DatabaseRegion? = RowFilterTests.prices,
    _ body: (Database) throws -> Void
  ) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: Self.schema) }
    let cancellable = region.map { observe($0, in: queue) }
    defer { cancellable?.cancel() }
    try queue.writeWithoutTransaction(body)
  }

  /// Returns how many rows are only counted in a transaction, which is rolled back.
  private func counted(_ db: Database, _ operations: () throws -> Void) throws -> Int64 {
    var count: Int64 = 0
    try db.inTransaction {
      try operations()
      count = db.changeTracker.rows.takeCount()
      return .rollback
    }
    return count
  }

  // MARK: Settled tables

  private static let statements: [(sql: String, count: Int64)] = [
    // After the first row, the table has changed for all observers.
    (update, 9),
    ("DELETE FROM item", 9),
    ("UPDATE other SET x = 0", 2),
    // Rows without a change do not settle the table, and the tenth row does.
    ("UPDATE item SET name = 'pot'", 0),
    ("UPDATE item SET price = price", 0),
    ("UPDATE item SET price = price + (id = 10)", 0),
    ("UPDATE item SET price = price + (id = 10); UPDATE item SET name = 'pot'", 10),
    // After updates, the first row of another kind is passed on.
    ("\(update); DELETE FROM item", 18),
    ("\(update); UPDATE item SET id = id + 100", 18),
    ("\(update); INSERT INTO item VALUES (11, 'pot', 1), (12, 'jug', 1)", 10),
    ("DELETE FROM item WHERE id > 5; \(update); INSERT INTO item VALUES (11, 'pot', 1)", 10),
    // One table is settled at a time.
    ("\(update); UPDATE other SET x = 0; \(update)", 20),
  ]

  @Test(arguments: statements)
  func `rows that add no change are only counted`(sql: String, count: Int64) throws {
    try withItems { db in
      let rows = try counted(db) { try db.execute(sql: sql) }
      #expect(rows == count)
    }
  }

  @Test(arguments: [update, "DELETE FROM item", "UPDATE item SET id = id + 100"])
  func `each row is passed on where single rows are observed`(sql: String) throws {
    try withItems(observing: DatabaseRegion(table: "item", rowIDs: [1])) { db in
      let rows = try counted(db) { try db.execute(sql: sql) }
      #expect(rows == 0)
    }
  }

  private static let interruptions: [(sql: String, count: Int64)] = [
    ("SELECT 1", 19), ("SAVEPOINT b", 19), ("RELEASE a", 19),
    // The changes of the table are undone.
    ("ROLLBACK TO a", 18),
    // SQLite may have undone a change of the schema, and read the names of the tables again.
    ("INSERT INTO item VALUES (1, 'twice', 1)", 18),
  ]

  @Test(arguments: interruptions)
  func `a rollback to a savepoint, and a failure, end the settlement of a table`(
    sql: String,
    count: Int64
  ) throws {
    try withItems { db in
      let rows = try counted(db) {
        try db.execute(sql: "SAVEPOINT a")
        try db.execute(sql: Self.update)
        try? db.execute(sql: sql)
        try db.execute(sql: Self.update)
      }
      #expect(rows == count)
    }
  }

  @Test func `each transaction begins without a settled table and without a count`() throws {
    try withItems { db in
      try db.inTransaction {
        try db.execute(sql: Self.update)
        return .commit
      }
      let rows = try counted(db) { try db.execute(sql: Self.update) }
      #expect(rows == 9)
    }
  }

  // SQLite may give the address of a name to another table then.
  @Test func `no table is settled after the raw handle has changed the schema`() throws {
    try withItems { db in
      let rows = try counted(db) {
        let sql = "CREATE TABLE raw (x)"
        let code = sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil)
        #expect(code == SQLITE_OK)
        try db.execute(sql: Self.update)
      }
      #expect(rows == 0)
    }
  }

  // MARK: Receivers

  /// Counts the rows that an observer of transactions, or a recorder, receives.
  private final class RowCounter: TransactionObserver, ChangeRecorder {
    private(set) var events = 0
    private(set) var rows = 0
    var runsInternalStatements = false

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) { events += 1 }

    func rowWillChange(
      _ row: PreupdateRow,
      _ schema: UnsafePointer<CChar>,
      _ table: UnsafePointer<CChar>
    ) {
      rows += 1
    }

    func statementWillRun(_ statement: Statement) throws {}
    func specialStatementDidRun(_ statement: Statement) {}
    func endImplicitTransaction(of statement: Statement) throws {}
    func statementDidEnd(_ statement: Statement, hasFailed: Bool) {}
    func mayCommit() -> Bool { true }
    func takeRefusal() -> (any Error)? { nil }
    func didRollBack() {}
    func contentWasReplaced() {}
  }

  @Test func `an observer of transactions gets each row from its addition on`() throws {
    try withItems { db in
      let counter = RowCounter()
      let rows = try counted(db) {
        try db.execute(sql: Self.update)
        db.add(transactionObserver: counter)
        try db.execute(sql: Self.update)
      }
      #expect(rows == 9)
      #expect(counter.events == 10)
    }
  }

  @Test func `a recorder gets the rows of a settled table too`() throws {
    try withItems { db in
      let counter = RowCounter()
      db.setChangeRecorder(counter)
      let rows = try counted(db) { try db.execute(sql: Self.update) }
      db.setChangeRecorder(nil)
      #expect(rows == 9)
      #expect(counter.rows == 10)
      let later = try counted(db) { try db.execute(sql: Self.update) }
      #expect(later == 9)
      #expect(counter.rows == 10)
    }
  }

  @Test func `without observations, rows are not even counted`() throws {
    try withItems(observing: nil) { db in
      let rows = try counted(db) { try db.execute(sql: Self.update) }
      #expect(rows == 0)
    }
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: Self.schema) }
    let cancellable = observe(Self.prices, in: queue)
    var counts: [Int64] = []
    for _ in 1...2 {
      try queue.writeWithoutTransaction { db in
        counts.append(try counted(db) { try db.execute(sql: Self.update) })
      }
      cancellable.cancel()
    }
    #expect(counts == [9, 0])
  }

  // MARK: The filter of a connection

  @Test(arguments: [true, false])
  func `an access inside another access on the same thread has its own filter`(
    isInnerObserved: Bool
  ) throws {
    try withItems { outer in
      var innerRows: Int64 = 0
      let outerRows = try counted(outer) {
        try outer.execute(sql: Self.update)
        try withItems(observing: isInnerObserved ? Self.prices : nil) { inner in
          innerRows = try counted(inner) {
            try inner.execute(sql: Self.update)
            // The filter of the outer access is found by its connection.
            try outer.execute(sql: Self.update)
          }
        }
        // The inner database is closed, and its filter is deallocated.
        try outer.execute(sql: Self.update)
      }
      #expect(outerRows == 29)
      #expect(innerRows == (isInnerObserved ? 9 : 0))
    }
  }

  @Test func `a connection that is lent to another thread keeps its filter`() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in try db.execute(sql: Self.schema) }
    let cancellable = observe(Self.prices, in: queue)
    let count = try await queue.writeWithoutTransaction { db -> Int64 in
      guard let lent = queue.lentWriter else { return -1 }
      return try counted(db) {
        try db.execute(sql: Self.update)
        try onAnotherThread {
          try lent.use { db in try db.execute(sql: Self.update) }
        }
      }
    }
    #expect(count == 19)
    cancellable.cancel()
  }
}
