import Testing

@testable import Recording
@testable import Storage

@Suite struct RecordableTableTests {
  private func table(_ sql: String) throws -> RecordableTable {
    try DatabaseQueue().write { db in
      try db.execute(sql: sql)
      return try #require(try RecordableTable.all(db).first { $0.name == "t" })
    }
  }

  @Test(arguments: [
    ("CREATE TABLE t (a, b)", ["a", "b"], "rowid", false),
    ("CREATE TABLE t (id INTEGER PRIMARY KEY, a)", ["a"], "id", true),
    ("CREATE TABLE t (id INT PRIMARY KEY, a)", ["id", "a"], "rowid", false),
    ("CREATE TABLE t (id INTEGER PRIMARY KEY DESC, a)", ["id", "a"], "rowid", false),
    ("CREATE TABLE t (rowid, _ROWID_, a)", ["rowid", "_ROWID_", "a"], "oid", false),
    ("CREATE TABLE t (a, g AS (a + 1), s AS (a) STORED, b)", ["a", "b"], "rowid", false),
  ])
  func `a table with row ids has these columns, and this name of the row id`(
    sql: String,
    columns: [String],
    name: String,
    isDeclared: Bool
  ) throws {
    let table = try table(sql)
    #expect(table.columns.map(\.name) == columns)
    #expect(table.rowIDName == name)
    #expect(table.declaresRowID == isDeclared)
    #expect(table.key == [])
    #expect(table.obstacle == nil)
    #expect(table.table == RecordedTable(name: "t", columnCount: columns.count, keyCount: 0))
  }

  @Test func `a table without row ids has its key in the order of the key`() throws {
    let table = try table("CREATE TABLE t (a, b, c, PRIMARY KEY (c, a)) WITHOUT ROWID")
    #expect(table.columns.map(\.name) == ["a", "b", "c"])
    #expect(table.key == [2, 0])
    #expect(table.rowIDName == nil)
    #expect(table.table.keyCount == 2)
    // The key names a column twice, with two collations.
    let twice = try self.table(
      "CREATE TABLE t (a, PRIMARY KEY (a, a COLLATE NOCASE)) WITHOUT ROWID"
    )
    #expect(twice.key == [0])
  }

  @Test func `a table without a free name for its row id cannot be recorded`() throws {
    let table = try table("CREATE TABLE t (rowid, _rowid_, oid)")
    #expect(table.obstacle == "no name is left for the row id of the table t")
  }

  @Test(arguments: [("INTEGER PRIMARY KEY AUTOINCREMENT", true), ("INTEGER PRIMARY KEY", false)])
  func `AUTOINCREMENT is known`(declaration: String, isKnown: Bool) throws {
    #expect(try table("CREATE TABLE t (id \(declaration))").mayHaveSequence == isKnown)
  }

  @Test(arguments: [
    ("REAL", true), ("DOUBLE PRECISION", true), ("FLOAT", true), ("FLOATING POINT", false),
    ("INT", false), ("TEXT", false), ("", false), ("INT, g REAL AS (1.5) VIRTUAL", true),
  ])
  func `columns of real numbers are known`(type: String, isReal: Bool) throws {
    #expect(try table("CREATE TABLE t (a \(type))").hasReal == isReal)
  }

  @Test func `tables behind virtual tables are tables, and views and virtual tables are none`()
    throws
  {
    let names = try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE VIRTUAL TABLE f USING fts5(x); CREATE VIEW v AS SELECT 1")
      try db.execute(sql: "CREATE TEMP TABLE tt (x)")
      return try RecordableTable.all(db).map(\.name)
    }
    let shadows = ["f_config", "f_content", "f_data", "f_docsize", "f_idx"]
    #expect(Set(names).isSuperset(of: shadows))
    #expect(Set(names).isDisjoint(with: ["f", "v", "tt"]))
  }
}
