import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct TableInfoTests {
  @Test(arguments: [
    ("CREATE TABLE t (id INTEGER PRIMARY KEY, a)", "id"),
    ("CREATE TABLE t (a)", "rowid"),
    ("CREATE TABLE t (RowID, a)", "_rowid_"),
    ("CREATE TABLE t (rowid, _rowid_)", "oid"),
    ("CREATE TABLE t (rowid, _rowid_, oid)", nil),
    ("CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID", nil),
    ("CREATE VIEW t AS SELECT 1 AS a", nil),
  ])
  func `the row id has the name of its column, or a name that no column has taken`(
    _ sql: String,
    _ name: String?
  ) throws {
    try withDatabase { db in
      try db.execute(sql: sql)
      try #expect(db.tableInfo("t").rowIDName == name)
    }
  }

  @Test func `a unique key needs all of its columns, in any order and case`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c, UNIQUE (a, b))")
      let table = try db.tableInfo("t")
      #expect(table.hasUniqueKey(within: ["ID"]))
      #expect(table.hasUniqueKey(within: ["B", "a"]))
      #expect(!table.hasUniqueKey(within: ["a"]))
      #expect(table.hasUniqueKey(within: ["a", "b", "c"]))
      #expect(!table.hasUniqueKey(within: ["b", "c"]))
    }
  }

  @Test func `a column is found in any case, and named as in the schema`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE t (FullName)")
      let table = try db.tableInfo("t")
      #expect(table.columnName("fullname") == "FullName")
      #expect(table.columnName("name") == nil)
    }
  }
}
