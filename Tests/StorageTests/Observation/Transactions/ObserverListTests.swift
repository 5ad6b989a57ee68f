import Testing

@testable import Storage
@testable import StorageTestSupport

/// Writes down the calls that a list of observers makes.
private final class EventLog: TransactionObserver {
  private var lines: [String] = []
  /// How often the list has asked for the wanted kinds of events.
  private(set) var questions = 0

  var wants: (DatabaseEventKind) -> Bool = { _ in true }
  var mayCommit: () throws -> Void = {}
  var wasCalled: (ObserverListTests.Callback) -> Void = { _ in }

  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
    questions += 1
    return wants(kind)
  }

  func databaseWillChange(with event: DatabasePreUpdateEvent) { wasCalled(.willChange) }

  func databaseDidChange(with event: DatabaseEvent) {
    let old = event.previousRowID.map { "\($0)→" } ?? ""
    let new = event.rowID.map { "\($0)" } ?? "-"
    lines.append("\(event.kind) \(old)\(new)")
    wasCalled(.didChange)
  }

  func databaseDidChange() { lines.append("unspecified") }

  func databaseWillCommit() throws {
    lines.append("will")
    wasCalled(.willCommit)
    try mayCommit()
  }

  func databaseDidCommit(_ db: Database) {
    lines.append("commit")
    wasCalled(.didCommit)
  }

  func databaseDidRollback(_ db: Database) {
    lines.append("rollback")
    wasCalled(.didRollback)
  }

  /// The lines since the last call.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

/// The observers of a real connection's transactions.
@Suite struct ObserverListTests {
  /// The calls of an observer.
  enum Callback: CaseIterable, Sendable {
    case willChange
    case didChange
    case willCommit
    case didCommit
    case didRollback
  }

  private static let deleteFirst = "DELETE FROM item WHERE id = 1"
  private static let deleteSecond = "DELETE FROM item WHERE id = 2"

  /// Runs a test in an access to a database that holds the items 1 and 2.
  private func withItems(_ body: (Database, ObserverList) throws -> Void) throws {
    try withDatabase { db in
      try db.execute(sql: "INSERT INTO item VALUES (1, 'cup', 4), (2, 'pot', NULL)")
      try body(db, db.changeTracker.observers)
    }
  }

  // MARK: Observers

  @Test func `an observer is in the list once, until it is removed`() throws {
    try withItems { db, list in
      let log = EventLog()
      let other = EventLog()
      #expect(list.isEmpty)
      for _ in 1...2 { db.add(transactionObserver: log) }
      db.remove(transactionObserver: other)
      #expect(list.observations.map(\.id) == [ObjectIdentifier(log)])
      try db.execute(sql: Self.deleteFirst)
      #expect(log.take() == ["delete 1", "will", "commit"])
      db.remove(transactionObserver: log)
      #expect(list.isEmpty)
      try db.execute(sql: Self.deleteSecond)
      #expect(log.take() == [])
    }
  }

  @Test func `an observation of ends of transactions wants no events of rows`() throws {
    try withItems { db, list in
      let ends = EventLog()
      let rows = EventLog()
      list.add(TransactionObservation(ends, extent: .observerLifetime, wantsEvents: false))
      #expect(!list.wantsEvents)
      db.add(transactionObserver: rows)
      #expect(list.wantsEvents)
      try db.execute(sql: Self.deleteFirst)
      #expect(ends.take() == ["will", "commit"])
      #expect(rows.take() == ["delete 1", "will", "commit"])
      db.remove(transactionObserver: ends)
      #expect(list.wantsEvents)
      db.remove(transactionObserver: rows)
      #expect(!list.wantsEvents)
    }
  }

  private static let extents: [(TransactionObservationExtent, released: Int, ended: Int)] = [
    (.observerLifetime, 0, 0), (.nextTransaction, 1, 0), (.databaseLifetime, 1, 1),
  ]

  @Test(arguments: extents)
  func `a released observer stays in the list as long as its extent says`(
    extent: TransactionObservationExtent,
    released: Int,
    ended: Int
  ) throws {
    try withItems { db, list in
      do {
        let log = EventLog()
        db.add(transactionObserver: log, extent: extent)
      }
      list.prune()
      #expect(list.observations.count == released)
      try db.execute(sql: Self.deleteFirst)
      #expect(list.observations.count == ended)
    }
  }

  // MARK: Events

  private static let savepoints: [(sql: String, early: [String], late: [String])] = [
    (deleteFirst, ["delete 1"], []),
    ("SAVEPOINT a; \(deleteFirst)", [], ["delete 1"]),
    ("SAVEPOINT a; \(deleteFirst); RELEASE a", ["delete 1"], []),
    ("SAVEPOINT a; SAVEPOINT b; \(deleteFirst); RELEASE b", [], ["delete 1"]),
    ("SAVEPOINT a; SAVEPOINT b; \(deleteFirst); RELEASE a", ["delete 1"], []),
    ("SAVEPOINT A; \(deleteFirst); ROLLBACK TO a; RELEASE a", [], []),
    ("SAVEPOINT a; \(deleteFirst); ROLLBACK TO a; \(deleteSecond)", [], ["delete 2"]),
    (
      "SAVEPOINT a; \(deleteFirst); SAVEPOINT b; \(deleteSecond); ROLLBACK TO b; RELEASE a",
      ["delete 1"], []
    ),
    (
      "SAVEPOINT a; \(deleteFirst); SAVEPOINT b; \(deleteSecond); ROLLBACK TO a; RELEASE a",
      [], []
    ),
    // A name means the innermost savepoint.
    (
      "SAVEPOINT a; \(deleteFirst); SAVEPOINT a; \(deleteSecond); ROLLBACK TO a; RELEASE a",
      [], ["delete 1"]
    ),
    (
      "\(deleteFirst); SAVEPOINT a; \(deleteSecond); ROLLBACK TO a; RELEASE a",
      ["delete 1"], []
    ),
  ]

  @Test(arguments: savepoints)
  func `events wait for the end of the outermost savepoint`(
    sql: String,
    early: [String],
    late: [String]
  ) throws {
    try withItems { db, _ in
      let log = EventLog()
      db.add(transactionObserver: log)
      try db.inTransaction {
        try db.execute(sql: sql)
        #expect(log.take() == early)
        return .commit
      }
      #expect(log.take() == late + ["will", "commit"])
    }
  }

  private static let failures: [(action: String, lines: [String])] = [
    ("ABORT", ["update 1"]),
    ("FAIL", ["update 1", "insert 3"]),
    ("IGNORE", ["update 1", "insert 3"]),
    ("REPLACE", ["update 1", "insert 3", "delete 1", "insert 1"]),
  ]

  @Test(arguments: failures)
  func `a failed statement has the events of the rows that it keeps`(
    action: String,
    lines: [String]
  ) throws {
    try withItems { db, _ in
      let log = EventLog()
      db.add(transactionObserver: log)
      try db.inTransaction {
        try db.execute(sql: "SAVEPOINT a; UPDATE item SET price = 1 WHERE id = 1")
        try? db.execute(sql: "INSERT OR \(action) INTO item VALUES (3, 'jug', 1), (1, 'mug', 1)")
        try db.execute(sql: "RELEASE a")
        #expect(log.take() == lines)
        return .rollback
      }
      #expect(log.take() == ["rollback"])
    }
  }

  @Test func `a failed statement leaves the events of a statement that still returns rows`() throws
  {
    try withItems { db, _ in
      let log = EventLog()
      db.add(transactionObserver: log)
      try db.inTransaction {
        let cursor = try Row.fetchCursor(
          db,
          sql: "INSERT INTO item VALUES (3, 'jug', 1), (4, 'mug', 1) RETURNING id"
        )
        #expect(try cursor.next() != nil)
        #expect(throws: DatabaseError.self) { () throws in
          try db.execute(sql: "INSERT INTO item VALUES (5, 'can', 1), (1, 'pan', 1)")
        }
        try db.execute(sql: Self.deleteFirst)
        #expect(log.take() == [])
        while try cursor.next() != nil {}
        #expect(log.take() == ["insert 3", "insert 4", "delete 1"])
        return .commit
      }
      #expect(log.take() == ["will", "commit"])
    }
  }

  @Test func `events of a statement do not wait for a query that still returns rows`() throws {
    try withItems { db, _ in
      let log = EventLog()
      db.add(transactionObserver: log)
      try db.inTransaction {
        let cursor = try Row.fetchCursor(db, sql: "SELECT id FROM item")
        while let row = try cursor.next() {
          try db.execute(sql: "UPDATE item SET price = 7 WHERE id = ?", arguments: [row[0] as Int])
          #expect(log.take() == ["update \(row[0] as Int)"])
        }
        return .commit
      }
      #expect(log.take() == ["will", "commit"])
    }
  }

  /// What a function does inside an `INSERT`, and the events: at least those of the rows that
  /// stand.
  private static let innerStatements: [(inner: String, outer: String, lines: [String])] = [
    // SQLite undoes the inner statement where the outer one changes several rows, and does not say.
    (deleteFirst, "INSERT INTO item VALUES (3, 'jug', run(?)), (2, 'mug', 1)", ["delete 1"]),
    (deleteFirst, "INSERT INTO item VALUES (2, 'mug', run(?))", ["delete 1"]),
    (
      deleteFirst, "INSERT OR FAIL INTO item VALUES (3, 'jug', run(?)), (2, 'mug', 1)",
      ["delete 1", "insert 3"]
    ),
    (
      deleteFirst, "INSERT OR IGNORE INTO item VALUES (3, 'jug', run(?)), (2, 'mug', 1)",
      ["delete 1", "insert 3"]
    ),
    // The function catches the error.
    (
      "INSERT INTO item VALUES (8, 'can', 1), (2, 'pan', 1)",
      "INSERT INTO item VALUES (3, 'jug', run(?)), (2, 'mug', 1)", []
    ),
    (
      "INSERT INTO item VALUES (8, 'can', 1), (2, 'pan', 1)",
      "INSERT INTO item VALUES (3, 'jug', run(?)), (4, 'mug', 1)", ["insert 3", "insert 4"]
    ),
    (
      "INSERT OR FAIL INTO item VALUES (8, 'can', 1), (2, 'pan', 1)",
      "INSERT INTO item VALUES (3, 'jug', run(?)), (4, 'mug', 1)",
      ["insert 8", "insert 3", "insert 4"]
    ),
  ]

  @Test(arguments: innerStatements)
  func `a failed statement takes the events of its own rows back only`(
    inner: String,
    outer: String,
    lines: [String]
  ) throws {
    try withItems { db, _ in
      let log = EventLog()
      nonisolated(unsafe) unowned let connection = db
      db.add(
        function: DatabaseFunction("run", argumentCount: 1) { values in
          try? connection.execute(sql: String.fromDatabaseValue(values[0]) ?? "")
          return 1
        }
      )
      db.add(transactionObserver: log)
      try db.inTransaction {
        try? db.execute(sql: outer, arguments: [inner])
        let ids = try Int.fetchAll(db, sql: "SELECT id FROM item ORDER BY id")
        let events = log.take()
        #expect(events == lines)
        #expect(ids.contains(1) || events.contains("delete 1"))
        for id in ids where id > 2 { #expect(events.contains("insert \(id)")) }
        return .commit
      }
      #expect(log.take() == ["will", "commit"])
    }
  }

  private static let keptTriggerRows: [(sql: String, lines: [String])] = [
    ("INSERT OR FAIL INTO item VALUES (1, 'jug', 1)", ["insert 1"]),
    ("INSERT INTO item VALUES (1, 'jug', 1)", []),
    ("insert or\nfail into item values (1, 'jug', 1)", ["insert 1"]),
  ]

  @Test(arguments: keptTriggerRows)
  func `rows of a trigger that a failed statement keeps have events`(
    sql: String,
    lines: [String]
  ) throws {
    try withItems { db, _ in
      try db.execute(
        sql: """
          CREATE TABLE log (id INTEGER PRIMARY KEY, text);
          CREATE TRIGGER before BEFORE INSERT ON item BEGIN INSERT INTO log VALUES (NULL, 'x'); END
          """
      )
      let log = EventLog()
      db.add(transactionObserver: log)
      try db.inTransaction {
        #expect(throws: DatabaseError.self) { () throws in try db.execute(sql: sql) }
        let rows = try Int.fetchOne(db, sql: "SELECT count(*) FROM log")
        #expect(rows == lines.count)
        #expect(log.take() == lines)
        return .commit
      }
    }
  }

  @Test func `an open cursor of changed rows delays the events behind it, across savepoints`()
    throws
  {
    try withItems { db, _ in
      let log = EventLog()
      db.add(transactionObserver: log)
      try db.inTransaction {
        try db.execute(sql: "SAVEPOINT a")
        let first = try Row.fetchCursor(
          db,
          sql: "INSERT INTO item VALUES (3, 'jug', 1) RETURNING 1"
        )
        let second = try Row.fetchCursor(
          db,
          sql: "INSERT INTO item VALUES (4, 'mug', 1) RETURNING 1"
        )
        #expect(try first.next() != nil)
        #expect(try second.next() != nil)
        #expect(try first.next() == nil)
        try db.execute(sql: "UPDATE item SET price = 3 WHERE id = 1")
        #expect(try second.next() == nil)
        try db.execute(sql: "RELEASE a")
        #expect(log.take() == ["insert 3", "insert 4", "update 1"])
        return .commit
      }
      #expect(log.take() == ["will", "commit"])
    }
  }

  @Test func `a failed statement announces nothing while a changeset is recorded`() throws {
    try withItems { db, _ in
      let log = EventLog()
      db.add(transactionObserver: log)
      try db.inTransaction {
        _ = try db.recordChangeset {
          try? db.execute(sql: "INSERT INTO item VALUES (5, 'can', 1), (1, 'pan', 1)")
          #expect(log.take() == [])
          try db.execute(sql: Self.deleteFirst)
        }
        return .commit
      }
      #expect(log.take() == ["unspecified", "will", "commit"])
    }
  }

  @Test func `an observer that is added in a savepoint gets what the savepoint keeps`() throws {
    try withItems { db, _ in
      let log = EventLog()
      try db.inTransaction {
        try db.execute(sql: "SAVEPOINT a")
        db.add(transactionObserver: log)
        try db.execute(sql: "\(Self.deleteFirst); ROLLBACK TO a; \(Self.deleteSecond)")
        #expect(log.take() == [])
        try db.execute(sql: "RELEASE a")
        #expect(log.take() == ["delete 2"])
        return .commit
      }
      #expect(log.take() == ["will", "commit"])
    }
  }

  private static let endedSavepoints = [
    "BEGIN; SAVEPOINT a; COMMIT", "BEGIN; SAVEPOINT a; \(deleteSecond); COMMIT",
    "BEGIN; SAVEPOINT a; ROLLBACK", "SAVEPOINT a; SAVEPOINT b; RELEASE a",
  ]

  @Test(arguments: endedSavepoints)
  func `a savepoint that ended with its transaction delays no events`(sql: String) throws {
    try withItems { db, _ in
      try db.execute(sql: sql)
      let log = EventLog()
      db.add(transactionObserver: log)
      try db.inTransaction {
        try db.execute(sql: Self.deleteFirst)
        #expect(log.take() == ["delete 1"])
        return .commit
      }
      #expect(log.take() == ["will", "commit"])
    }
  }

  @Test func `changes without events of rows wait for savepoints too`() throws {
    try withItems { db, _ in
      let log = EventLog()
      let other = EventLog()
      log.wants = { $0.tableName == "item" }
      other.wants = { $0.tableName == "other" }
      db.add(transactionObserver: log)
      db.add(transactionObserver: other)
      let region = DatabaseRegion(table: "item")
      try db.inTransaction {
        try db.execute(sql: "SAVEPOINT a")
        try db.notifyChanges(in: region)
        try db.execute(sql: "ROLLBACK TO a")
        try db.notifyChanges(in: region)
        #expect(log.take() == [])
        try db.execute(sql: "RELEASE a")
        #expect(log.take() == ["unspecified"])
        return .commit
      }
      #expect(log.take() == ["will", "commit"])
      #expect(other.take() == ["will", "commit"])
    }
  }

  @Test func `an observer is asked once for each statement and kind, until the schema changes`()
    throws
  {
    try withItems { db, _ in
      let log = EventLog()
      db.add(transactionObserver: log)
      let update = try db.makeStatement(sql: "UPDATE item SET price = 1")
      try db.inTransaction {
        for _ in 1...3 { try update.execute() }
        #expect(log.questions == 1)
        // It deletes rows, and inserts rows.
        try db.execute(sql: "REPLACE INTO item VALUES (1, 'jug', 1), (2, 'mug', 1)")
        #expect(log.questions == 3)
        try db.execute(sql: "CREATE TABLE other (x)")
        try update.execute()
        #expect(log.questions == 4)
        // Either can undo a change of the schema.
        #expect(throws: DatabaseError.self) { () throws in
          try db.execute(sql: "SELECT abs(-9223372036854775808)")
        }
        try update.execute()
        #expect(log.questions == 5)
        try db.execute(sql: "SAVEPOINT a; ROLLBACK TO a")
        try update.execute()
        #expect(log.questions == 6)
        return .commit
      }
      try update.execute()
      #expect(log.questions == 7)
      try db.execute(sql: "DELETE FROM item WHERE id = 77")
      #expect(log.questions == 7)
    }
  }

  private static let oddTables: [(declaration: String, line: String)] = [
    ("(x)", "insert 7"),
    // The columns hide two names of the row id, which is 1.
    ("(rowid, oid)", "insert 1"),
    ("(rowid PRIMARY KEY) WITHOUT ROWID", "insert -"),
    ("(rowid PRIMARY KEY, oid) WITHOUT ROWID", "insert -"),
  ]

  @Test(arguments: oddTables)
  func `an event has the row id of a table, not a column with its name`(
    declaration: String,
    line: String
  ) throws {
    try withItems { db, _ in
      try db.execute(sql: "CREATE TABLE odd \(declaration)")
      let log = EventLog()
      db.add(transactionObserver: log)
      try db.execute(sql: "INSERT INTO odd (rowid) VALUES (7)")
      #expect(log.take() == [line, "will", "commit"])
    }
  }

  // MARK: Refused commits

  private struct Refusal: Error {}

  private static let refusals: [(sql: String, refusing: [String], other: [String])] = [
    (deleteFirst, ["delete 1", "will", "rollback"], ["delete 1", "rollback"]),
    (
      "BEGIN; \(deleteFirst); COMMIT",
      ["delete 1", "will", "rollback"], ["delete 1", "rollback"]
    ),
    // SQLite calls no hook for a transaction that has changed nothing.
    ("BEGIN; COMMIT", ["will", "rollback"], ["rollback"]),
  ]

  @Test(arguments: refusals)
  func `the first refusal rolls back, and the other observers are not asked`(
    sql: String,
    refusing: [String],
    other: [String]
  ) throws {
    try withItems { db, list in
      let first = EventLog()
      let second = EventLog()
      db.add(transactionObserver: first)
      db.add(transactionObserver: second)
      first.mayCommit = { throw Refusal() }
      #expect(throws: Refusal.self) { () throws in try db.execute(sql: sql) }
      #expect(!db.isInsideTransaction)
      #expect(first.take() == refusing)
      #expect(second.take() == other)
      // The error was thrown, and is not kept for another commit.
      let veto = list.takeVeto()
      let isKept = veto != nil
      #expect(!isKept)

      first.mayCommit = {}
      try db.execute(sql: Self.deleteFirst)
      #expect(first.take() == ["delete 1", "will", "commit"])
      #expect(second.take() == ["delete 1", "will", "commit"])
    }
  }

  @Test func `a refused release of the outermost savepoint undoes its changes, and it stays open`()
    throws
  {
    try withItems { db, _ in
      let log = EventLog()
      db.add(transactionObserver: log)
      log.mayCommit = { throw Refusal() }
      #expect(throws: Refusal.self) { () throws in
        try db.execute(sql: "SAVEPOINT a; \(Self.deleteFirst); RELEASE a")
      }
      // SQLite has undone the changes, and waits for another end of the savepoint.
      #expect(db.isInsideTransaction)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 2)
      #expect(log.take() == ["delete 1", "will", "rollback"])
      log.mayCommit = {}
      try db.execute(sql: "\(Self.deleteSecond); RELEASE a")
      #expect(log.take() == ["delete 2", "will", "commit"])
      #expect(!db.isInsideTransaction)
    }
  }

  @Test(arguments: [1, 5])
  func `a refused transaction is rolled back once, however often it would be refused`(
    refusals: Int
  ) throws {
    try withItems { db, _ in
      let log = EventLog()
      db.add(transactionObserver: log)
      nonisolated(unsafe) var count = 0
      log.mayCommit = {
        count += 1
        if count <= refusals { throw Refusal() }
      }
      #expect(throws: Refusal.self) { () throws in
        try db.inSavepoint {
          try db.execute(sql: Self.deleteFirst)
          return .commit
        }
      }
      #expect(!db.isInsideTransaction)
      #expect(log.take() == ["delete 1", "will", "rollback"])
      log.mayCommit = {}
      try db.execute(sql: Self.deleteFirst)
      #expect(log.take() == ["delete 1", "will", "commit"])
    }
  }

  // MARK: Callbacks

  @Test(arguments: Callback.allCases)
  func `a callback may remove observers, and the remaining ones miss nothing`(
    _ callback: Callback
  ) throws {
    try withItems { db, list in
      let remover = EventLog()
      let removed = EventLog()
      let last = EventLog()
      for log in [remover, removed, last] { db.add(transactionObserver: log) }
      remover.wasCalled = { [unowned remover] called in
        guard called == callback else { return }
        db.remove(transactionObserver: removed)
        db.remove(transactionObserver: remover)
      }
      let isUndone = callback == .didRollback
      try db.inTransaction {
        try db.execute(sql: "UPDATE item SET id = 9 WHERE id = 1")
        return isUndone ? .rollback : .commit
      }
      let end: [String] = isUndone ? ["rollback"] : ["will", "commit"]
      #expect(last.take() == ["update 1→9"] + end)
      #expect(list.observations.map(\.id) == [ObjectIdentifier(last)])

      _ = remover.take()
      _ = removed.take()
      try db.execute(sql: Self.deleteSecond)
      #expect(last.take() == ["delete 2", "will", "commit"])
      #expect(remover.take() == [])
      #expect(removed.take() == [])
    }
  }

  private static let additions: [(callback: Callback, lines: [String])] = [
    (.willChange, ["will", "commit"]), (.didChange, ["will", "commit"]),
    (.willCommit, ["commit"]), (.didCommit, []),
  ]

  @Test(arguments: additions)
  func `an observer that a callback adds takes part in what follows`(
    callback: Callback,
    lines: [String]
  ) throws {
    try withItems { db, _ in
      let first = EventLog()
      let second = EventLog()
      db.add(transactionObserver: first)
      first.wasCalled = { called in
        if called == callback { db.add(transactionObserver: second) }
      }
      try db.execute(sql: Self.deleteFirst)
      #expect(first.take() == ["delete 1", "will", "commit"])
      #expect(second.take() == lines)
      try db.execute(sql: Self.deleteSecond)
      #expect(second.take() == ["delete 2", "will", "commit"])
    }
  }

  @Test func `the current observation is the observation of the innermost callback`() throws {
    try withItems { db, _ in
      let outer = EventLog()
      let inner = EventLog()
      let names = [ObjectIdentifier(outer): "outer", ObjectIdentifier(inner): "inner"]
      var current: [String] = []
      func note() {
        let name = ObserverList.current.flatMap { names[$0.id] }
        current.append(name ?? "none")
      }
      inner.wasCalled = { called in
        if called == .didChange { note() }
      }
      outer.wasCalled = { called in
        guard called == .didChange else { return }
        note()
        do {
          try withItems { db, _ in
            db.add(transactionObserver: inner)
            try db.execute(sql: Self.deleteFirst)
          }
        } catch {
          Issue.record(error)
        }
        note()
      }
      note()
      db.add(transactionObserver: outer)
      try db.execute(sql: Self.deleteFirst)
      note()
      #expect(current == ["none", "outer", "inner", "outer", "none"])
    }
  }
}
