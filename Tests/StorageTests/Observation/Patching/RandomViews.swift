import TestSupport

@testable import Storage

/// Random queries over views, common table expressions and subqueries in the `FROM`, and random
/// changes of their rows.
struct RandomViews: RandomDatabase {
  static let tables = ["a", "b"]

  /// The source of a query.
  struct Source {
    /// The text before the `SELECT`.
    var prefix = ""
    let sql: String
    let columns: [String]
    /// Whether most queries with it are patched.
    var isPatched = true
    /// Whether it has an order, which SQLite computes before rows are counted.
    var isSorted = false
  }

  static let sources = [
    // A view has no row ids.
    Source(sql: "v", columns: ["id", "x", "v.b", "n", "c", "rowid || n"]),
    Source(sql: "v", columns: ["id", "x", "v.b", "n", "V.C"]),
    Source(sql: "joined AS z", columns: ["id", "z.m", "y", "upper(z.u)", "m + z.id"]),
    Source(sql: "sorted", columns: ["id", "k", "c", "k * 2"], isSorted: true),
    Source(sql: "a JOIN named ON named.p = a.b", columns: ["a.id", "p", "q", "x", "n", "c"]),
    Source(sql: "v JOIN b ON b.id = v.b", columns: ["v.id", "b.id", "code", "v.x", "b.x", "c"]),
    Source(
      sql: "(SELECT id, c, n * 2 AS twice FROM a WHERE x IS NOT 2) AS d",
      columns: ["id", "c", "d.twice", "twice + id"]
    ),
    Source(
      sql: "(SELECT * FROM joined WHERE m > 1) j",
      columns: ["id", "j.m", "y", "u"]
    ),
    Source(sql: "v LEFT JOIN named ON p = v.b AND q IS NOT 1", columns: ["id", "v.n", "q", "c"]),
    Source(
      sql: "a LEFT JOIN (SELECT id AS i, x + 1 AS y FROM b WHERE x > 0) AS s ON s.i = a.b",
      columns: ["a.id", "i", "n", "s.i"]
    ),
    // A constant is NULL where the join finds no row.
    Source(
      sql: "a LEFT JOIN (SELECT id AS i, 'k' AS k FROM b) AS s ON s.i = a.b",
      columns: ["s.k", "k"],
      isPatched: false
    ),
    Source(
      prefix: "WITH w AS (SELECT * FROM a WHERE n > 0) ",
      sql: "w JOIN b ON b.id = w.b",
      columns: ["w.id", "n", "code", "b.x", "w.c"]
    ),
    Source(
      prefix: "WITH RECURSIVE w (i, j) AS NOT MATERIALIZED (SELECT id, c FROM a), "
        + "u AS (SELECT i, j || '!' AS k FROM w WHERE i > 3) ",
      sql: "u",
      columns: ["i", "k", "u.i + 1"]
    ),
    Source(
      sql: "v JOIN a ON a.id = v.b",
      columns: ["v.id", "a.id", "v.n"],
      isPatched: false
    ),
    Source(sql: "counted", columns: ["n", "number"], isPatched: false),
    Source(
      prefix: "WITH w AS (SELECT n FROM a LIMIT 5) ",
      sql: "w",
      columns: ["n", "n + 1"],
      isPatched: false
    ),
  ]

  var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func makeTables(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE a (id INTEGER PRIMARY KEY, x, b INTEGER, c TEXT COLLATE NOCASE, n INTEGER);
        CREATE TABLE b (id INTEGER PRIMARY KEY, code UNIQUE, x INTEGER);
        CREATE VIEW v AS SELECT * FROM a WHERE n > 1;
        CREATE VIEW joined AS
          SELECT a.id, a.n AS m, b.x AS y, c || '?' AS "u" FROM a JOIN b ON b.id = a.b;
        CREATE VIEW sorted AS SELECT id, n + 1 AS k, c FROM v ORDER BY n DESC, 1;
        CREATE VIEW named (p, q) AS SELECT id, x FROM b;
        CREATE VIEW counted AS SELECT n, count(*) AS number FROM a GROUP BY n;
        """
    )
    try index(["a (b)", "a (x)", "a (n, b)", "a (n DESC)", "a (c)", "b (x)"], chance: 35, db)
    try fill(20..<100, db)
  }

  // MARK: Queries

  /// Returns a query and its arguments.
  mutating func query(over source: Source) -> (String, [DatabaseValue]) {
    var arguments: [DatabaseValue] = []
    func column(_ generator: inout SeededGenerator) -> String { generator.pick(source.columns)! }
    let list = generator.pick([
      "*", "\(column(&generator)), \(column(&generator)) AS label",
      "\(column(&generator)) || '-' other, \(column(&generator))",
    ])!
    var sql = "\(source.prefix)SELECT \(list) FROM \(source.sql)"
    sql += condition(source, &arguments)
    if generator.chance(60) {
      let terms = (0...generator.number(in: 0..<2)).map { _ in
        let isName = list.contains("AS label") && generator.chance(20)
        let term = isName ? "label" : generator.chance(15) ? "1" : column(&generator)
        return term + generator.pick(["", " DESC", " NULLS LAST"])!
      }
      sql += " ORDER BY " + terms.joined(separator: ", ")
    }
    return (sql + limit(), arguments)
  }

  /// Returns a query for the number of rows, and its arguments.
  mutating func numberQuery(over source: Source) -> (String, [DatabaseValue]) {
    var arguments: [DatabaseValue] = []
    let condition = condition(source, &arguments)
    return ("\(source.prefix)SELECT count(*) FROM \(source.sql)\(condition)", arguments)
  }

  private mutating func condition(_ source: Source, _ arguments: inout [DatabaseValue]) -> String {
    guard generator.chance(50) else { return "" }
    let column = generator.pick(source.columns)!
    switch generator.number(in: 0..<4) {
    case 0: return " WHERE \(column) IS NOT NULL"
    case 1: return " WHERE (\(column) > 1 OR \(generator.pick(source.columns)!) < 4)"
    default:
      arguments.append(number())
      return " WHERE \(column) > ?"
    }
  }

  // MARK: Changes

  mutating func change(_ db: Database) {
    switch generator.number(in: 0..<9) {
    case 0...3:
      execute(
        "INSERT OR REPLACE INTO a (id, x, b, c, n) VALUES (?, ?, ?, ?, ?)",
        [id(below: 40), number(), id(below: 9), text(), number()],
        db
      )
    case 4: execute("UPDATE a SET n = ?, x = n WHERE id = ?", [number(), id(below: 40)], db)
    case 5: execute("UPDATE a SET b = ? WHERE id = ?", [id(below: 9), id(below: 40)], db)
    case 6: execute("DELETE FROM a WHERE id = ?", [id(below: 40)], db)
    case 7:
      execute(
        "INSERT OR REPLACE INTO b (id, code, x) VALUES (?, ?, ?)",
        [id(below: 9), text(), number()],
        db
      )
    default: execute("DELETE FROM b WHERE id = ?", [id(below: 9)], db)
    }
  }

  private mutating func number() -> DatabaseValue {
    if generator.chance(10) { return .null }
    return DatabaseValue(storage: .int64(Int64(generator.number(in: -1..<6))))
  }

  private mutating func text() -> DatabaseValue {
    DatabaseValue(storage: .string(generator.pick(["a", "A", "b", "c"])!))
  }
}
