import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct TableInfoTests {
  @Test(arguments: [
    ("CREATE TABLE t (id INTEGER PRIMARY KEY, a)", "id"),
    ("CREATE TABLE t (id INTEGER PRIMARY KEY DESC, a)", "rowid"),
    ("CREATE TABLE t (rowid INTEGER PRIMARY KEY DESC, a)", "_rowid_"),
    ("CREATE TABLE t (id INTEGER, PRIMARY KEY (id DESC))", "id"),
    ("CREATE TABLE t (id \"INTEGER\" PRIMARY KEY ASC)", "id"),
    ("CREATE TABLE t (id integer CONSTRAINT c PRIMARY KEY AUTOINCREMENT)", "id"),
    ("CREATE TABLE t (id INT PRIMARY KEY)", "rowid"),
    ("CREATE TABLE t (id BIGINTEGER PRIMARY KEY)", "rowid"),
    ("CREATE TABLE t (id INTEGER, a INTEGER, PRIMARY KEY (id, a))", "rowid"),
    ("CREATE TABLE t (id INTEGER PRIMARY KEY) WITHOUT ROWID", nil),
    ("CREATE TABLE t (id INTEGER PRIMARY KEY DESC) STRICT", "rowid"),
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
      guard let name, !sql.contains("VIEW") else { return }
      // SQLite agrees.
      let key = try db.primaryKey("t")
      let columns = try db.columns(in: "t").map(\.name)
      let column = columns[0].quotedDatabaseIdentifier
      try db.execute(sql: "INSERT INTO t (\(column)) VALUES (7)")
      try db.execute(sql: "UPDATE t SET \(name) = 9")
      let found = try #require(try Row.fetchOne(db, sql: "SELECT \(name), \(column) FROM t"))
      #expect(found[0] == 9)
      #expect((found[1] == 9) == (key.rowIDColumn == columns[0]))
    }
  }

  @Test(arguments: [
    ("CREATE TABLE t (rowid, a)", "_rowid_"), ("CREATE TABLE t (RowID, _rowid_)", "oid"),
    ("CREATE TABLE t (oid, a)", "rowid"),
  ])
  func `a hidden key has a name that no column has`(_ sql: String, _ name: String) throws {
    try withDatabase { db in
      try db.execute(sql: sql)
      try #expect(db.primaryKey("t").columns == [name])
      try db.execute(sql: "INSERT INTO t (\(name)) VALUES (4)")
      try #expect(Table("t").filter(key: 4).fetchCount(db) == 1)
    }
  }

  private struct Entry: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "entry"
    var id: Int64?
    var text: String
    mutating func didInsert(_ inserted: InsertionSuccess) {
      if inserted.rowIDColumn == "id" { id = inserted.rowID }
    }
  }

  @Test func `a key that is not the row id gets no row id`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE entry (id INTEGER PRIMARY KEY DESC, text TEXT)")
      var first = Entry(id: 100, text: "a")
      try first.insert(db)
      #expect(first.id == 100)
      first.text = "b"
      try first.update(db)
      try first.upsert(db)
      #expect(first.id == 100)
      try #expect(Entry.fetchAll(db) == [Entry(id: 100, text: "b")])
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
