import CWellspringSQLite
import Testing

@testable import Storage
@testable import StorageTestSupport

/// The columns of a table `t`. They say which values of the preupdate hook belong to them.
@Suite struct StoredColumnsTests {
  private func columns(_ db: Database, schema: String = "main") throws -> StoredColumns {
    try StoredColumns(of: TableName(schema: schema, name: "t"), db)
  }

  /// Runs a test with the columns of a table.
  private func withColumns(
    of declaration: String,
    _ body: (Database, StoredColumns) throws -> Void
  ) throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE t \(declaration)")
      try body(db, columns(db))
    }
  }

  // MARK: Columns

  struct Table: Sendable, CustomTestStringConvertible {
    let declaration: String
    let names: [String]
    var virtualCount = 0
    var isWithoutRowID = false
    var rowIDColumn: Int?
    var testDescription: String { declaration }
  }

  static let tables: [Table] = [
    Table(declaration: "(a, B)", names: ["a", "b"]),
    Table(declaration: "(a, id INTEGER PRIMARY KEY)", names: ["a", "id"], rowIDColumn: 1),
    // Such keys are no other names of the row id.
    Table(declaration: "(id INT PRIMARY KEY, a)", names: ["id", "a"]),
    Table(declaration: "(id INTEGER PRIMARY KEY DESC, a)", names: ["id", "a"]),
    Table(declaration: "(id INTEGER, a, PRIMARY KEY (id, a))", names: ["id", "a"]),
    Table(
      declaration: "(v AS (a), a, id INTEGER PRIMARY KEY)",
      names: ["a", "id"],
      virtualCount: 1,
      rowIDColumn: 1
    ),
    Table(
      declaration: "(s AS (a) STORED, a, v AS (a), w AS (v))",
      names: ["s", "a"],
      virtualCount: 2
    ),
    Table(
      declaration: "(a, k PRIMARY KEY, v AS (a)) WITHOUT ROWID",
      names: ["a", "k"],
      virtualCount: 1,
      isWithoutRowID: true
    ),
    Table(
      declaration: "(id INTEGER PRIMARY KEY) WITHOUT ROWID",
      names: ["id"],
      isWithoutRowID: true
    ),
  ]

  @Test(arguments: tables)
  func `virtual columns are not among the stored columns`(_ table: Table) throws {
    try withColumns(of: table.declaration) { _, columns in
      #expect(columns.names.map(\.name) == table.names)
      #expect(columns.virtualCount == table.virtualCount)
      #expect(columns.isWithoutRowID == table.isWithoutRowID)
      #expect(columns.rowIDColumn == table.rowIDColumn)
    }
  }

  @Test func `a table is found by its schema, and a missing table has no columns`() throws {
    try withColumns(of: "(a)") { db, _ in
      let missing = try columns(db, schema: "temp")
      #expect(missing.names.isEmpty)
      try db.execute(sql: "CREATE TEMP TABLE t (b)")
      let temporary = try columns(db, schema: "temp")
      #expect(temporary.names.map(\.name) == ["b"])
      let other = try columns(db)
      #expect(other.names.map(\.name) == ["a"])
    }
  }

  @Test func `a default is noted, also when it is NULL`() throws {
    let declaration = "(a, b DEFAULT 3, v AS (a), c DEFAULT NULL, d DEFAULT (1 + 1))"
    try withColumns(of: declaration) { _, columns in
      #expect(columns.names.map(\.name) == ["a", "b", "c", "d"])
      #expect(columns.hasDefault == [false, true, true, true])
    }
  }

  private static let sets: [(wanted: [String], found: [String])] = [
    (["a"], ["a"]), (["C", "v", "missing"], ["c"]), ([], []), (["c", "b", "a"], ["a", "b", "c"]),
  ]

  @Test(arguments: sets)
  func `a set of columns has the names that are stored`(wanted: [String], found: [String]) throws {
    try withColumns(of: "(a, v AS (a), b, c)") { _, columns in
      let set = columns.set(of: .some(Set(wanted.map { ColumnName($0) })))
      #expect(columns.names(in: set).map(\.name).sorted() == found)
      #expect(columns.set(of: .all) == ColumnSet.all)
      #expect(columns.names(in: ColumnSet.all).map(\.name).sorted() == ["a", "b", "c"])
    }
  }

  // MARK: Names that are not UTF-8

  /// Runs a statement in which `¿` means a byte that is not UTF-8.
  private func executeBytes(_ sql: String, _ db: Database) {
    let bytes: [UInt8] = sql.unicodeScalars.flatMap { scalar -> [UInt8] in
      scalar == "¿" ? [0xE9] : Array(String(scalar).utf8)
    }
    let text = bytes.map { CChar(truncatingIfNeeded: $0) } + [0]
    #expect(sqlite3_exec(db.sqliteConnection, text, nil, nil, nil) == SQLITE_OK)
  }

  @Test func `a name that is not UTF-8 is an error, and other texts are not`() throws {
    try withDatabase { db in
      executeBytes("CREATE TABLE t (a \"type¿\", b DEFAULT 'x¿')", db)
      let readable = try columns(db)
      #expect(readable.names.map(\.name) == ["a", "b"])
      #expect(readable.hasDefault == [false, true])

      executeBytes("DROP TABLE t; CREATE TABLE t (a, \"b¿\")", db)
      #expect(throws: RowDecodingError.self) { () throws in _ = try columns(db) }

      // Several tables may have the repaired name.
      let table = TableName(schema: "main", name: "t\u{FFFD}")
      #expect(throws: DatabaseError.self) { () throws in _ = try StoredColumns(of: table, db) }
    }
  }

  // MARK: Values of the hook

  /// A table with the columns `a`, `b` and `k`.
  struct HookedTable: Sendable, CustomTestStringConvertible {
    let declaration: String
    /// The columns whose values the hook of SQLite 3.40 does not give.
    var unknown: [String] = []
    var testDescription: String { declaration }
  }

  static let hookedTables: [HookedTable] = [
    HookedTable(declaration: "(a, b, k)"),
    HookedTable(declaration: "(a, b, k INTEGER PRIMARY KEY)"),
    HookedTable(declaration: "(v AS (a), a, b, k)"),
    HookedTable(declaration: "(a, v AS (a || b), b, s AS (a + 1) STORED, k)"),
    HookedTable(declaration: "(v AS (a), k INTEGER PRIMARY KEY, a, b)", unknown: ["a"]),
    HookedTable(declaration: "(a, b, k PRIMARY KEY) WITHOUT ROWID"),
    HookedTable(declaration: "(b, k, a, PRIMARY KEY (k, a)) WITHOUT ROWID"),
    HookedTable(declaration: "(v AS (a), a, k PRIMARY KEY, w AS (b), b) WITHOUT ROWID"),
  ]

  /// The indexes of the columns whose values the hook gives, without the column that is another
  /// name of the row id: the hook gives the row id apart from the values.
  private func known(_ columns: StoredColumns) -> [Int] {
    columns.names.indices.filter { columns.numbers(of: $0) != nil && $0 != columns.rowIDColumn }
  }

  /// The values of the known columns in the only row, as a query reads them; none without a row.
  private func storedValues(
    _ db: Database,
    _ columns: StoredColumns
  ) throws -> [String: DatabaseValue] {
    guard let row = try Row.fetchOne(db, sql: "SELECT * FROM t") else { return [:] }
    var values: [String: DatabaseValue] = [:]
    for index in known(columns) {
      let name = columns.names[index].name
      let value: DatabaseValue = row[name]
      values[name] = value
    }
    return values
  }

  @Test(arguments: hookedTables)
  func `the hook gives the values of a column under the column's numbers`(
    _ table: HookedTable
  ) throws {
    try withColumns(of: table.declaration) { db, columns in
      let unknown = columns.names.indices.filter { columns.numbers(of: $0) == nil }
        .map { columns.names[$0].name }
      let expected: [String] = PreupdateNumbering.followsDeclaration ? [] : table.unknown
      #expect(unknown == expected)

      for sql in [
        "INSERT INTO t (a, b, k) VALUES (1, 'x', 5)", "UPDATE t SET a = 2, b = 'y'",
        "DELETE FROM t",
      ] {
        let before = try storedValues(db, columns)
        var old: [String: DatabaseValue] = [:]
        var new: [String: DatabaseValue] = [:]
        var rows = 0
        try db.forEachRow(changedBy: { try db.execute(sql: sql) }) { row in
          rows += 1
          for index in known(columns) {
            guard let numbers = columns.numbers(of: index) else { continue }
            let name = columns.names[index].name
            old[name] = row.old(numbers.old).map { ColumnValue(sqliteValue: $0).databaseValue }
            new[name] = row.new(row.isInserted ? numbers.inserted : numbers.updated)
              .map { ColumnValue(sqliteValue: $0).databaseValue }
          }
        }
        let after = try storedValues(db, columns)
        #expect(rows == 1)
        #expect(old == before, "\(sql)")
        #expect(new == after, "\(sql)")
      }
    }
  }

  @Test func `a column that was added since has its own number`() throws {
    try withColumns(of: "(a)") { db, columns in
      try db.execute(sql: "INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN b DEFAULT 5")
      let numbers = try #require(columns.numbers(of: 1))
      #expect(numbers == DeclaredTable.HookNumbers(old: 1, inserted: 1, updated: 1))
      #expect(StoredColumns(names: ["a"]).numbers(of: 1) == numbers)
      var new: DatabaseValue?
      try db.forEachRow(changedBy: { try db.execute(sql: "UPDATE t SET b = 7") }) { row in
        new = row.new(numbers.updated).map { ColumnValue(sqliteValue: $0).databaseValue }
      }
      #expect(new == 7.databaseValue)

      let current = try self.columns(db)
      #expect(current.names.map(\.name) == ["a", "b"])
      #expect(current.hasDefault == [false, true])
    }
  }

  private static let affinities: [(declaration: String, isInDoubt: [Bool])] = [
    ("(a, r REAL)", [false, false]),
    ("(a, r REAL, k TEXT PRIMARY KEY) WITHOUT ROWID", [true, false, true]),
    ("(a, k PRIMARY KEY) WITHOUT ROWID", [false, false]),
    ("(v AS (a), a, r REAL)", [true, false]),
    ("(v REAL AS (a), a)", [true]),
    ("(v AS (a), a)", [false]),
  ]

  // SQLite 3.40 uses the affinity of another column where the order of the columns differs.
  @Test(arguments: affinities)
  func `only a REAL column can make the hook show integers of other columns as real numbers`(
    declaration: String,
    isInDoubt: [Bool]
  ) throws {
    try withColumns(of: declaration) { _, columns in
      let found = columns.names.indices.map { columns.showsIntegersAsReal($0) }
      #expect(found == isInDoubt)
      #expect(!columns.showsIntegersAsReal(columns.names.count))
    }
  }

  // MARK: Keys

  private static let keyedTables: [(declaration: String, key: [String]?)] = [
    ("(k PRIMARY KEY)", nil),
    ("(a, k PRIMARY KEY) WITHOUT ROWID", ["1 binary"]),
    (
      "(a, b, PRIMARY KEY (b COLLATE RTRIM, a COLLATE NOCASE)) WITHOUT ROWID",
      ["1 rightTrim", "0 noCase"]
    ),
    ("(v AS (k), k COLLATE NOCASE PRIMARY KEY) WITHOUT ROWID", ["0 noCase"]),
    ("(k COLLATE swiftCompare PRIMARY KEY) WITHOUT ROWID", nil),
    ("(a, k COLLATE swiftCompare, PRIMARY KEY (a, k)) WITHOUT ROWID", nil),
  ]

  @Test(arguments: keyedTables)
  func `a key has stored columns, in its own order, and collations of SQLite`(
    declaration: String,
    key: [String]?
  ) throws {
    try withColumns(of: declaration) { _, columns in
      let found = columns.key?.map { "\($0.column) \($0.collation)" }
      #expect(found == key)
    }
  }

  private static let keyChanges: [(sql: String, old: String?, new: String?)] = [
    ("INSERT INTO t VALUES ('Pot', 2, 0)", nil, "'pot',2"),
    ("DELETE FROM t", "'cup',1", nil),
    ("UPDATE t SET a = 1", "'cup',1", "'cup',1"),
    ("UPDATE t SET k = 'CUP', n = 1.0", "'cup',1", "'cup',1"),
    ("UPDATE t SET n = 2", "'cup',1", "'cup',2"),
    ("UPDATE t SET k = x'63'", "'cup',1", "x'63',1"),
    ("UPDATE t SET k = CAST(x'63ff' AS TEXT)", "'cup',1", nil),
    ("UPDATE t SET n = 9007199254740993", "'cup',1", "'cup',9007199254740993"),
    // It may be an integer that the hook has rounded.
    ("UPDATE t SET n = 9007199254740992.0", "'cup',1", nil),
  ]

  @Test(arguments: keyChanges)
  func `a row has a key before and after its change, unless a value is in doubt`(
    sql: String,
    old: String?,
    new: String?
  ) throws {
    let declaration = "(k COLLATE NOCASE, n, a, PRIMARY KEY (k, n)) WITHOUT ROWID"
    try withColumns(of: declaration) { db, columns in
      try db.execute(sql: "INSERT INTO t VALUES ('Cup', 1, 0)")
      func text(_ key: RowKey?) -> String? {
        key.map { $0.values.map(\.description).joined(separator: ",") }
      }
      var oldKeys: [String?] = []
      var newKeys: [String?] = []
      try db.forEachRow(changedBy: { try db.execute(sql: sql) }) { row in
        oldKeys.append(text(columns.oldKey(row)))
        newKeys.append(text(columns.newKey(row)))
      }
      #expect(oldKeys == [old])
      #expect(newKeys == [new])
    }
  }
}

/// Passes the calls of the preupdate hook to a closure.
private final class RowCalls {
  let body: (PreupdateRow) -> Void
  init(_ body: @escaping (PreupdateRow) -> Void) { self.body = body }
}

extension Database {
  /// Calls `body` with each row that `change` is about to change, inside the preupdate hook.
  func forEachRow(
    changedBy change: () throws -> Void,
    _ body: @escaping (PreupdateRow) -> Void
  ) throws {
    let calls = RowCalls(body)
    sqlite3_preupdate_hook(
      sqliteConnection,
      { context, connection, operation, _, _, oldRowID, newRowID in
        let calls = Unmanaged<RowCalls>.fromOpaque(context!).takeUnretainedValue()
        calls.body(
          PreupdateRow(
            connection: connection!,
            operation: operation,
            oldRowID: oldRowID,
            newRowID: newRowID
          )
        )
      },
      Unmanaged.passUnretained(calls).toOpaque()
    )
    defer { sqlite3_preupdate_hook(sqliteConnection, nil, nil) }
    try withExtendedLifetime(calls) { try change() }
  }
}
