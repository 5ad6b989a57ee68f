import Testing

@testable import Storage
@testable import StorageTestSupport

/// The order of the nested loops of a compiled query is the order of its rows.
@Suite("The order in which a query finds its rows") struct ScanOrderTests {
  private static let schema = """
    DROP TABLE item;
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, price INTEGER, note);
    CREATE INDEX itemOnPrice ON item (price DESC);
    CREATE INDEX itemOnLength ON item (length(name));
    CREATE TABLE stock (
      item, place TEXT COLLATE NOCASE, count, PRIMARY KEY (place DESC, item)
    ) WITHOUT ROWID;
    CREATE TABLE maker (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);
    CREATE TABLE part (id INTEGER PRIMARY KEY, maker INTEGER, code TEXT, size INTEGER);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 28)
    INSERT INTO item SELECT i, 'name ' || (i % 7), i % 5, i % 3 FROM n;
    INSERT INTO stock SELECT id % 7, char(97 + id % 4), id % 3 FROM item;
    INSERT INTO maker SELECT id, 'code ' || id, name FROM item WHERE id < 5;
    INSERT INTO part SELECT id, id % 6, 'code ' || (id % 6), id % 3 FROM item;
    """

  private func withTables(_ body: (Database) throws -> Void) throws {
    try withDatabase { db throws in
      try db.execute(sql: Self.schema)
      try body(db)
    }
  }

  /// Returns a table as a query names it.
  private func table(
    _ name: String,
    as alias: String? = nil,
    _ db: Database
  ) throws -> PatchTable {
    let qualifier = alias ?? name
    let tableName = TableName(schema: "main", name: name)
    guard let tableKey = try TableKey(of: tableName, db) else {
      let rowID = PatchKey(rowID: "\(qualifier).rowid")
      return PatchTable(name: tableName, qualifier: qualifier, key: rowID, isOptional: false)
    }
    let key = try #require(PatchKey(tableKey, qualifier: qualifier))
    return PatchTable(name: tableName, qualifier: qualifier, key: key, isOptional: false)
  }

  private func order(of sql: String, _ tables: [PatchTable], _ db: Database) throws -> ScanOrder {
    let program = try ExplainedProgram(explaining: sql, db)
    return try ScanOrder.order(of: program, tables, db.currentRegionSchema(), db) {
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] }
    }
  }

  // MARK: Terms

  private static let terms: [(isReversed: Bool, isSorted: Bool, order: String?, terms: String)] = [
    (false, false, nil, "item.rowid"),
    (true, false, nil, "item.rowid DESC"),
    // The query asks for the order in which its rows are found anyway.
    (true, false, "id DESC", "item.rowid DESC"),
    (false, true, "name DESC, 1", "name DESC, 1, item.rowid"),
    (false, true, nil, "item.rowid"),
  ]

  @Test(arguments: terms)
  func `rows that are equal in the terms of a sorter stay as they were found`(
    isReversed: Bool,
    isSorted: Bool,
    order: String?,
    terms: String
  ) throws {
    try withTables { db throws in
      let loop = ScanOrder.Loop(over: try table("item", db), isReversed: isReversed)
      let scan = ScanOrder(loops: [loop], isSorted: isSorted)
      #expect(scan.terms(after: order) == terms)
    }
  }

  @Test func `the terms of the outer loops, and of their indexes, come first`() throws {
    try withTables { db throws in
      let outer = ScanOrder.Loop(
        over: try table("item", db),
        indexTerms: ["item.price DESC"],
        isReversed: true
      )
      let inner = ScanOrder.Loop(over: try table("stock", db), isReversed: true)
      let scan = ScanOrder(loops: [outer, inner], isSorted: false)
      #expect(
        scan.terms(after: nil) == """
          item.price DESC, item.rowid DESC, stock."place" COLLATE "NOCASE", \
          stock."item" COLLATE "BINARY" DESC
          """
      )
    }
  }

  // MARK: Programs

  /// Queries of one table, each with the terms of its order.
  private static let queries: [(table: String, rest: String, order: String?, terms: String)] = [
    ("item", "WHERE note > 0", nil, "item.rowid"),
    ("item", "WHERE note > 0", "id DESC", "item.rowid DESC"),
    ("item", "WHERE note > 0", "name", "name, item.rowid"),
    ("item", "WHERE price > 1", nil, "item.\"price\" COLLATE \"BINARY\" DESC, item.rowid"),
    ("item", "WHERE price > 1", "price", "item.\"price\" COLLATE \"BINARY\", item.rowid DESC"),
    (
      "item", "WHERE price BETWEEN 1 AND 3", "note",
      "note, item.\"price\" COLLATE \"BINARY\" DESC, item.rowid"
    ),
    (
      "stock", "", nil,
      "stock.\"place\" COLLATE \"NOCASE\" DESC, stock.\"item\" COLLATE \"BINARY\""
    ),
    (
      "stock", "", "place, item DESC",
      "stock.\"place\" COLLATE \"NOCASE\", stock.\"item\" COLLATE \"BINARY\" DESC"
    ),
    (
      "stock", "WHERE count > 0", "count",
      "count, stock.\"place\" COLLATE \"NOCASE\" DESC, stock.\"item\" COLLATE \"BINARY\""
    ),
  ]

  @Test(arguments: queries)
  func `rows of one table come in the order of the terms`(
    table name: String,
    rest: String,
    order: String?,
    terms: String
  ) throws {
    try withTables { db throws in
      let rows = "SELECT * FROM \(name) \(rest)"
      let sql = rows + (order.map { " ORDER BY \($0)" } ?? "")
      let found = try self.order(of: sql, [table(name, db)], db).terms(after: order)
      #expect(found == terms)
      let expected = try Row.fetchAll(db, sql: sql)
      #expect(expected.count > 10)
      #expect(try Row.fetchAll(db, sql: "\(rows) ORDER BY \(found)") == expected)
    }
  }

  private static let joins: [(source: String, order: String?, terms: String)] = [
    ("maker CROSS JOIN part", nil, "maker.rowid, part.rowid"),
    ("part CROSS JOIN maker", nil, "part.rowid, maker.rowid"),
    ("maker CROSS JOIN part", "part.size", "part.size, maker.rowid, part.rowid"),
    // Single rows are looked up by their row ids, and in a unique index.
    ("part JOIN maker ON maker.id = part.maker", nil, "part.rowid"),
    ("part JOIN maker ON maker.code = part.code", "size DESC", "size DESC, part.rowid"),
  ]

  @Test(arguments: joins)
  func `rows of a join come in the order of its loops`(
    source: String,
    order: String?,
    terms: String
  ) throws {
    try withTables { db throws in
      let rows = "SELECT maker.name, part.id, part.size FROM \(source)"
      let sql = rows + (order.map { " ORDER BY \($0)" } ?? "")
      let tables = [try table("maker", db), try table("part", db)]
      let found = try self.order(of: sql, tables, db).terms(after: order)
      #expect(found == terms)
      let expected = try Row.fetchAll(db, sql: sql)
      #expect(expected.count > 10)
      #expect(try Row.fetchAll(db, sql: "\(rows) ORDER BY \(found)") == expected)
    }
  }

  @Test func `of two references to a table, one may be looped over`() throws {
    try withTables { db throws in
      let tables = [try table("part", as: "a", db), try table("part", as: "b", db)]
      let sql = "SELECT a.id, b.size FROM part a JOIN part b"
      let found = try order(of: "\(sql) ON b.id = a.maker", tables, db)
      #expect(found.terms(after: nil) == "a.rowid")
      #expect(!found.isSorted)
      #expect(throws: PatchObstacle.readsTableTwice) { try order(of: sql, tables, db) }
    }
  }

  private static let refusals: [(String, PatchObstacle)] = [
    ("SELECT count(*) FROM item", .hasInstruction("Count")),
    ("SELECT note FROM item WHERE id = 5", .looksUpRows),
    ("SELECT note FROM item WHERE price IN (1, 2)", .readsInUnknownOrder),
    ("SELECT note FROM item WHERE length(name) = 2", .readsInUnknownOrder),
    // The other table is not one of its own.
    ("SELECT item.note FROM item CROSS JOIN part", .hasSubquery),
  ]

  @Test(arguments: refusals)
  func `a program that does more than loop over its tables has no order`(
    sql: String,
    obstacle: PatchObstacle
  ) throws {
    try withTables { db throws in
      let tables = [try table("item", db)]
      #expect(throws: obstacle) { try order(of: sql, tables, db) }
    }
  }

  // MARK: Rows that are looked up

  private static let lookUps: [(table: String, condition: String, looksUp: Bool)] = [
    ("item", "id = 5", true),
    ("item", "id IN (1, 2, 3)", true),
    ("item", "id > 5", false),
    ("item", "price = 3", false),
    ("item", "note = 5", false),
    ("stock", "place = 'a' AND item = 1", true),
    ("stock", "place = 'a'", false),
    ("stock", "count = 1", false),
  ]

  @Test(arguments: lookUps)
  func `rows are looked up by row ids and whole keys only`(
    table name: String,
    condition: String,
    looksUp: Bool
  ) throws {
    try withTables { db throws in
      let sql = "SELECT * FROM \(name) WHERE \(condition)"
      let program = try ExplainedProgram(explaining: sql, db)
      let sought = try table(name, db)
      let schema = try db.currentRegionSchema()
      let found = try ScanOrder.looksUpRows(program, of: sought.name, sought.key, schema, db)
      #expect(found == looksUp)
    }
  }

  @Test(arguments: [
    ("item WHERE id = 5", true),
    ("part JOIN maker ON maker.id = part.maker WHERE part.id = 5", true),
    ("item WHERE id IN (1, 2)", false),
  ])
  func `a list of row ids finds several rows`(source: String, isOne: Bool) throws {
    try withTables { db throws in
      let program = try ExplainedProgram(explaining: "SELECT * FROM \(source)", db)
      #expect(ScanOrder.findsOneRow(program) == isOne)
    }
  }
}
