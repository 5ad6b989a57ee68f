import CWellspringSQLite
import Foundation
import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite("Which queries are patched") struct PatchAnalysisTests {
  private static let schema = """
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, price INTEGER, note,
      double AS (price * 2), kept AS (price + 1) STORED
    );
    CREATE INDEX itemOnPrice ON item (price DESC);
    CREATE INDEX itemOnLength ON item (length(name));
    CREATE TABLE other (id INTEGER PRIMARY KEY, itemId INTEGER);
    CREATE TABLE ids (id INTEGER PRIMARY KEY);
    CREATE TABLE keyed (code TEXT PRIMARY KEY, name) WITHOUT ROWID;
    CREATE TABLE stock (
      item, place TEXT COLLATE NOCASE, count, PRIMARY KEY (place DESC, item)
    ) WITHOUT ROWID;
    CREATE INDEX stockOnCount ON stock (count);
    CREATE TABLE maker (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);
    CREATE TABLE part (id INTEGER PRIMARY KEY, maker INTEGER, code TEXT, size INTEGER);
    CREATE INDEX partOnSize ON part (size);
    CREATE TABLE range (id INTEGER PRIMARY KEY, size INTEGER NOT NULL UNIQUE);
    CREATE TABLE picked (range INTEGER NOT NULL);
    CREATE TABLE hiding (rowid, oid, _rowid_);
    CREATE TABLE partly ("rowid" TEXT, _ROWID_ TEXT);
    CREATE VIEW cheap AS SELECT * FROM item;
    CREATE VIRTUAL TABLE words USING fts5 (text);
    """

  private func plan(_ sql: String, _ arguments: StatementArguments = []) throws -> PatchPlan {
    try withDatabase { db in
      try db.execute(sql: "DROP TABLE item; \(Self.schema)")
      let statement = try db.makeStatement(sql: sql)
      try statement.setArguments(arguments)
      return try PatchAnalysis.plan(for: statement)
    }
  }

  static let orders: [(String, String)] = [
    ("SELECT * FROM item", "item.rowid"),
    ("SELECT name FROM item i ORDER BY name", "name, i.rowid"),
    ("SELECT * FROM item ORDER BY id DESC", "item.rowid DESC"),
    (
      "SELECT * FROM item ORDER BY note DESC NULLS LAST, 1",
      "note DESC NULLS LAST, 1, item.rowid"
    ),
    (
      "SELECT * FROM item WHERE price > 5",
      "item.\"price\" COLLATE \"BINARY\" DESC, item.rowid"
    ),
    (
      "SELECT * FROM item ORDER BY price",
      "item.\"price\" COLLATE \"BINARY\", item.rowid DESC"
    ),
    (
      "SELECT * FROM item WHERE price BETWEEN 3 AND 5 ORDER BY note LIMIT 3",
      "note, item.\"price\" COLLATE \"BINARY\" DESC, item.rowid"
    ),
    ("SELECT double, kept FROM item WHERE note LIKE 'a%' ORDER BY 1", "1, item.rowid"),
    ("SELECT upper(name) FROM main.item WHERE note IN (1, 'x', NULL)", "item.rowid"),
    (
      "SELECT * FROM partly ORDER BY \"rowid\" COLLATE RTRIM",
      "\"rowid\" COLLATE RTRIM, partly.oid"
    ),
    ("SELECT 1 FROM other", "other.rowid"),
    ("SELECT name FROM keyed", "keyed.\"code\" COLLATE \"BINARY\""),
    (
      "SELECT * FROM stock ORDER BY place DESC, item",
      "stock.\"place\" COLLATE \"NOCASE\" DESC, stock.\"item\" COLLATE \"BINARY\""
    ),
    (
      "SELECT count FROM stock ORDER BY count",
      """
      stock."count" COLLATE "BINARY", stock."place" COLLATE "NOCASE" DESC, \
      stock."item" COLLATE "BINARY"
      """
    ),
  ]

  /// Whether SQLite reads a table in the order of a key of several columns instead of looking up
  /// some of its rows, and sorting them. SQLite 3.53 does.
  private func readsInOrder(_ sql: String) -> Bool {
    sql.contains("stock") && Database.sqliteLibVersionNumber >= 3_053_000
  }

  @Test(arguments: orders)
  func `rows of one table are patched, in a total order`(sql: String, order: String) throws {
    guard !readsInOrder(sql) else { return }
    #expect(try plan(sql).totalOrder == order)
  }

  @Test func `a window is found out from its parameters`() throws {
    let plan = try plan("SELECT * FROM item ORDER BY note LIMIT ? OFFSET ? + 1", [10, 4])
    #expect(plan.window == PatchPlan.Window(limit: 10, offset: 5))
  }

  static let refused: [(String, PatchObstacle)] = [
    ("SELECT count(*) FROM item", .hasInstruction("Count")),
    ("SELECT max(price), name FROM item", .hasInstruction("AggStep")),
    ("SELECT sum(price) OVER (ORDER BY id) FROM item", .hasInstruction("InitCoroutine")),
    ("SELECT * FROM cheap", .readsOtherSource),
    ("SELECT * FROM words", .readsVirtualTable),
    ("SELECT * FROM keyed WHERE code = 'a'", .looksUpRows),
    ("SELECT * FROM hiding", .cannotNameRowID),
    ("SELECT * FROM item WHERE id = 5", .looksUpRows),
    ("SELECT * FROM item WHERE price IN (1, 2)", .readsInUnknownOrder),
    ("SELECT * FROM item WHERE price = 1 OR length(name) = 2", .hasInstruction("ReopenIdx")),
    ("SELECT * FROM item WHERE length(name) = 2", .readsInUnknownOrder),
    ("SELECT * FROM item WHERE id IN ids", .hasSubquery),
    ("SELECT * FROM item WHERE price > random()", .callsFunction("random")),
    ("SELECT date('now') FROM item", .callsFunction("date")),
    ("SELECT CURRENT_TIME FROM item", .callsFunction("current_time")),
    ("SELECT changes() FROM item", .callsFunction("changes")),
    ("SELECT * FROM item ORDER BY random()", .callsFunction("random")),
    ("SELECT * FROM item LIMIT -1", .hasUnknownLimit),
    ("SELECT * FROM item LIMIT 20000", .hasLargeWindow),
    ("SELECT * FROM item ORDER BY price, note", .hasInstruction("SequenceTest")),
    ("SELECT name FROM sqlite_master", .readsOtherSource),
    ("SELECT * FROM pragma_table_info('item')", .readsOtherSource),
  ]

  @Test(arguments: refused)
  func `other queries say why not`(sql: String, obstacle: PatchObstacle) {
    #expect(throws: obstacle) { try plan(sql) }
  }

  @Test(arguments: ["item", "stock"])
  func `a table that is small by its statistics is no longer looked up`(table: String) throws {
    try withDatabase { db throws in
      try db.execute(
        sql: """
          DROP TABLE item; \(Self.schema);
          INSERT INTO item (name) VALUES ('a');
          INSERT INTO keyed VALUES ('a', 'b');
          INSERT INTO stock VALUES (1, 'a', 2);
          """
      )
      let sql = "SELECT * FROM \(table)"
      guard !readsInOrder(sql) else { return }
      #expect(try db.makeStatement(sql: sql).patchObstacle() == nil)
      try db.execute(sql: "ANALYZE")
      let obstacle = "reads a table that is small, by the statistics of ANALYZE"
      #expect(try db.makeStatement(sql: sql).patchObstacle() == obstacle)
    }
  }

  /// Queries over joins, and the table whose rows identify the rows of the query.
  static let joins: [(String, String, String)] = [
    ("SELECT * FROM part JOIN maker ON maker.id = part.maker", "part", "part.rowid"),
    ("SELECT p.id FROM maker m, part p WHERE m.code = p.code", "part", "p.rowid"),
    (
      "SELECT * FROM part p LEFT JOIN maker m USING (code) WHERE p.size > 2 ORDER BY m.name",
      "part", "m.name, p.\"size\" COLLATE \"BINARY\", p.rowid"
    ),
    (
      """
      SELECT p.*, a.name, b.name FROM part p JOIN maker a ON a.id = p.maker \
      LEFT JOIN maker b ON b.code = p.code ORDER BY p.size DESC LIMIT 5
      """,
      "part", "p.rowid DESC"
    ),
    ("SELECT * FROM part a JOIN part b ON b.id = a.maker", "part", "a.rowid"),
    (
      "SELECT b.id, a.id FROM part b JOIN part a ON b.id = a.maker WHERE a.size > 3 ORDER BY b.code",
      "part", "b.code, a.\"size\" COLLATE \"BINARY\", a.rowid"
    ),
    ("SELECT * FROM part LEFT JOIN part AS p2 ON p2.id = part.maker", "part", "part.rowid"),
    ("SELECT * FROM part JOIN keyed ON keyed.code = part.code", "part", "part.rowid"),
    (
      "SELECT p.id, count FROM part p LEFT JOIN stock s ON s.item = p.code AND s.place = p.code",
      "part", "p.rowid"
    ),
  ]

  @Test(arguments: joins)
  func `joins are patched by the rows that lead to one row of each other table`(
    sql: String,
    table: String,
    order: String
  ) throws {
    let plan = try plan(sql)
    #expect(plan.table.name == table)
    #expect(plan.totalOrder.hasSuffix(order))
    let partners = Set(plan.partners.map(\.name))
    #expect(partners.count == 1)
    #expect(partners.allSatisfy(sql.contains))
  }

  static let refusedJoins: [(String, PatchObstacle)] = [
    ("SELECT * FROM maker JOIN part ON part.code = maker.name", .hasInstruction("OpenAutoindex")),
    ("SELECT * FROM maker LEFT JOIN part ON part.size = maker.id", .joinsSeveralRows),
    ("SELECT * FROM part, maker", .joinsSeveralRows),
    (
      "SELECT p.size FROM part p LEFT JOIN maker m ON m.id = p.maker NATURAL JOIN ids",
      .dependsOnMissingRow
    ),
    ("SELECT * FROM part a JOIN part b ON b.size = a.size", .readsTableTwice),
    (
      "SELECT * FROM part p LEFT JOIN maker m ON m.id = p.maker WHERE m.id IS NULL",
      .dependsOnMissingRow
    ),
    (
      "SELECT p.id, name FROM part p LEFT JOIN maker m ON m.id = p.maker WHERE name > 'a'",
      .dependsOnMissingRow
    ),
    (
      """
      SELECT p.id, m.name AS size FROM part p LEFT JOIN maker m ON m.id = p.maker \
      ORDER BY size LIMIT 5
      """,
      .dependsOnMissingRow
    ),
    (
      "SELECT p.id FROM part p LEFT JOIN maker m ON m.id = p.maker ORDER BY m.name LIMIT 5",
      .dependsOnMissingRow
    ),
    (
      """
      SELECT p.id FROM part p LEFT JOIN maker m ON m.id = p.maker JOIN ids ON ids.id = m.code
      """,
      .dependsOnMissingRow
    ),
    (
      "SELECT p.id FROM part p LEFT JOIN maker m ON m.id = p.maker WHERE \"name\" = 'a'",
      .dependsOnMissingRow
    ),
    (
      "SELECT part.id FROM part LEFT JOIN partly ON partly.oid = part.id WHERE _rowid_ IS NULL",
      .dependsOnMissingRow
    ),
    ("SELECT * FROM part JOIN cheap ON cheap.id = part.id", .readsOtherSource),
    // Each row of a table without row ids leads to several rows of another table.
    ("SELECT name, count FROM keyed JOIN stock ON place = code", .joinsSeveralRows),
    ("SELECT name, count FROM keyed LEFT JOIN stock ON place = code", .joinsSeveralRows),
    // The rows come in the order of `range.id`, and not in the order of the index of their size.
    (
      "SELECT part.id FROM range r JOIN part ON part.size = r.size "
        + "WHERE r.id IN (SELECT range FROM picked)", .readsInUnknownOrder
    ),
    ("SELECT * FROM part JOIN words ON words.rowid = part.id", .readsVirtualTable),
  ]

  @Test(arguments: refusedJoins)
  func `other joins say why not`(sql: String, obstacle: PatchObstacle) {
    #expect(throws: obstacle) { try plan(sql) }
  }

  @Test func `the plan for a window is the one that runs, whatever its limit`() throws {
    try withDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE a (id INTEGER PRIMARY KEY, k INT, s INT, t TEXT);
          CREATE INDEX a_s ON a (s);
          CREATE INDEX a_k ON a (k);
          WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
          INSERT INTO a SELECT i, i % 2, i % 10, 'v' || i FROM n
          """
      )
      var planned = 0
      for limit in 1...20 {
        let sql = "SELECT id, t FROM a WHERE k >= 0 ORDER BY s DESC LIMIT \(limit)"
        let statement = try db.makeStatement(sql: sql)
        // SQLite 3.53 reads more rows by another index, in which equal rows have another order.
        guard let plan = try? PatchAnalysis.plan(for: statement) else { continue }
        let result = try PatchedResult(plan, [], db, RowForm(adapter: nil)) { $0.copy() }
        #expect(try result.elements == Row.fetchAll(db, sql: sql), "LIMIT \(limit)")
        planned += 1
      }
      #expect(planned >= 10)
    }
  }

  @Test func `a key with a collation made in Swift is not compared`() throws {
    try withDatabase { db throws in
      db.add(collation: DatabaseCollation("odd") { _, _ in .orderedSame })
      try db.execute(sql: "CREATE TABLE odd (a COLLATE odd PRIMARY KEY) WITHOUT ROWID")
      let obstacle = try db.makeStatement(sql: "SELECT * FROM odd").patchObstacle()
      #expect(obstacle == "reads a table whose key has an unknown collation or encoding")
    }
  }

  static let numbers: [(String, String?)] = [
    ("SELECT count(*) FROM item WHERE name LIKE 'a%'", nil),
    ("SELECT count(*) > 3 AS many FROM item", nil),
    ("SELECT NOT EXISTS (SELECT name FROM item WHERE note IS NULL ORDER BY id LIMIT 1)", nil),
    ("SELECT EXISTS (SELECT count(*) FROM item)", "does more than read row after row (AggStep)"),
    ("SELECT EXISTS (SELECT 1 FROM item LIMIT 0)", "counts the rows of a window"),
    (
      "SELECT EXISTS (SELECT 1 FROM item JOIN other)",
      "joins several rows of a table with one row of another"
    ),
    ("SELECT EXISTS (SELECT 1 FROM item), 1", "is not a plain SELECT"),
    ("SELECT count(*) > 2 FROM part p JOIN maker m ON m.id = p.maker WHERE m.name = 'a'", nil),
    (
      "SELECT EXISTS (SELECT name FROM part p LEFT JOIN maker m USING (code) WHERE p.size > 5)", nil
    ),
    (
      "SELECT count(*) FROM stock s JOIN maker m ON m.id = s.count",
      "counts the rows of a join by those of a table without row ids"
    ),
    ("SELECT count(*) FROM item WHERE id IN ids", "has a subquery"),
    (
      "SELECT count(*) FROM item GROUP BY name",
      "is distinct, or has groups or aggregates of a form that is not patched"
    ),
    ("SELECT count(name) FROM item", nil),
    ("SELECT count(*) + price FROM item", "does more than read row after row (AggStep)"),
    ("SELECT count(*) > \"price\" FROM item", "does more than read row after row (AggStep)"),
    (
      "SELECT count(*) FILTER (WHERE price) FROM item",
      "does more than read row after row (AggStep)"
    ),
    ("SELECT count(*) FROM item WHERE price > random()", "calls random(), whose result may change"),
  ]

  @Test(arguments: numbers)
  func `a number of rows is patched where its rows would be`(
    sql: String,
    obstacle: String?
  ) throws {
    try withDatabase { db in
      try db.execute(sql: "DROP TABLE item; \(Self.schema)")
      let found = try db.makeStatement(sql: sql).patchObstacle()
      #expect(found == obstacle)
    }
  }

  @Test func `an aggregate that replaces count is no count`() throws {
    try withDatabase { db throws in
      struct Nothing: DatabaseAggregate {
        mutating func step(_ values: [DatabaseValue]) {}
        func finalize() -> (any DatabaseValueConvertible)? { nil }
      }
      db.add(function: DatabaseFunction("count", argumentCount: 0, aggregate: Nothing.self))
      let statement = try db.makeStatement(sql: "SELECT count(*) FROM item")
      #expect(try statement.patchObstacle() == "calls count(), whose result may change")
    }
  }

  @Test func `functions made in Swift are trusted only if they are pure`() throws {
    try withDatabase { db throws in
      db.add(function: DatabaseFunction("steady", argumentCount: 1, pure: true) { $0[0] })
      db.add(function: DatabaseFunction("unsteady", argumentCount: 1) { $0[0] })
      func plan(_ function: String) throws -> PatchPlan {
        try PatchAnalysis.plan(for: db.makeStatement(sql: "SELECT \(function)(name) FROM item"))
      }
      let steady = try plan("steady")
      #expect(steady.window == nil)
      #expect(throws: PatchObstacle.callsFunction("unsteady")) { try plan("unsteady") }
    }
  }
}
