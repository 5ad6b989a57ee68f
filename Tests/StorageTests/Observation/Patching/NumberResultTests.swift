import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite("Numbers of rows that are patched") struct NumberResultTests {
  /// A number, and the connection on which its rows change.
  private struct Counted {
    let db: Database
    let recorded: RecordedRows
    let result: NumberResult

    /// Changes rows, and returns which.
    func change(_ sql: String) throws -> ChangedRows {
      let changed = try recorded.rows { try db.execute(sql: sql) }
      return try #require(changed)
    }

    /// Patches the number after a change; returns `nil` when the query must run.
    func number(after sql: String) throws -> Int? {
      guard let patch = try result.patch(changed: change(sql), db) else { return nil }
      result.rows.apply(patch.difference)
      return patch.number
    }
  }

  private static let schema = """
    INSERT INTO item VALUES (1, 'cup', 4), (2, 'pot', NULL), (3, 'jug', 6);
    CREATE TABLE code (text TEXT PRIMARY KEY COLLATE NOCASE, item INTEGER) WITHOUT ROWID;
    INSERT INTO code VALUES ('a', 1), ('b', 1), ('c', 3);
    CREATE TABLE sale (id INTEGER PRIMARY KEY, item INTEGER);
    INSERT INTO sale VALUES (1, 1), (2, 1), (3, 3), (4, 9);
    """

  private static let tables = ["item", "code", "sale"]

  /// Runs a query that counts; returns `nil` when its value can only be fetched.
  private static func result(
    of sql: String,
    _ db: Database,
    _ arguments: StatementArguments = []
  ) throws -> NumberResult? {
    let statement = try db.makeStatement(sql: sql)
    try statement.setArguments(arguments)
    let query = try #require(try NumberQuery(sql))
    return try NumberResult(query, statement, db)
  }

  private func withDatabaseOfItems(_ body: (Database) throws -> Void) throws {
    try withDatabase { db throws in
      try db.execute(sql: Self.schema)
      try body(db)
    }
  }

  private func withNumber(
    of sql: String,
    _ arguments: StatementArguments = [],
    _ body: (Counted) throws -> Void
  ) throws {
    try withDatabaseOfItems { db throws in
      let recorded = try RecordedRows(of: Self.tables, in: db)
      defer { recorded.end() }
      let result = try #require(try Self.result(of: sql, db, arguments))
      try body(Counted(db: db, recorded: recorded, result: result))
    }
  }

  // MARK: Patches

  private static let counts: [(sql: String, first: Int, steps: [(sql: String, number: Int)])] = [
    (
      "SELECT count(*) FROM item WHERE price > 3", 2,
      [
        ("UPDATE item SET name = 'mug' WHERE id = 1", 2),
        ("UPDATE item SET price = 1 WHERE id = 1", 1),
        ("UPDATE item SET id = 9 WHERE id = 3", 1),
        ("INSERT INTO item VALUES (4, 'pan', 9), (5, 'lid', 2)", 2),
        ("DELETE FROM item WHERE id > 0", 0),
      ]
    ),
    (
      "SELECT EXISTS (SELECT 1 FROM item WHERE price > 3)", 1,
      [
        ("DELETE FROM item WHERE id = 1", 1),
        ("UPDATE item SET price = NULL WHERE id = 3", 0),
        ("INSERT INTO item VALUES (4, 'pan', 9)", 1),
      ]
    ),
    // Rows without row ids.
    (
      "SELECT count(*) FROM code WHERE item = 1", 2,
      [
        ("UPDATE code SET text = 'B' WHERE text = 'b'", 2),
        ("UPDATE code SET text = 'x', item = 3 WHERE text = 'a'", 1),
        ("INSERT INTO code VALUES ('d', 1), ('e', 2)", 2),
        ("DELETE FROM code WHERE item > 0", 0),
      ]
    ),
    // Rows of a join.
    (
      "SELECT count(*) FROM sale JOIN item ON item.id = sale.item WHERE item.price > 3", 3,
      [
        ("UPDATE item SET price = 2 WHERE id = 1", 1),
        ("UPDATE item SET price = 5 WHERE id = 1", 3),
        ("INSERT INTO item VALUES (9, 'pan', 7)", 4),
        ("DELETE FROM sale WHERE item = 1", 2),
        ("DELETE FROM item WHERE id = 3", 1),
      ]
    ),
  ]

  @Test(arguments: counts.indices)
  func `a number is patched by the rows that have changed`(index: Int) throws {
    let count = Self.counts[index]
    try withNumber(of: count.sql) { counted throws in
      #expect(counted.result.number == count.first)
      for step in count.steps {
        let number = try counted.number(after: step.sql)
        #expect(number == step.number, "\(step.sql)")
        let fresh = try Int.fetchOne(counted.db, sql: count.sql)
        #expect(fresh == step.number, "\(step.sql)")
      }
    }
  }

  @Test func `the rows stay as they were until the difference is applied`() throws {
    try withNumber(of: "SELECT count(*) FROM item WHERE price > 3") { counted throws in
      let changed = try counted.change("DELETE FROM item WHERE id = 1")
      for _ in 0..<2 {
        let patch = try counted.result.patch(changed: changed, counted.db)
        #expect(patch?.number == 1)
        #expect(patch?.difference.left == [1])
        #expect(counted.result.number == 2)
      }
      let patch = try counted.result.patch(changed: changed, counted.db)
      if let patch { counted.result.rows.apply(patch.difference) }
      #expect(counted.result.number == 1)
    }
  }

  @Test func `the query runs again when the known rows of many have left`() throws {
    try withDatabaseOfItems { db throws in
      try db.execute(
        sql: """
          WITH RECURSIVE n (i) AS (SELECT 11 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
          INSERT INTO item SELECT i, 'many', 5 FROM n
          """
      )
      let recorded = try RecordedRows(of: ["item"], in: db)
      defer { recorded.end() }
      let sql = "SELECT EXISTS (SELECT 1 FROM item WHERE name = 'many')"
      let result = try #require(try Self.result(of: sql, db))
      let counted = Counted(db: db, recorded: recorded, result: result)
      #expect(result.rows.count == 8)
      #expect(result.number == 1)
      let last = try counted.number(after: "DELETE FROM item WHERE id BETWEEN 11 AND 17")
      #expect(last == 1)
      let unknown = try counted.number(after: "DELETE FROM item WHERE id = 18")
      #expect(unknown == nil)
    }
  }

  private static let insertions: [(count: Int, number: Int?)] = [(1000, 1003), (1001, nil)]

  @Test(arguments: insertions)
  func `the query runs again after too many changes`(count: Int, number: Int?) throws {
    try withNumber(of: "SELECT count(*) FROM item") { counted throws in
      let ids = Set((0..<Int64(count)).map { 100 + $0 })
      for id in ids { try Item(id: id, name: "new", price: nil).insert(counted.db) }
      let table = TableName(schema: "main", name: "item")
      let changed = ChangedRows(since: .none, ChangedRows.Content(rows: [table: .rowIDs(ids)]))
      let patch = try counted.result.patch(changed: changed, counted.db)
      #expect(patch?.number == number)
    }
  }

  @Test func `the arguments select the rows, also in patches`() throws {
    try withNumber(of: "SELECT count(*) FROM item WHERE price > ?", [5]) { counted throws in
      #expect(counted.result.arguments == [5.databaseValue])
      #expect(counted.result.number == 1)
      let insertion = "INSERT INTO item VALUES (4, 'pan', 5), (5, 'lid', 8)"
      let number = try counted.number(after: insertion)
      #expect(number == 2)
    }
  }

  // MARK: Elements

  @Test(arguments: [
    "SELECT count(*) FROM item", "SELECT count(*) > 2 AS many FROM item",
    "SELECT NOT EXISTS (SELECT * FROM item WHERE price > 3) AS \"no price\"",
  ])
  func `the element has the value and the name of the query's column`(sql: String) throws {
    try withNumber(of: sql) { counted throws in
      for change in ["UPDATE item SET price = 9", "DELETE FROM item WHERE id > 0"] {
        let number = try #require(try counted.number(after: change))
        let element = try counted.result.element(of: number, counted.db, adapter: nil) { $0.copy() }
        let fresh = try Row.fetchOne(counted.db, sql: sql)
        #expect(element == fresh)
        #expect(element.description == fresh?.description)
      }
    }
  }

  @Test func `the number of the rows of a query is the element itself`() throws {
    try withDatabaseOfItems { db throws in
      let statement = try db.makeStatement(sql: "SELECT name FROM item WHERE price > 3")
      let result = try #require(try NumberResult(rowsOf: statement, db))
      #expect(result.number == 2)
      let element = try result.element(of: 2, db, adapter: nil) { _ in -1 }
      #expect(element == 2)
      #expect(throws: LostRow.self) {
        try result.element(of: 2, db, adapter: nil) { _ in "two" }
      }
    }
  }

  // MARK: Queries that are not counted

  private static let refusals: [(String, PatchObstacle)] = [
    ("SELECT count(*) FROM item WHERE price > random()", .callsFunction("random")),
    ("SELECT EXISTS (SELECT count(*) FROM item)", .hasInstruction("AggStep")),
    ("SELECT count(*) FROM code JOIN item ON item.id = code.item", .countsKeyedJoin),
  ]

  @Test(arguments: refusals)
  func `a query whose rows cannot be told apart is refused`(
    sql: String,
    obstacle: PatchObstacle
  ) throws {
    try withDatabaseOfItems { db throws in
      #expect(throws: obstacle) { try Self.result(of: sql, db) }
    }
  }

  /// Holds the connection for a function that uses it.
  private final class Holder: @unchecked Sendable {
    // Safe to share: the function is called during accesses to the connection only.
    weak var db: Database?
  }

  @Test func `a number is not kept if a function has run further statements`() throws {
    try withDatabaseOfItems { db throws in
      let holder = Holder()
      holder.db = db
      db.add(
        function: DatabaseFunction("bound", argumentCount: 1, pure: true) { _ in
          guard let db = holder.db else { return nil }
          return try Int.fetchOne(db, sql: "SELECT 3")
        }
      )
      let sql = "SELECT count(*) FROM item WHERE price > bound(name)"
      #expect(try Self.result(of: sql, db) == nil)
      #expect(try Int.fetchOne(db, sql: sql) == 2)
    }
  }
}
