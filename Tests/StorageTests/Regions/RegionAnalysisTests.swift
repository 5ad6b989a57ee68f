import Testing

@testable import Storage
@testable import StorageTestSupport

/// The regions of statements, as text: `item(id,name)[1]` means two columns of one row.
@Suite struct RegionAnalysisTests {
  private static let schema = """
    CREATE TABLE note (id INTEGER PRIMARY KEY, item INTEGER, body TEXT);
    CREATE INDEX note_on_item ON note (item);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, item INTEGER, label TEXT);
    CREATE TABLE pair (a TEXT, b TEXT, PRIMARY KEY (a)) WITHOUT ROWID;
    CREATE TABLE size (id INTEGER PRIMARY KEY, width INTEGER, height INTEGER,
      area INTEGER GENERATED ALWAYS AS (width * height));
    CREATE TABLE counter (id INTEGER PRIMARY KEY AUTOINCREMENT);
    CREATE VIEW counted AS WITH s(i) AS (VALUES (1), (2)) SELECT count(*) AS n FROM s;
    CREATE VIEW cheap AS SELECT id FROM item WHERE price < 5;
    CREATE VIRTUAL TABLE page USING fts5(body);
    CREATE TEMP TABLE draft (id INTEGER PRIMARY KEY, body TEXT)
    """

  struct Case: Sendable, CustomTestStringConvertible {
    let sql: String
    let arguments: StatementArguments
    let region: String
    var testDescription: String { sql }

    init(
      _ sql: String,
      _ arguments: StatementArguments = [],
      reads region: String,
      since346 newer: String? = nil
    ) {
      (self.sql, self.arguments) = (sql, arguments)
      self.region = Database.sqliteLibVersionNumber < 3_046_000 ? region : newer ?? region
    }
  }

  private func expect(_ test: Case) throws {
    try withDatabase { db in
      try db.execute(sql: Self.schema)
      let statement = try db.makeStatement(sql: test.sql)
      try statement.setArguments(test.arguments)
      let region = try statement.databaseRegion().description
      #expect(region == test.region)
    }
  }

  static let columns = [
    Case("SELECT name FROM item", reads: "item(name)"),
    Case("SELECT * FROM item", reads: "item(id,name,price)"),
    Case("SELECT count(*) FROM item", reads: "item()"),
    Case(
      "SELECT id FROM item WHERE price > 3 ORDER BY name",
      reads: "item(id,name,price)[price>3]"
    ),
    Case("SELECT NAME FROM ITEM", reads: "item(name)"),
    Case("SELECT body FROM draft", reads: "temp.draft(body)"),
    Case("SELECT 1", reads: "empty"),
  ]

  private static let numbers = "s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 3)"

  static let expressions = [
    Case("WITH RECURSIVE \(numbers) SELECT count(*) FROM s", reads: "empty"),
    Case("WITH RECURSIVE \(numbers) SELECT 1 FROM s, item", reads: "item()"),
    Case(
      "WITH s AS MATERIALIZED (SELECT price FROM item) SELECT count(*) FROM s",
      reads: "item(price)"
    ),
    Case("WITH s AS NOT MATERIALIZED (SELECT 1) SELECT 1 FROM s AS t", reads: "empty"),
    Case("SELECT EXISTS (WITH s AS (SELECT 1 WHERE random()) SELECT * FROM s)", reads: "empty"),
    Case(
      "SELECT id FROM item WHERE EXISTS (WITH s AS (VALUES (1)) SELECT 1 FROM s)",
      reads: "item(id)"
    ),
    Case("WITH a AS (SELECT 1), b AS (SELECT 2 FROM a) SELECT count(*) FROM a, b", reads: "empty"),
    Case("WITH s AS (SELECT 1) SELECT count(*) FROM json_each('[1]'), s", reads: "empty"),
    Case("SELECT n FROM counted", reads: "empty"),
    // A name that no table has may be the name of a module.
    Case("SELECT count(*) FROM pragma_page_count", reads: "full database"),
  ]

  @Test(arguments: expressions)
  func `a common table expression reads what its query reads`(test: Case) throws {
    try expect(test)
  }

  static let covered = [
    Case("SELECT count(*) FROM note", reads: "note()"),
    Case("SELECT count(1), sum(2) FROM note", reads: "note()"),
    Case("SELECT EXISTS (SELECT 1 FROM note)", reads: "note()"),
    Case("SELECT 'x' FROM note LIMIT 3", reads: "note()"),
    Case("SELECT count(*) FROM note, tag", reads: "note(), tag()"),
    Case("SELECT name FROM item, note", reads: "item(name), note()"),
    // The index gives the order, and decides which rows a limit or a condition finds.
    Case("SELECT id FROM note", reads: "note(id,item)"),
    Case(
      "SELECT count(*) FROM (SELECT id FROM note LIMIT 1)",
      reads: "note(id,item)",
      since346: "note(id)"
    ),
    Case("SELECT count(id) FROM note", reads: "note(id,item)"),
    Case("SELECT count(*) FROM note WHERE item > 2", reads: "note(item)[item>2]"),
    Case("SELECT count(*) FROM note WHERE rowid > 2", reads: "note(id)[id>2]"),
    Case("SELECT item FROM note", reads: "note(item)"),
    Case("SELECT max(item) FROM note", reads: "note(item)"),
    Case("SELECT count(DISTINCT item) FROM note", reads: "note(item)"),
    Case("SELECT count(*) FROM note GROUP BY item", reads: "note(item)"),
    Case(
      "SELECT count(*) FROM item JOIN note ON note.item = item.id",
      reads: "item(id), note(item)"
    ),
  ]

  @Test(arguments: covered)
  func `an index that is only counted tells nothing of its columns`(test: Case) throws {
    try expect(test)
  }

  @Test(arguments: columns)
  func `a query reads the columns that it names`(test: Case) throws { try expect(test) }

  static let rows = [
    Case("SELECT name FROM item WHERE id = ?", [7], reads: "item(id,name)[7]"),
    Case("SELECT name FROM item WHERE id = 7", reads: "item(id,name)[7]"),
    Case("SELECT name FROM item WHERE rowid = ?", [7], reads: "item(id,name)[7]"),
    // SQLite converts text to a number before it compares it with an id; NULL equals no id.
    Case("SELECT name FROM item WHERE id = ?", ["7"], reads: "item(id,name)"),
    Case("SELECT name FROM item WHERE id = ?", [nil], reads: "item(id,name)[]"),
    Case("SELECT name FROM item WHERE id = ? OR id = 2", [7], reads: "item(id,name)[2,7]"),
    Case("SELECT name FROM item WHERE id IN (1, 2)", reads: "item(id,name)[1,2]"),
    Case("SELECT name FROM item WHERE id IN (?, ?, NULL)", [7, nil], reads: "item(id,name)[7]"),
    Case("SELECT name FROM item WHERE id IN (?, ?)", [7, "8"], reads: "item(id,name)"),
    Case("SELECT name FROM item WHERE id IN (1, '2')", reads: "item(id,name)"),
    Case(
      "SELECT name FROM item WHERE id IN (-3, 5000000000) AND price > 2 ORDER BY name LIMIT 1",
      reads: "item(id,name,price)[-3,5000000000]"
    ),
    Case("SELECT name FROM item WHERE id = 1 OR id IN (2, 3)", reads: "item(id,name)[1,2,3]"),
    Case("SELECT name FROM item WHERE id IN (1, 2) ORDER BY id DESC", reads: "item(id,name)[1,2]"),
    Case("SELECT EXISTS (SELECT 1 FROM item WHERE id IN (1, 2))", reads: "item(id)[1,2]"),
    Case("SELECT count(*) FROM item WHERE id IN (1, 2)", reads: "item(id)[1,2]"),
    Case("SELECT name FROM item WHERE id NOT IN (1, 2)", reads: "item(id,name)"),
    Case("SELECT name FROM item WHERE id IN (1, ? + 1)", [7], reads: "item(id,name)"),
    // Both branches of the first element end at one instruction, behind the second branch.
    Case(
      "SELECT name FROM item WHERE id IN (CASE WHEN ? THEN ? ELSE 3 END, 2)",
      [true, 7],
      reads: "item(id,name)"
    ),
    Case(
      "SELECT name FROM item WHERE id IN (SELECT item FROM note)",
      reads: "item(id,name), note(item)"
    ),
    Case("SELECT name FROM item WHERE id = 1 OR name = 'cup'", reads: "item(id,name)"),
    Case("SELECT name FROM item WHERE id > ?", [7], reads: "item(id,name)[id>7]"),
    Case("SELECT name FROM item WHERE id = ? + 1", [7], reads: "item(id,name)"),
    Case("SELECT name FROM item WHERE name = ?", ["cup"], reads: "item(name)[name='cup']"),
  ]

  @Test(arguments: rows)
  func `a query that looks up row ids reads only these rows`(test: Case) throws { try expect(test) }

  static let joins = [
    Case(
      "SELECT name, body FROM item JOIN note WHERE item.id = ? AND note.id = ?",
      [1, 2],
      reads: "item(id,name)[1], note(body,id)[2]"
    ),
    Case(
      "SELECT name, body FROM item, note WHERE item.id IN (1, 2) AND note.id IN (?, 4)",
      [3],
      reads: "item(id,name)[1,2], note(body,id)[3,4]"
    ),
    Case(
      "SELECT name, body FROM item JOIN note ON note.id = item.price WHERE item.id IN (1, 2)",
      reads: "item(id,name,price)[1,2], note(body,id)"
    ),
    Case(
      "SELECT name, (SELECT count(*) FROM note WHERE item = item.id) FROM item",
      reads: "item(id,name), note(item)"
    ),
    // The authorizer does not report the columns that USING and NATURAL join. The id of a row needs
    // no column: a changed id counts as a deletion and an insertion.
    Case("SELECT count(*) FROM note JOIN tag USING (item)", reads: "note(item), tag(item)"),
    Case(
      "SELECT body, label FROM note NATURAL JOIN tag",
      reads: "note(body,item), tag(item,label)"
    ),
    Case("SELECT name FROM item UNION SELECT body FROM note", reads: "item(name), note(body)"),
    Case(
      "WITH n AS (SELECT item FROM note) SELECT name FROM item WHERE id IN n",
      reads: "item(id,name), note(item)"
    ),
  ]

  @Test(arguments: joins)
  func `a join reads all of its tables`(test: Case) throws { try expect(test) }

  static let tables = [
    Case("SELECT id FROM cheap", reads: "item(id,price)[price<5]"),
    // A generated column is reported without the columns that it is computed from.
    Case("SELECT area FROM size", reads: "size(*)"),
    Case("SELECT width FROM size", reads: "size(width)"),
    Case("SELECT b FROM pair WHERE a = 'x'", reads: "pair(*)[a='x']"),
    Case(
      "SELECT body FROM page WHERE page MATCH 'x'",
      reads: "page(*), page_config(*), page_content(*), page_data(*), page_docsize(*), page_idx(*)"
    ),
    Case("SELECT seq FROM sqlite_sequence", reads: "sqlite_sequence(*)"),
    Case("SELECT name FROM sqlite_schema", reads: "empty"),
    Case("SELECT value FROM json_each('[1]')", reads: "empty"),
    Case("SELECT name FROM pragma_table_info('item')", reads: "empty"),
    Case("PRAGMA cache_size", reads: "full database"),
    Case("EXPLAIN SELECT * FROM item", reads: "full database"),
  ]

  @Test(arguments: tables)
  func `a query reads the tables behind views, virtual tables and pragmas`(test: Case) throws {
    try expect(test)
  }

  static let writes = [
    Case("INSERT INTO item (name) SELECT body FROM note", reads: "item(), note(body)"),
    Case("DELETE FROM item WHERE price > 1", reads: "item(price)"),
    Case("BEGIN", reads: "empty"),
  ]

  @Test(arguments: writes)
  func `a statement that writes reads the columns that it looks at`(test: Case) throws {
    try expect(test)
  }

  @Test func `a statement is analyzed again when the schema changes`() throws {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT * FROM item")
      #expect(try statement.databaseRegion().description == "item(id,name,price)")
      try db.execute(sql: "ALTER TABLE item ADD COLUMN size")
      #expect(try statement.databaseRegion().description == "item(id,name,price,size)")
      try db.execute(sql: "ALTER TABLE item ADD COLUMN weight")
      _ = try Row.fetchAll(statement)
      #expect(try statement.databaseRegion().description == "item(id,name,price,size,weight)")
    }
  }

  @Test func `a statement is analyzed again when its first step since then fails`()
    throws
  {
    try withDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT *, json(name) FROM item")
      let recorded = {
        let recorder = RegionRecorder()
        db.regionRecorder = recorder
        defer { db.regionRecorder = nil }
        _ = try Row.fetchAll(statement)
        return recorder.region.description
      }
      try db.execute(sql: "INSERT INTO item (name, price) VALUES ('1', 1)")
      #expect(try recorded() == "item(id,name,price)")
      try db.execute(sql: "ALTER TABLE item ADD COLUMN size")
      try db.execute(sql: "UPDATE item SET name = '{'")
      #expect(throws: DatabaseError.self) { try recorded() }
      try db.execute(sql: "UPDATE item SET name = '2'")
      #expect(try recorded() == "item(id,name,price,size)")
    }
  }
}
