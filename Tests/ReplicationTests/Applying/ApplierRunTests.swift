import Storage
import Testing
import TestSupport

@testable import Recording
@testable import Replication

/// The effect of each kind of recorded item on a copy of the database, and its errors.
@Suite struct ApplierRunTests {
  /// `t (id INTEGER PRIMARY KEY, v, w)`, whose key is the row id.
  private static let table = RecordedTable(name: "t", columnCount: 2, keyCount: 0)

  private static func queue(_ sql: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: sql) }
    return queue
  }

  /// Repeats items in one transaction.
  private func apply(_ items: RecordedItem..., to queue: DatabaseQueue) throws {
    try queue.write { db in
      let run = ApplierRun(db, try db.repeatableSchema(isCommitted: true)) {}
      for item in items { try run.apply(item) }
    }
  }

  private func lines(_ sql: String, _ queue: DatabaseQueue) throws -> [String] {
    try queue.read { try String.fetchAll($0, sql: sql) }
  }

  private static func text(_ text: String) -> RecordedValue { .text(ArraySlice(text.utf8)) }

  private static func change(_ column: Int, to value: Int64) -> [RecordedChange] {
    [RecordedChange(column: column, value: .integer(value))]
  }

  // MARK: Rows

  @Test func `an item changes the columns and the row id that it names, and nothing else`() throws {
    let queue = try Self.queue("CREATE TABLE t (id INTEGER PRIMARY KEY, v, w)")
    try apply(
      .insert(Self.table, rowID: 1, values: [.integer(10), .integer(0)]),
      .insert(Self.table, rowID: 2, values: [.integer(20), .integer(0)]),
      .insert(Self.table, rowID: 3, values: [.integer(30), .integer(0)]),
      .update(Self.table, .rowID(1), newRowID: nil, changes: Self.change(1, to: 11)),
      // The same columns, with a row id and without one.
      .update(Self.table, .rowID(2), newRowID: 7, changes: Self.change(1, to: 21)),
      .update(Self.table, .rowID(7), newRowID: nil, changes: Self.change(1, to: 22)),
      .update(Self.table, .rowID(7), newRowID: nil, changes: Self.change(0, to: 23)),
      .update(Self.table, .rowID(1), newRowID: 5, changes: []),
      .delete(Self.table, .rowID(3)),
      to: queue
    )
    let rows = try lines("SELECT id || ' ' || v || ' ' || w FROM t ORDER BY id", queue)
    #expect(rows == ["5 10 11", "7 23 22"])
  }

  @Test func `a row WITHOUT ROWID is found by the values of its key, in the order of the key`()
    throws
  {
    let queue = try Self.queue(
      """
      CREATE TABLE k (v, a, b, PRIMARY KEY (b, a)) WITHOUT ROWID;
      INSERT INTO k VALUES (0, 1, 2), (0, 2, 1);
      """
    )
    let table = RecordedTable(name: "k", columnCount: 3, keyCount: 2)
    // In the other order, each key is the key of the other row.
    let first = RecordedKey.columns([.integer(2), .integer(1)])
    let second = RecordedKey.columns([.integer(1), .integer(2)])
    try apply(
      .update(table, first, newRowID: nil, changes: Self.change(0, to: 5)),
      .update(table, second, newRowID: nil, changes: Self.change(1, to: 3)),
      .insert(table, rowID: nil, values: [.integer(6), .integer(7), .integer(8)]),
      to: queue
    )
    let rows = try lines("SELECT v || ' ' || a || ' ' || b FROM k ORDER BY b, a", queue)
    #expect(rows == ["0 3 1", "5 1 2", "6 7 8"])
    #expect(throws: Divergence.rowCount(table: "k", changed: 0)) {
      try apply(.delete(table, second), to: queue)
    }
  }

  @Test(
    arguments: [
      .delete(table, .rowID(2)),
      .update(table, .rowID(2), newRowID: nil, changes: change(0, to: 5)),
      .update(table, .rowID(2), newRowID: 3, changes: []),
    ] as [RecordedItem]
  )
  func `a change of a row that does not exist is a divergence`(item: RecordedItem) throws {
    let queue = try Self.queue(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v, w); INSERT INTO t VALUES (1, 1, 1)"
    )
    #expect(throws: Divergence.rowCount(table: "t", changed: 0)) { try apply(item, to: queue) }
  }

  @Test(arguments: ["REPLACE", "IGNORE", "FAIL", "ROLLBACK"])
  func `a row in the way is a divergence, whatever the table does about it`(clause: String) throws {
    let queue = try Self.queue(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY ON CONFLICT \(clause), v UNIQUE ON CONFLICT \(clause),
        w NOT NULL ON CONFLICT \(clause) DEFAULT 0);
      INSERT INTO t VALUES (1, 1, 1), (2, 2, 2);
      """
    )
    let items: [RecordedItem] = [
      .insert(Self.table, rowID: 1, values: [.integer(3), .integer(3)]),
      .insert(Self.table, rowID: 3, values: [.integer(2), .integer(3)]),
      .insert(Self.table, rowID: 3, values: [.integer(3), .null]),
      .update(Self.table, .rowID(1), newRowID: nil, changes: Self.change(0, to: 2)),
      .update(Self.table, .rowID(1), newRowID: 2, changes: []),
    ]
    try queue.write { db in
      let run = ApplierRun(db, try db.repeatableSchema(isCommitted: true)) {}
      for item in items {
        let error = #expect(throws: Divergence.self) { try run.apply(item) }
        #expect(Self.step(of: error) == "a row of t")
        // The caller rolls back.
        #expect(db.isInsideTransaction)
      }
    }
    let rows = try lines("SELECT id || ' ' || v || ' ' || w FROM t ORDER BY id", queue)
    #expect(rows == ["1 1 1", "2 2 2"])
  }

  /// The step that SQLite has refused.
  private static func step(of error: Divergence?) -> String? {
    if case .refused(let step, _)? = error { step } else { nil }
  }

  @Test(
    arguments: [("missing", 2, 0), ("t", 1, 0), ("t", 3, 0), ("t", 2, 1)] as [(String, Int, Int)]
  )
  func `a table has the recorded name and as many columns, or it is a divergence`(
    name: String,
    columns: Int,
    keys: Int
  ) throws {
    let queue = try Self.queue(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v, w); INSERT INTO t VALUES (1, 1, 1)"
    )
    let other = RecordedTable(name: name, columnCount: columns, keyCount: keys)
    #expect(throws: Divergence.table(name)) { try apply(.delete(other, .rowID(1)), to: queue) }
    try apply(.delete(Self.table, .rowID(1)), to: queue)
  }

  // MARK: The schema

  @Test func `a change of the schema is announced, and the next row is that of the new schema`()
    throws
  {
    let queue = try Self.queue("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
    let narrow = RecordedTable(name: "t", columnCount: 1, keyCount: 0)
    try queue.write { db in
      // Whether the table of the first change exists, at each announcement.
      var announced: [Bool] = []
      let run = ApplierRun(db, try db.repeatableSchema(isCommitted: true)) {
        announced.append(try db.tableExists("u"))
      }
      try run.apply(.insert(narrow, rowID: 1, values: [.integer(1)]))
      #expect(announced == [])
      try run.apply(.schema(sql: "CREATE TABLE u (a)"))
      #expect(announced == [false])
      // Both tables are in use when they change.
      let added = RecordedTable(name: "u", columnCount: 1, keyCount: 0)
      try run.apply(.insert(added, rowID: 1, values: [.integer(1)]))
      try run.apply(.schema(sql: "ALTER TABLE t ADD COLUMN w DEFAULT 7"))
      #expect(announced == [false, true])
      #expect(throws: Divergence.table("t")) {
        try run.apply(.insert(narrow, rowID: 2, values: [.integer(2)]))
      }
      try run.apply(.insert(Self.table, rowID: 2, values: [.integer(2), .integer(8)]))
      try run.apply(.insert(added, rowID: 2, values: [.integer(2)]))
      try run.apply(.schema(sql: "DROP TABLE u"))
      #expect(throws: Divergence.table("u")) {
        try run.apply(.insert(added, rowID: 3, values: [.integer(3)]))
      }
    }
    #expect(try lines("SELECT id || ' ' || v || ' ' || w FROM t", queue) == ["1 1 7", "2 2 8"])
  }

  @Test func `sequences that are named are replaced, and without names all of them`() throws {
    let queue = try Self.queue(
      """
      CREATE TABLE s (id INTEGER PRIMARY KEY AUTOINCREMENT);
      CREATE TABLE u (id INTEGER PRIMARY KEY AUTOINCREMENT);
      INSERT INTO s VALUES (4); INSERT INTO u VALUES (9);
      """
    )
    let sequences = "SELECT rowid || ' ' || name || ' ' || seq FROM sqlite_sequence ORDER BY rowid"
    #expect(try lines(sequences, queue) == ["1 s 4", "2 u 9"])
    let (s, u) = (Self.text("s"), Self.text("u"))
    let next = RecordedSequence(rowID: 1, name: s, value: .integer(40))
    try apply(.sequences(names: [s, Self.text("gone")], rows: [next]), to: queue)
    #expect(try lines(sequences, queue) == ["1 s 40", "2 u 9"])
    try apply(.sequences(names: [u], rows: []), to: queue)
    #expect(try lines(sequences, queue) == ["1 s 40"])
    let last = RecordedSequence(rowID: 5, name: u, value: .integer(90))
    try apply(.sequences(names: nil, rows: [last]), to: queue)
    #expect(try lines(sequences, queue) == ["5 u 90"])
  }

  @Test func `the numbers of the header are set`() throws {
    let queue = try Self.queue("CREATE TABLE t (v)")
    try apply(.userVersion(7), .applicationID(-3), to: queue)
    let numbers = try queue.read { db in
      try ["user_version", "application_id"].map { try Int.fetchOne(db, sql: "PRAGMA \($0)") }
    }
    #expect(numbers == [7, -3])
  }

  // MARK: Errors

  @Test(
    arguments: [
      (.schema(sql: "CREATE TABLE t (x)"), "CREATE TABLE t (x)"),
      (.schema(sql: "no statement"), "no statement"),
      // The table of the sequences does not exist before a table with AUTOINCREMENT.
      (.sequences(names: nil, rows: []), "sqlite_sequence"),
    ] as [(RecordedItem, String)]
  )
  func `a step that SQLite refuses is a divergence, which names it`(
    item: RecordedItem,
    step: String
  ) throws {
    let queue = try Self.queue("CREATE TABLE t (v)")
    let error = #expect(throws: Divergence.self) { try apply(item, to: queue) }
    #expect(Self.step(of: error) == step)
  }

  @Test func `a full disk is not a divergence, because the step may succeed later`() throws {
    let directory = TemporaryDirectory()
    let queue = try DatabaseQueue(path: directory.file())
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, v, w)")
      try db.execute(sql: "PRAGMA max_page_count = 20")
    }
    let large = RecordedValue.blob(ArraySlice(repeating: 0, count: 1_000_000))
    let items: [RecordedItem] = [
      .insert(Self.table, rowID: 1, values: [large, .null]),
      .schema(sql: "CREATE TABLE u AS SELECT zeroblob(1000000) AS a"),
    ]
    for item in items {
      let error = #expect(throws: DatabaseError.self) { try apply(item, to: queue) }
      #expect(error?.resultCode == .SQLITE_FULL)
    }
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
    for item in items { try apply(item, to: queue) }
    let sizes = try lines("SELECT length(v) || ' ' || length(a) FROM t, u", queue)
    #expect(sizes == ["1000000 1000000"])
    try queue.close()
  }
}
