import CWellspringSQLite
import Recording
import Testing
import TestSupport

@testable import Storage
@testable import StorageTestSupport

@Suite struct TableCatalogTests {
  private let directory = TemporaryDirectory()

  private func columns(_ table: String, _ db: Database, in schema: String = "main") throws -> String
  {
    try db.declaredColumns(of: TableName(schema: schema, name: table)).map { column in
      let kind = column.kind == .plain ? "" : ":\(column.kind)"
      return column.name + kind
    }.joined(separator: " ")
  }

  @Test(arguments: [
    ("CREATE TABLE t (a, b)", "absent", nil, "rowid"),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY, b)", "absent", "a", "a"),
    ("CREATE TABLE t (a INT PRIMARY KEY, b)", "ofRowIDs", nil, "rowid"),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY DESC, b)", "ofRowIDs", nil, "rowid"),
    ("CREATE TABLE t (rowid, a, b, PRIMARY KEY (a, b))", "ofRowIDs", nil, "_rowid_"),
    ("CREATE TABLE t (rowid, _rowid_, oid)", "absent", nil, nil),
    ("CREATE TABLE t (a, b, PRIMARY KEY (b, a)) WITHOUT ROWID", "b a", nil, nil),
    ("CREATE VIEW t AS SELECT 1 AS a, 2 AS b", "absent", nil, "rowid"),
  ])
  func `a table has this key, this column of the row id, and this name of it`(
    sql: String,
    index: String,
    rowIDColumn: String?,
    rowIDName: String?
  ) throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: sql)
      let table = try db.declaredTable(TableName(schema: "main", name: "T"))
      let found =
        switch table.keyIndex {
        case .table(let key): key.columns.map(\.name).joined(separator: " ")
        case let index: "\(index)"
        }
      #expect(found == index)
      #expect(table.rowIDColumn?.name == rowIDColumn)
      #expect(table.rowIDName == rowIDName)
    }
  }

  @Test func `generated and hidden columns are told from others`() throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE t (a, v AS (a) VIRTUAL, s AS (a) STORED)")
      try db.execute(sql: "CREATE VIRTUAL TABLE f USING fts5(a)")
      #expect(try columns("t", db) == "a v:virtual s:stored")
      #expect(try columns("f", db) == "a f:hidden rank:hidden")
      #expect(try columns("missing", db) == "")
    }
  }

  @Test func `changes of the schema by anyone, and undone ones, are seen`() throws {
    let queue = try DatabaseQueue(path: directory.file())
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      #expect(try columns("t", db) == "a")
      try db.inTransaction {
        try db.execute(sql: "ALTER TABLE t ADD COLUMN b")
        #expect(try columns("t", db) == "a b")
        return .rollback
      }
      #expect(try columns("t", db) == "a")
      // The same number of the schema as before the rollback.
      try db.execute(sql: "ALTER TABLE t ADD COLUMN c")
      #expect(try columns("t", db) == "a c")
      _ = try SQLiteShell.run(directory.file(), "ALTER TABLE t ADD COLUMN d")
      #expect(try columns("t", db) == "a c d")
      try db.execute(sql: "CREATE TEMP TABLE t (z)")
      #expect(try columns("t", db) == "a c d")
      #expect(try columns("t", db, in: "temp") == "z")
    }
  }

  @Test func `another file under the same name has its own tables`() throws {
    for column in ["x", "y"] {
      let queue = try DatabaseQueue(path: directory.file(column))
      try queue.write { try $0.execute(sql: "CREATE TABLE t (\(column))") }
    }
    try DatabaseQueue().writeWithoutTransaction { db in
      for column in ["x", "y"] {
        try db.execute(sql: "ATTACH ? AS other", arguments: [directory.file(column)])
        #expect(try columns("t", db, in: "other") == column)
        try db.execute(sql: "DETACH other")
      }
    }
  }

  @Test func `the tables of modules, and other names of the schema, have columns`() throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TEMP TABLE t (a)")
      for name in ["sqlite_schema", "sqlite_master", "sqlite_temp_schema", "sqlite_temp_master"] {
        #expect(try db.columns(in: name).map(\.name).contains("rootpage"), "\(name)")
      }
      #expect(try db.columns(in: "pragma_table_list").map(\.name).contains("wr"))
    }
  }

  @Test func `a view in temp has the present columns of its tables`() throws {
    let queue = try DatabaseQueue(path: directory.file())
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t (a); CREATE TEMP VIEW v AS SELECT * FROM t")
      #expect(try db.columns(in: "v").map(\.name) == ["a"])
      try db.execute(sql: "ALTER TABLE t ADD COLUMN b")
      #expect(try db.columns(in: "v").map(\.name) == ["a", "b"])
      _ = try SQLiteShell.run(directory.file(), "ALTER TABLE t ADD COLUMN c")
      #expect(try db.columns(in: "v").map(\.name) == ["a", "b", "c"])
    }
  }

  @Test func `the table of a module that is registered later is found`() throws {
    var module = sqlite3_module()
    module.xConnect = { connection, _, _, _, table, _ in
      sqlite3_declare_vtab(connection, "CREATE TABLE x (late)")
      table?.pointee = .allocate(capacity: 1)
      table?.pointee?.initialize(to: sqlite3_vtab())
      return SQLITE_OK
    }
    module.xDisconnect = { table in
      table?.deallocate()
      return SQLITE_OK
    }
    try withUnsafePointer(to: module) { (module) throws in
      let queue = try DatabaseQueue()
      try queue.write { db throws in
        #expect(throws: DatabaseError.self) { try db.columns(in: "latecomer") }
        #expect(
          sqlite3_create_module(db.sqliteConnection, "latecomer", module, nil) == SQLITE_OK
        )
        let columns = try db.columns(in: "latecomer")
        #expect(columns.map(\.name) == ["late"])
      }
      try queue.close()
    }
  }

  @Test func `names that are not UTF-8 are an error where they must be exact`() throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE t (a, bx)")
      try db.execute(
        sql: """
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = CAST(replace(CAST(sql AS BLOB), 'bx', x'62ff') AS TEXT);
          PRAGMA writable_schema = RESET;
          """
      )
      #expect(try columns("t", db) == "a b\u{FFFD}")
      #expect(try db.declaredColumns(of: "t").map(\.name) == ["a", "b\u{FFFD}"])
      let second = try #require(try db.declaredColumns(of: "t").last)
      #expect(throws: RowDecodingError.self) { try second.checkName() }
      #expect(throws: RowDecodingError.self) { try db.columns(in: "t") }
      #expect(throws: RowDecodingError.self) { try RecordableTable.all(db) }
    }
  }
}
