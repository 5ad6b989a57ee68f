import CommandLineSupport
import Foundation
import Storage
import Testing
import TestSupport

@testable import DemoCLI

@Suite struct WatchedQueryTests {
  /// Creates a database, and returns the result of a query.
  private func fetch(_ query: WatchedQuery, from schema: String) throws -> WatchedResult {
    let directory = try TemporaryDirectory(prefix: "democli-tests")
    defer { directory.remove() }
    let pool = try DatabasePool(path: directory.path + "/test.sqlite")
    defer { try? pool.close() }
    try pool.write { db in try db.execute(sql: schema) }
    return try pool.read(query.fetch)
  }

  private func keys(_ table: String, from schema: String) throws -> [[DatabaseValue]]? {
    try fetch(.table(table), from: schema).keys
  }

  @Test func `the key of a table is its primary key`() throws {
    let schema = """
      CREATE TABLE t (n, b TEXT, a INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
      INSERT INTO t VALUES (0, 'x', 1);
      """
    let result = try fetch(.table("t"), from: schema)
    #expect(result.columns == ["n", "b", "a"])
    #expect(result.keys == [["x".databaseValue, 1.databaseValue]])
  }

  @Test func `an integer primary key is the key`() throws {
    let schema = "CREATE TABLE t (n, id INTEGER PRIMARY KEY); INSERT INTO t VALUES ('x', 7)"
    #expect(try keys("t", from: schema) == [[7.databaseValue]])
  }

  @Test func `without a primary key, the row id is the key, but not a column`() throws {
    let schema = "CREATE TABLE t (n); INSERT INTO t (rowid, n) VALUES (5, 'x'), (9, 'x')"
    let result = try fetch(.table("t"), from: schema)
    #expect(result.columns == ["n"])
    let rows: [[DatabaseValue]] = [["x".databaseValue], ["x".databaseValue]]
    #expect(Array(result.rows) == rows)
    #expect(result.keys == [[5.databaseValue], [9.databaseValue]])
  }

  @Test func `a column with a name of the row id does not hide the row id`() throws {
    let schema = """
      CREATE TABLE t (ROWID, oid); INSERT INTO t (_rowid_, rowid, oid) VALUES (5, 'x', 'y')
      """
    let result = try fetch(.table("t"), from: schema)
    #expect(result.columns == ["ROWID", "oid"])
    let rows: [[DatabaseValue]] = [["x".databaseValue, "y".databaseValue]]
    #expect(Array(result.rows) == rows)
    #expect(result.keys == [[5.databaseValue]])
  }

  @Test func `when columns hide all names of the row id, the whole row is the key`() throws {
    let schema = "CREATE TABLE t (rowid, _rowid_, oid); INSERT INTO t VALUES (1, 2, 3)"
    let result = try fetch(.table("t"), from: schema)
    #expect(result.rows.count == 1)
    #expect(result.keys == nil)
  }

  @Test func `the key of a view's row is the whole row`() throws {
    let schema = """
      CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2);
      CREATE VIEW v AS SELECT id FROM t;
      """
    let result = try fetch(.table("v"), from: schema)
    #expect(result.columns == ["id"])
    let rows: [[DatabaseValue]] = [[1.databaseValue], [2.databaseValue]]
    #expect(Array(result.rows) == rows)
    #expect(result.keys == nil)
  }

  @Test func `a key with NULL identifies no row, and then the shown columns are the key`() throws {
    for (definition, hasKeys) in [
      ("a TEXT PRIMARY KEY, b", false), ("a, b, PRIMARY KEY (b, a)", false),
      ("rowid TEXT PRIMARY KEY, b", false), ("rowid, b, PRIMARY KEY (rowid, b)", false),
      ("a INTEGER PRIMARY KEY, b", true), ("a TEXT NOT NULL PRIMARY KEY, b", true),
    ] {
      let name = definition.hasPrefix("rowid") ? "rowid" : "a"
      let isNull = hasKeys ? "1" : "NULL"
      let schema = """
        CREATE TABLE t (\(definition)); INSERT INTO t (\(name), b) VALUES (2, 'x'), (\(isNull), 'y')
        """
      var options = TableOptions()
      options.columns = ["b"]
      var other = options
      other.condition = "b <> 'y'"
      let result = try fetch(.table("t", options), from: schema)
      #expect((result.keys != nil) == hasKeys, "\(definition)")
      #expect(try fetch(.table("t", other), from: schema).keys?.count == 1, "\(definition)")
      if !hasKeys {
        // A changed key that is not shown is not a change.
        let changed = try fetch(
          .table("t", options),
          from: schema + "; UPDATE t SET \(name) = 3 WHERE b = 'x'"
        )
        #expect(changed == result)
        #expect(RowDiff.changes(to: changed, since: result).isEmpty)
        #expect(result.key(ofRow: 0).count == 1)
      }
    }
  }

  @Test func `generated columns are shown, hidden columns of virtual tables are not`() throws {
    let generated = """
      CREATE TABLE t (a, b AS (a + 1), id INTEGER PRIMARY KEY); INSERT INTO t (a, id) VALUES (1, 9)
      """
    let result = try fetch(.table("t"), from: generated)
    #expect(result.columns == ["a", "b", "id"])
    #expect(result.keys == [[9.databaseValue]])
    let fullText = """
      CREATE VIRTUAL TABLE t USING fts5 (x); INSERT INTO t (rowid, x) VALUES (4, 'hello')
      """
    let documents = try fetch(.table("t"), from: fullText)
    #expect(documents.columns == ["x"])
    #expect(documents.keys == [[4.databaseValue]])
  }

  @Test func `a table is found in any case, even if its name must be quoted`() throws {
    let schema = #"CREATE TABLE "a ""b"" -- c" (n); INSERT INTO "a ""b"" -- c" VALUES (1)"#
    let result = try fetch(.table(#"A "B" -- C"#), from: schema)
    #expect(Array(result.rows) == [[1.databaseValue]])
  }

  @Test func `the error for a missing table lists the existing tables`() {
    #expect(throws: ToolError("no such table: x (there are a, b)")) {
      try fetch(.table("x"), from: "CREATE TABLE b (n); CREATE VIEW a AS SELECT n FROM b")
    }
    #expect(throws: ToolError("no such table: x (there are none)")) {
      try fetch(.table("x"), from: "")
    }
  }

  @Test func `SQL may return several columns with one name, and rows without a key`() throws {
    let result = try fetch(.sql("SELECT 1 AS a, NULL AS a;"), from: "")
    #expect(result.columns == ["a", "a"])
    #expect(Array(result.rows) == [[1.databaseValue, .null]])
    #expect(result.keys == nil)
  }

  @Test(arguments: [
    ("select * from t", true), ("SELECT(1)", true), ("select*from t", true), ("WITH a AS", true),
    ("explain query plan select 1", true), ("/* note */ select 1", true), ("DELETE\nFROM t", true),
    ("insert or ignore into t", true), ("UPDATE t SET a = 1", true), ("drop table t", true),
    ("create unique index i on t (a)", true), ("item", false), ("select", false),
    ("Update log", false), ("Update set", false), ("/tmp a", false), ("delete queue", false),
    ("create dates", false),
    ("replace parts", false), ("create table", false), ("a select b", false), ("--odd", false),
  ])
  func `a text in place of a table is SQL, or the name of a table`(text: String, isSQL: Bool) {
    #expect(WatchedQuery.isSQL(text) == isSQL)
  }

  @Test func `SQL that writes or returns no rows cannot be watched`() {
    let schema = "CREATE TABLE t (n)"
    let writes = ToolError("the statement writes: only a statement that reads is allowed")
    #expect(throws: writes) { try fetch(.sql("DELETE FROM t"), from: schema) }
    #expect(throws: writes) { try fetch(.sql("DELETE FROM t RETURNING n"), from: schema) }
    let nothing = ToolError(
      "the statement returns no rows: only a statement that does is allowed"
    )
    #expect(throws: nothing) { try fetch(.sql("ATTACH ':memory:' AS x"), from: schema) }
  }

  @Test(arguments: ["SELECT 1; SELECT 2", "", "-- nothing", "SELECT ?", "SELEC 1"])
  func `SQL must be one complete statement`(sql: String) {
    #expect(throws: DatabaseError.self) { try fetch(.sql(sql), from: "") }
  }
}
