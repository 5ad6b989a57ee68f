import TestSupport

@testable import Storage

/// Random queries with subqueries, and random changes of the rows of both.
struct RandomSubqueries: RandomDatabase {
  static let tables = ["a", "d", "p", "q"]

  /// A subquery as a value, or as a condition.
  struct Term {
    let sql: String
    /// Whether a change of the subquery's table can be followed to rows of the query.
    var isFollowed = true
    /// Whether some queries with it are patched.
    var isPatched = true
  }

  static let values = [
    Term(sql: "(SELECT count(*) FROM p WHERE p.a = a.id)"),
    Term(sql: "(SELECT count(x) FROM p WHERE a.id = p.a AND x > 1)"),
    Term(sql: "(SELECT count(*) FROM p AS \"r\" WHERE r.x > 0 AND \"r\".a IS \"a\".\"id\")"),
    Term(sql: "(SELECT count(*) FROM p WHERE a == a.rowid)"),
    Term(sql: "(SELECT count(*) FROM p WHERE (x > 0) AND ((p.a = a.id) AND (p.k > a.n OR k = 1)))"),
    Term(sql: "(SELECT sum(x) FROM p WHERE p.a = a.id)"),
    Term(sql: "(SELECT max(p.x) FROM p WHERE p.a = a.id AND p.k < 3 AND (x > 1 OR k = 2))"),
    Term(sql: "(SELECT x FROM p WHERE p.a = a.id ORDER BY p.x, p.id DESC LIMIT 1)"),
    Term(sql: "(SELECT x FROM p WHERE p.a = a.id)"),
    Term(sql: "(SELECT DISTINCT k FROM p WHERE p.a = a.id ORDER BY 1)"),
    Term(sql: "(SELECT group_concat(x) FROM p WHERE p.a = a.id)"),
    Term(sql: "(SELECT count(*) FROM p WHERE p.a = a.id GROUP BY k ORDER BY k LIMIT 1)"),
    Term(sql: "(SELECT count(*) FROM p WHERE p.a = a.id HAVING count(*) > 1)"),
    Term(sql: "(SELECT x FROM p WHERE p.id = a.b)"),
    Term(sql: "(SELECT x FROM p WHERE p.id = a.id)"),
    Term(sql: "(SELECT count(*) FROM q WHERE q.a = a.id)"),
    Term(sql: "(SELECT count(*) FROM p JOIN q ON q.a = p.k AND p.a = a.id)", isFollowed: false),
    Term(sql: "(SELECT count(*) FROM p LEFT JOIN q ON q.a = a.id)", isFollowed: false),
    Term(sql: "(SELECT count(*) FROM p WHERE p.a = a.id OR x = 1)", isFollowed: false),
    Term(sql: "(SELECT count(*) FROM p WHERE p.x = a.id)", isFollowed: false),
    Term(sql: "(SELECT count(*) FROM p WHERE p.a < a.id)", isFollowed: false),
    Term(sql: "(SELECT count(*) FROM p WHERE p.k = a.b)", isFollowed: false),
    Term(sql: "(SELECT count(*) FROM p WHERE k BETWEEN 1 AND p.a = a.id)", isFollowed: false),
    Term(sql: "(SELECT count(*) FROM p)", isFollowed: false),
    Term(sql: "(SELECT count(*) FROM p AS a WHERE a.id = a.id)", isFollowed: false),
    Term(sql: "EXISTS (SELECT 1 FROM p WHERE p.a = a.id AND k > 1)"),
    Term(sql: "(SELECT count(a.id) FROM p)", isFollowed: false, isPatched: false),
    Term(
      sql: "(SELECT 1 FROM p WHERE p.a = a.id AND max(a.id, 1) > 2)",
      isFollowed: false,
      isPatched: false
    ),
    Term(sql: "(SELECT count(*) FROM p WHERE (p.a = a.id OR x = 1))", isFollowed: false),
    Term(sql: "(SELECT count(*) FROM p WHERE NOT (p.a = a.id))", isFollowed: false),
    Term(sql: "(SELECT count(*) FROM p WHERE (p.a = a.id) = k)", isFollowed: false),
    Term(sql: "(SELECT count(*) FROM p WHERE a = id)", isFollowed: false),
    Term(
      sql: "(SELECT count(*) FROM a AS m WHERE m.b = a.id)",
      isFollowed: false,
      isPatched: false
    ),
    Term(
      sql: "(SELECT count(*) FROM p WHERE p.a = a.id AND EXISTS (SELECT 1 FROM q))",
      isFollowed: false,
      isPatched: false
    ),
  ]

  static let conditions = [
    Term(sql: "EXISTS (SELECT 1 FROM p WHERE p.a = a.id)"),
    Term(sql: "NOT EXISTS (SELECT * FROM p WHERE a.id = p.a AND p.x > 1)"),
    Term(sql: "EXISTS (SELECT 1 FROM p WHERE p.id = a.b AND p.x > 1)"),
    Term(sql: "a.id IN (SELECT a FROM p)"),
    Term(sql: "id IN (SELECT p.a FROM p WHERE x > 1 OR k = 1)"),
    Term(sql: "id NOT IN (SELECT a FROM p)"),
    Term(sql: "id NOT IN (SELECT a FROM p WHERE a IS NOT NULL)"),
    Term(sql: "NOT (id IN (SELECT DISTINCT a FROM p WHERE k > 2))"),
    Term(sql: "id NOT IN (SELECT k FROM p WHERE x > 1)"),
    Term(sql: "(a.id IN (SELECT k FROM p) OR a.x > 2)"),
    Term(sql: "(id IN (SELECT a FROM p)) IS NULL"),
    Term(sql: "b IN (SELECT id FROM p WHERE x IS NOT NULL)"),
    Term(sql: "b NOT IN (SELECT id FROM p)", isFollowed: false),
    Term(sql: "(b IN (SELECT id FROM p)) IS NOT TRUE", isFollowed: false),
    Term(sql: "n IN (SELECT id FROM p WHERE x > 1)"),
    Term(sql: "n NOT IN (SELECT id FROM p WHERE x IS NULL)"),
    Term(sql: "id IN (SELECT a FROM q)"),
    Term(sql: "(SELECT count(*) FROM p WHERE p.a = a.id) > 1"),
    Term(sql: "x IN (SELECT x FROM p)", isFollowed: false),
    Term(
      sql: "id NOT IN (SELECT p.a FROM q LEFT JOIN p ON p.k = q.a WHERE q.a = a.id)",
      isFollowed: false
    ),
    Term(
      sql: "id IN (SELECT a FROM p ORDER BY x LIMIT 3)",
      isFollowed: false,
      isPatched: false
    ),
    Term(sql: "x > (SELECT avg(x) FROM p)", isFollowed: false),
    Term(sql: "1 BETWEEN 0 AND id IN (SELECT a FROM p)", isFollowed: false),
    Term(sql: "+id IN (SELECT a FROM p)", isFollowed: false),
    Term(sql: "(id, n) IN (SELECT a, k FROM p)", isFollowed: false, isPatched: false),
  ]

  /// Tables, and how they are joined.
  struct Source {
    let sql: String
    /// The qualifier of a table other than the table whose rows are groups.
    let qualifier: String
    var condition: String?
    /// Whether changes of all tables can be followed to groups.
    var isFollowed = true
  }

  static let sources = [
    Source(sql: "a LEFT JOIN p ON p.a = a.id", qualifier: "p"),
    Source(sql: "a LEFT JOIN p ON a.id = a", qualifier: "p"),
    Source(sql: "a JOIN p ON p.a = a.id", qualifier: "p"),
    Source(sql: "a AS a, p AS \"r\"", qualifier: "r", condition: "r.a = a.rowid"),
    Source(
      sql: "a LEFT JOIN p ON p.a = a.id AND p.k > 1 LEFT JOIN q ON q.a = a.id",
      qualifier: "p"
    ),
    Source(sql: "a LEFT JOIN d ON d.id = a.b", qualifier: "d"),
    Source(sql: "a JOIN d ON d.id = a.b LEFT JOIN p ON p.a = a.id", qualifier: "p"),
    Source(
      sql: "a LEFT JOIN p ON p.a = a.id LEFT JOIN d ON d.id = p.k",
      qualifier: "d",
      isFollowed: false
    ),
    Source(sql: "a LEFT JOIN p ON p.a = a.id OR p.k = 2", qualifier: "p", isFollowed: false),
    Source(sql: "a LEFT JOIN p ON p.x = a.id", qualifier: "p", isFollowed: false),
    Source(
      sql: "a LEFT JOIN q ON 1 LEFT JOIN p ON p.a = a.id AND q.a = a.id",
      qualifier: "q",
      isFollowed: false
    ),
  ]

  var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func makeTables(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE a (id INTEGER PRIMARY KEY, x, b INTEGER, n INTEGER NOT NULL);
        CREATE TABLE d (id INTEGER PRIMARY KEY, x);
        CREATE TABLE p (id INTEGER PRIMARY KEY, a INTEGER, x, k INTEGER NOT NULL);
        CREATE TABLE q (a INTEGER, x, PRIMARY KEY (x, a)) WITHOUT ROWID;
        """
    )
    try index(
      ["a (b)", "a (x DESC)", "a (n, x)", "p (a)", "p (a, x)", "p (k)", "q (a)"],
      chance: 40,
      db
    )
    try fill(20..<120, db)
  }

  // MARK: Queries

  mutating func query(withValue term: Term) -> String {
    let source = generator.pick(["a", "a", "a", "a JOIN d ON d.id = a.b"])!
    let list = generator.pick([
      "a.*, \(term.sql) AS v", "a.id, \(term.sql) AS v, a.x", "\(term.sql) AS v, a.n",
      "a.x, \(term.sql)",
    ])!
    var sql = "SELECT \(list) FROM \(source)"
    if generator.chance(30) { sql += " WHERE a.x > 1" }
    var orders = ["", " ORDER BY a.x", " ORDER BY \(term.sql) DESC", " ORDER BY n, a.id DESC"]
    if list.contains("AS v") { orders += [" ORDER BY v", " ORDER BY v DESC, 1"] }
    sql += generator.pick(orders)!
    return sql + limit()
  }

  mutating func query(where term: Term) -> String {
    let list = generator.pick(["*", "a.id, x", "x, n", "x"])!
    var sql = "SELECT \(list) FROM a WHERE \(term.sql)"
    if generator.chance(30) { sql += " AND x IS NOT 2" }
    sql += generator.pick(["", "", " ORDER BY x", " ORDER BY n DESC", " ORDER BY id DESC"])!
    return sql + limit()
  }

  /// Returns a query for the number of rows that meet a condition, or for whether one does.
  mutating func numberQuery(where term: Term) -> String {
    generator.pick([
      "SELECT count(*) FROM a WHERE \(term.sql)",
      "SELECT EXISTS (SELECT * FROM a WHERE \(term.sql))",
    ])!
  }

  /// Returns a query whose rows are groups.
  mutating func groupedQuery(over source: Source) -> String {
    let q = source.qualifier
    let list = generator.pick([
      "a.*, count(\(q).x) AS v", "a.id, sum(\(q).x) AS v, max(\(q).x)", "a.x, \(q).x AS v",
      "a.n, count(DISTINCT \(q).x) AS v, group_concat(\(q).x)", "count(*) AS v, total(\(q).x), a.x",
      "a.x AS v, min(\(q).x), \(q).x",
    ])!
    var sql = "SELECT \(list) FROM \(source.sql)"
    var conditions = source.condition.map { [$0] } ?? []
    if generator.chance(30) { conditions.append(generator.pick(["a.x > 1", "\(q).x IS NOT 2"])!) }
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    sql += " GROUP BY " + generator.pick(["a.id", "a.rowid", "a.id", "a.id, a.x", "a.n, a.id"])!
    if generator.chance(30) { sql += " HAVING " + generator.pick(["count(*) > 1", "v > 1"])! }
    sql += generator.pick(["", " ORDER BY v DESC", " ORDER BY a.x, v", " ORDER BY a.id DESC"])!
    return sql + limit()
  }

  // MARK: Changes

  mutating func change(_ db: Database) {
    switch generator.number(in: 0..<14) {
    case 0...2:
      let sql = "INSERT OR REPLACE INTO a (id, x, b, n) VALUES (?, ?, ?, ?)"
      execute(sql, [id(below: 30), value(), id(below: 30), id(below: 12)], db)
    case 3...5:
      let sql = "INSERT OR REPLACE INTO p (id, a, x, k) VALUES (?, ?, ?, ?)"
      execute(sql, [id(below: 30), reference(), value(), id(below: 12)], db)
    case 6:
      execute("INSERT OR REPLACE INTO q (a, x) VALUES (?, ?)", [id(below: 30), value()], db)
    case 7:
      execute("INSERT OR REPLACE INTO d (id, x) VALUES (?, ?)", [id(below: 30), value()], db)
    case 8:
      let (column, value) = generator.chance(50) ? ("x", value()) : ("b", id(below: 30))
      execute("UPDATE a SET \(column) = ? WHERE id = ?", [value, id(below: 30)], db)
    case 9: execute("UPDATE p SET a = ? WHERE id = ?", [reference(), id(below: 30)], db)
    case 10: execute("UPDATE p SET x = ? WHERE id = ?", [value(), id(below: 30)], db)
    case 11:
      let table = generator.pick(["a", "d", "p", "p"])!
      execute("DELETE FROM \(table) WHERE id = ?", [id(below: 30)], db)
    case 12:
      let table = generator.pick(["a", "p"])!
      // A row takes the place of another row.
      let sql = "UPDATE OR REPLACE \(table) SET id = ? WHERE id = ?"
      execute(sql, [id(below: 30), id(below: 30)], db)
    default: execute("UPDATE OR REPLACE q SET a = ? WHERE a = ?", [reference(), id(below: 30)], db)
    }
  }

  /// Returns a value of a column that refers to rows: mostly an id.
  private mutating func reference() -> DatabaseValue {
    switch generator.number(in: 0..<14) {
    case 0: .null
    case 1: DatabaseValue(storage: .double(generator.pick([1.5, 3, 7])!))
    case 2: DatabaseValue(storage: .string(generator.pick(["2", " 5", "x", "3.0", "1e1"])!))
    default: id(below: 30)
    }
  }

  private mutating func value() -> DatabaseValue {
    switch generator.number(in: 0..<8) {
    case 0: .null
    case 1: DatabaseValue(storage: .double(Double(generator.number(in: 0..<80)) / 7))
    case 2...4: DatabaseValue(storage: .int64(Int64(generator.number(in: 0..<5))))
    default: DatabaseValue(storage: .string(generator.pick(["a", "A", "ab", "b", "2"])!))
    }
  }
}
