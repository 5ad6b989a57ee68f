import CWellspringSQLite
import Testing

@testable import Storage
@testable import StorageTestSupport

/// The changes of a table `t` in a transaction, from the rows of real statements.
///
/// They are written as text: `(a,b)[1, 2]` are the columns `a` and `b` of the rows 1 and 2, `*`
/// means all of them.
@Suite struct TableChangesTests {
  private static let allRows = ObservedTable(columns: .all, hasRowObservers: true)

  /// Runs a test with a table that has two rows.
  private func withTable(_ body: (Database) throws -> Void) throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);
          INSERT INTO t VALUES (1, 1, 'x'), (2, 2, NULL)
          """
      )
      try body(db)
    }
  }

  private func text(_ changes: DatabaseChanges.Table?) -> String {
    guard let changes else { return "nothing" }
    let columns =
      changes.columns.elements.map { $0.sorted().map(\.name).joined(separator: ",") } ?? "*"
    let rows: [String] =
      switch changes.rows {
      case .rowIDs(let ids)?: ids.sorted().map { "\($0)" }
      case .keys(let keys)?:
        keys.map { $0.values.map(\.description).joined(separator: ",") }.sorted()
      case nil: ["*"]
      }
    return "(\(columns))[\(rows.joined(separator: ", "))]"
  }

  /// The values of a column with the ids of their rows: `1[1] 9[1, 2]`.
  private func text(_ values: [ValueKey: RowsOfValue]?) -> String {
    guard let values else { return "unknown" }
    let parts = values.sorted { $0.key < $1.key }.map { key, rows -> String in
      let ids = rows.ids.map { "\($0.sorted())" } ?? "[*]"
      return "\(key)\(ids)"
    }
    return parts.joined(separator: " ")
  }

  // MARK: Rows and columns

  private static let statements: [(sql: String, changes: String)] = [
    ("INSERT INTO t VALUES (3, 3, 3)", "(*)[3]"),
    ("DELETE FROM t WHERE id = 1", "(*)[1]"),
    ("DELETE FROM t", "(*)[1, 2]"),
    ("DELETE FROM t WHERE id = 9", "nothing"),
    ("INSERT INTO t VALUES (3, 3, 3); DELETE FROM t WHERE id = 3", "(*)[3]"),
    ("REPLACE INTO t VALUES (1, 1, 'x')", "(*)[1]"),
    ("UPDATE t SET a = 9 WHERE id = 1", "(a)[1]"),
    ("UPDATE t SET a = 9, b = 'x'", "(a,b)[1, 2]"),
    ("UPDATE t SET a = 9 WHERE id = 1; UPDATE t SET b = 9 WHERE id = 2", "(a,b)[1, 2]"),
    ("UPDATE t SET a = a, b = b", "nothing"),
    // A change that is taken back counts.
    ("UPDATE t SET a = 9 WHERE id = 1; UPDATE t SET a = 1 WHERE id = 1", "(a)[1]"),
    ("UPDATE t SET b = '' WHERE id = 2", "(b)[2]"),
    ("UPDATE t SET a = 1.0 WHERE id = 1", "(a)[1]"),
    ("UPDATE t SET b = CAST(b AS BLOB) WHERE id = 1", "(b)[1]"),
    // An update of the row id deletes the row in one place and inserts it in another.
    ("UPDATE t SET id = 5 WHERE id = 1", "(*)[1, 5]"),
    ("UPDATE t SET id = id + 10", "(*)[1, 2, 11, 12]"),
  ]

  @Test(arguments: statements)
  func `an update changes the columns that differ, any other change all columns`(
    sql: String,
    changes: String
  ) throws {
    try withTable { db in
      let table = try NotedTable(db, Self.allRows)
      try table.run(sql)
      #expect(text(table.finish()) == changes)
    }
  }

  private static let texts: [(value: String, changes: String)] = [
    ("CAST(x'61ff' AS TEXT)", "nothing"),
    ("CAST(x'61fe' AS TEXT)", "(b)[1]"),
    ("CAST(x'61ff00' AS TEXT)", "(b)[1]"),
    ("'a\u{FFFD}'", "(b)[1]"),
    ("x'61ff'", "(b)[1]"),
  ]

  @Test(arguments: texts)
  func `a text that is not UTF-8 is compared by its bytes`(value: String, changes: String) throws {
    try withTable { db in
      try db.execute(sql: "UPDATE t SET b = CAST(x'61ff' AS TEXT) WHERE id = 1")
      let table = try NotedTable(db, Self.allRows)
      try table.run("UPDATE t SET b = \(value) WHERE id = 1")
      #expect(text(table.finish()) == changes)
    }
  }

  private static let columnStatements: [(sql: String, changes: String)] = [
    ("UPDATE t SET b = 9", "nothing"),
    ("UPDATE t SET a = 9, b = 9", "(a)[*]"),
    ("UPDATE t SET id = 5 WHERE id = 1", "(*)[*]"),
    ("DELETE FROM t WHERE id = 1", "(*)[*]"),
  ]

  @Test(arguments: columnStatements)
  func `only observed columns are compared, and rows are kept only for observers of rows`(
    sql: String,
    changes: String
  ) throws {
    try withTable { db in
      let table = try NotedTable(
        db,
        ObservedTable(columns: .some(["a"]), hasRowObservers: false)
      )
      try table.run(sql)
      #expect(text(table.finish()) == changes)
    }
  }

  @Test(arguments: [false, true])
  func `a table without observers or known columns counts as changed in all rows`(
    isObserved: Bool
  ) throws {
    try withTable { db in
      let table = try NotedTable(db, isObserved ? Self.allRows : nil, hasColumns: !isObserved)
      #expect(!table.changes.isExamined)
      try table.run("UPDATE t SET a = a WHERE id = 1")
      #expect(text(table.finish()) == "(*)[*]")
      table.removeAll()
      #expect(text(table.finish()) == "(*)[*]")
    }
  }

  @Test func `the next transaction begins without changes`() throws {
    try withTable { db in
      let table = try NotedTable(db, Self.allRows)
      try table.run("UPDATE t SET b = 9 WHERE id = 2; DELETE FROM t WHERE id = 1")
      #expect(text(table.finish()) == "(*)[1, 2]")
      table.removeAll()
      #expect(text(table.finish()) == "nothing")
      try table.run("UPDATE t SET a = 9 WHERE id = 2")
      #expect(text(table.finish()) == "(a)[2]")
    }
  }

  // MARK: Settlement

  private static let settlements:
    [(observed: ObservedTable?, statements: [String], settlements: [String])] = [
      (
        ObservedTable(columns: .some(["a"]), hasRowObservers: false),
        ["UPDATE t SET b = 9", "UPDATE t SET a = 9", "DELETE FROM t WHERE id = 1"],
        ["none", "updates", "all"]
      ),
      (
        ObservedTable(columns: .some(["a", "b"]), hasRowObservers: false),
        ["UPDATE t SET a = 9", "UPDATE t SET b = 9", "UPDATE t SET id = 5 WHERE id = 1"],
        ["none", "updates", "all"]
      ),
      // A query that only counts rows.
      (
        ObservedTable(columns: .some([]), hasRowObservers: false),
        ["UPDATE t SET a = 9", "INSERT INTO t VALUES (3, 3, 3)"],
        ["updates", "all"]
      ),
      (
        ObservedTable(columns: .some(["a"]), hasRowObservers: true),
        ["UPDATE t SET a = 9", "DELETE FROM t WHERE id = 1"],
        ["none", "none"]
      ),
      (
        ObservedTable(
          columns: .some(["a"]),
          hasRowObservers: false,
          conditionColumns: [ConditionColumn(name: "a", collation: .binary)]
        ),
        ["UPDATE t SET a = 9", "DELETE FROM t WHERE id = 1"],
        ["none", "none"]
      ),
      (nil, ["UPDATE t SET a = a"], ["all"]),
    ]

  @Test(arguments: settlements)
  func `a table is settled when further rows add no change`(
    observed: ObservedTable?,
    statements: [String],
    settlements: [String]
  ) throws {
    try withTable { db in
      let table = try NotedTable(db, observed)
      var found: [String] = []
      for sql in statements {
        try table.run(sql)
        found.append("\(table.changes.settlement)")
      }
      #expect(found == settlements)
    }
  }

  // MARK: Generated and added columns

  private static let generated: [(declaration: String, sql: String, changes: String)] = {
    let plain = "(v AS (a), a, s AS (b + 1) STORED, b, id INTEGER PRIMARY KEY)"
    // SQLite 3.40 does not give the values of `a` in this table, so `a` counts as changed.
    let hidden = "(v AS (a), id INTEGER PRIMARY KEY, a, b)"
    let keyed = "(v AS (a), a, id PRIMARY KEY, b) WITHOUT ROWID"
    return [
      (plain, "UPDATE t SET a = 3", "(a)[7]"),
      (plain, "UPDATE t SET b = 3", "(b,s)[7]"),
      (plain, "UPDATE t SET a = a, b = b", "nothing"),
      (plain, "UPDATE t SET id = 9", "(*)[7, 9]"),
      (
        hidden, "UPDATE t SET b = 3",
        PreupdateNumbering.followsDeclaration ? "(b)[7]" : "(a,b)[7]"
      ),
      (keyed, "UPDATE t SET b = 3", "(b)[7]"),
      (keyed, "UPDATE t SET a = a, b = b", "nothing"),
      (keyed, "UPDATE t SET id = 9", "(*)[7, 9]"),
      (keyed, "DELETE FROM t", "(*)[7]"),
    ]
  }()

  @Test(arguments: generated)
  func `the stored columns of a table with generated columns are compared`(
    declaration: String,
    sql: String,
    changes: String
  ) throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE t \(declaration)")
      try db.execute(sql: "INSERT INTO t (a, b, id) VALUES (1, 2, 7)")
      let table = try NotedTable(db, Self.allRows)
      try table.run(sql)
      #expect(text(table.finish()) == changes)
    }
  }

  private static let additions: [(column: String, sql: String, changes: String)] = [
    // The hook may show NULL where a query has read the default.
    ("c DEFAULT 5", "UPDATE t SET c = NULL WHERE id = 1", "(c)[1]"),
    ("c DEFAULT 5", "UPDATE t SET c = 6 WHERE id = 1", "(c)[1]"),
    ("c DEFAULT 5", "DELETE FROM t WHERE id = 1", "(*)[1]"),
    ("c", "UPDATE t SET c = NULL", "nothing"),
    ("c", "UPDATE t SET c = 6 WHERE id = 1", "(c)[1]"),
  ]

  @Test(arguments: additions)
  func `a column that ALTER TABLE has added is compared in older rows`(
    column: String,
    sql: String,
    changes: String
  ) throws {
    try withTable { db in
      try db.execute(sql: "ALTER TABLE t ADD COLUMN \(column)")
      let table = try NotedTable(db, Self.allRows)
      try table.run(sql)
      #expect(text(table.finish()) == changes)
    }
  }

  // MARK: Keys

  private static let keyStatements: [(collation: String, sql: String, changes: String)] = [
    ("NOCASE", "INSERT INTO t VALUES ('Jug', 3)", "(*)['jug']"),
    ("NOCASE", "DELETE FROM t", "(*)['cup', 'pot']"),
    ("NOCASE", "UPDATE t SET a = a", "nothing"),
    ("NOCASE", "UPDATE t SET a = 9 WHERE k = 'cup'", "(a)['cup']"),
    ("NOCASE", "UPDATE t SET k = 'CUP' WHERE k = 'cup'", "(k)['cup']"),
    ("BINARY", "UPDATE t SET k = 'CUP' WHERE k = 'cup'", "(*)['CUP', 'cup']"),
    // Keys that are not known, or too long.
    ("BINARY", "INSERT INTO t VALUES (CAST(x'ff' AS TEXT), 3)", "(*)[*]"),
    ("BINARY", "UPDATE t SET k = CAST(x'ff' AS TEXT) WHERE k = 'cup'", "(*)[*]"),
    ("BINARY", "INSERT INTO t VALUES (hex(zeroblob(600)), 3)", "(*)[*]"),
    ("BINARY", "INSERT INTO t VALUES (hex(zeroblob(600)), 3); UPDATE t SET a = 9", "(*)[*]"),
    // Equal keys cannot be recognized by their bytes.
    ("swiftCompare", "INSERT INTO t VALUES ('jug', 3)", "(*)[*]"),
    ("swiftCompare", "UPDATE t SET a = 9 WHERE k = 'cup'", "(a)[*]"),
  ]

  @Test(arguments: keyStatements)
  func `rows of a table WITHOUT ROWID are kept by their keys`(
    collation: String,
    sql: String,
    changes: String
  ) throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE t (k COLLATE \(collation) PRIMARY KEY, a) WITHOUT ROWID;
          INSERT INTO t VALUES ('cup', 1), ('pot', 2)
          """
      )
      let table = try NotedTable(db, Self.allRows)
      try table.run(sql)
      #expect(text(table.finish()) == changes)
    }
  }

  private static let keyCounts: [(inserted: Int, kept: Int?, settlement: String)] = [
    (1000, 1000, "none"), (1001, nil, "all"),
  ]

  @Test(arguments: keyCounts)
  func `keys are kept up to a thousand`(inserted: Int, kept: Int?, settlement: String) throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE t (k PRIMARY KEY, a) WITHOUT ROWID")
      let table = try NotedTable(db, Self.allRows)
      try table.run(
        """
        WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(inserted))
        INSERT INTO t SELECT i, i FROM n
        """
      )
      let changes = table.finish()
      #expect(changes?.rows?.count == kept)
      #expect("\(table.changes.settlement)" == settlement)
    }
  }

  // MARK: Values

  private static let withValues = ObservedTable(
    columns: .all,
    hasRowObservers: true,
    conditionColumns: [ConditionColumn(name: "a", collation: .binary)]
  )

  private func values(_ changes: DatabaseChanges.Table?) -> String {
    text(changes?.values[ConditionColumn(name: "a", collation: .binary)])
  }

  private static let valueStatements: [(sql: String, values: String)] = [
    ("INSERT INTO t VALUES (3, 1, 0)", "1[3]"),
    ("DELETE FROM t WHERE id = 2", "2[2]"),
    ("UPDATE t SET a = 9 WHERE id = 1", "1[1] 9[1]"),
    ("UPDATE t SET a = 1", "1[2] 2[2]"),
    ("UPDATE t SET a = NULL WHERE id = 1", "NULL[1] 1[1]"),
    ("UPDATE t SET b = 0 WHERE id = 1", "1[1]"),
    ("UPDATE t SET id = 5 WHERE id = 1", "1[1, 5]"),
    ("INSERT INTO t VALUES (3, CAST(x'ff' AS TEXT), 0)", "unknown"),
    ("INSERT INTO t VALUES (3, hex(zeroblob(600)), 0)", "unknown"),
    // It may be an integer that the hook has rounded.
    ("INSERT INTO t VALUES (3, 9007199254740992.0, 0)", "unknown"),
  ]

  @Test(arguments: valueStatements)
  func `the values of compared columns are kept, before and after each change`(
    sql: String,
    values: String
  ) throws {
    try withTable { db in
      let table = try NotedTable(db, Self.withValues)
      try table.run(sql)
      let changes = table.finish()
      #expect(self.values(changes) == values)
    }
  }

  // SQLite reports such a write as a deletion.
  @Test func `a blob that is written in place changes all columns, with unknown values`() throws {
    try withTable { db in
      try db.execute(sql: "UPDATE t SET b = x'0000' WHERE id = 1")
      let table = try NotedTable(db, Self.withValues)
      try table.run {
        var blob: OpaquePointer?
        let opened = sqlite3_blob_open(db.sqliteConnection, "main", "t", "b", 1, 1, &blob)
        #expect(opened == SQLITE_OK)
        let written = sqlite3_blob_write(blob, "A", 1, 0)
        #expect(written == SQLITE_OK)
        sqlite3_blob_close(blob)
      }
      let changes = table.finish()
      #expect(text(changes) == "(*)[1]")
      #expect(values(changes) == "unknown")
    }
  }
}

/// The changes of the table `t`, which receive the rows of the preupdate hook.
private final class NotedTable {
  private let db: Database
  private(set) var changes: TableChanges

  /// - Parameters:
  ///   - db: The connection.
  ///   - observed: What is observed of the table; `nil` if it is not observed.
  ///   - hasColumns: Whether the columns of the table are known.
  /// - Throws: An error when the columns cannot be read.
  init(_ db: Database, _ observed: ObservedTable?, hasColumns: Bool = true) throws {
    self.db = db
    let name = TableName(schema: "main", name: "t")
    var observedTables = ObservedTables()
    if let observed {
      observedTables = ObservedTables([name: observed], includesFullDatabase: false)
    }
    var storedColumns: [TableName: StoredColumns] = [:]
    if hasColumns { storedColumns[name] = try StoredColumns(of: name, db) }
    changes = TableChanges(
      schema: "main",
      table: "t",
      observedTables: observedTables,
      storedColumns: storedColumns
    )
  }

  /// Runs statements, and notes their rows.
  func run(_ sql: String) throws {
    try run { try db.execute(sql: sql) }
  }

  /// Runs a closure, and notes the rows that it changes.
  func run(_ change: () throws -> Void) throws {
    try db.forEachRow(changedBy: change) { [self] row in changes.note(row) }
  }

  /// Returns the changes so far; `nil` if nothing has changed.
  func finish() -> DatabaseChanges.Table? { changes.finish() }

  func removeAll() { changes.removeAll() }
}
