import TestSupport

@testable import Storage

/// Random queries over joined tables, and random changes of their rows.
struct RandomJoins: RandomDatabase {
  static let tables = ["a", "b", "c", "d", "k"]

  /// The tables of a query, and how they are joined.
  struct Source {
    let sql: String
    /// The qualifiers of the tables.
    let qualifiers: [String]
    var condition: String?
    /// Whether some of its queries are patched.
    var isPatched = true
  }

  static let sources = [
    Source(sql: "a JOIN b ON b.id = a.b", qualifiers: ["a", "b"]),
    Source(sql: "a JOIN b ON b.code = a.x", qualifiers: ["a", "b"]),
    Source(sql: "a LEFT JOIN b ON b.id = a.b", qualifiers: ["a", "b"]),
    Source(sql: "a LEFT JOIN b ON b.id = a.b AND b.x > 1", qualifiers: ["a", "b"]),
    Source(sql: "a, b", qualifiers: ["a", "b"], condition: "b.id = a.b"),
    Source(sql: "b AS p JOIN a AS \"q r\" ON \"q r\".b = p.id", qualifiers: ["\"q r\"", "p"]),
    Source(sql: "c JOIN b ON b.c = c.id JOIN a ON a.b = b.id", qualifiers: ["a", "b", "c"]),
    Source(sql: "a JOIN b ON b.id = a.b JOIN c ON c.id = b.c", qualifiers: ["a", "b", "c"]),
    Source(sql: "a JOIN b ON b.id = a.b JOIN c ON c.code = a.c", qualifiers: ["a", "b", "c"]),
    Source(
      sql: "a LEFT JOIN b ON b.id = a.b LEFT JOIN c ON c.id = b.c",
      qualifiers: ["a", "b", "c"]
    ),
    Source(
      sql: "a JOIN c ON c.code = a.c LEFT JOIN b ON b.code = a.x",
      qualifiers: ["a", "b", "c"]
    ),
    Source(
      sql: "a JOIN b AS m ON m.id = a.b JOIN b AS o ON o.code = a.x",
      qualifiers: ["a", "m", "o"]
    ),
    Source(sql: "a JOIN d ON d.id = a.b", qualifiers: ["a", "d"]),
    Source(sql: "a LEFT JOIN d ON d.id = a.b AND d.x > 1", qualifiers: ["a", "d"]),
    Source(sql: "a LEFT JOIN k ON k.id = a.b AND k.code = a.c", qualifiers: ["a", "k"]),
    Source(
      sql: "a JOIN k ON k.code = a.c AND k.id = a.n JOIN b ON b.id = k.c",
      qualifiers: ["a", "k", "b"]
    ),
    Source(sql: "a JOIN d ON d.id = a.n JOIN d AS e ON e.id = d.c", qualifiers: ["a", "d", "e"]),
    Source(sql: "a JOIN b USING (id)", qualifiers: ["a", "b"]),
    Source(sql: "a CROSS JOIN c", qualifiers: ["a", "c"], condition: "c.id = 2"),
    Source(sql: "a JOIN b ON b.x = a.x", qualifiers: ["a", "b"], isPatched: false),
    Source(sql: "a JOIN b ON b.id IN (1, 2)", qualifiers: ["a", "b"], isPatched: false),
    Source(sql: "a JOIN b ON b.id IN (a.b, 3)", qualifiers: ["a", "b"], isPatched: false),
    Source(
      sql: "a LEFT JOIN b ON b.id = a.b NATURAL JOIN c",
      qualifiers: ["a", "b", "c"],
      isPatched: false
    ),
    Source(sql: "a JOIN b ON b.code IS a.x", qualifiers: ["a", "b"], isPatched: false),
    Source(sql: "b CROSS JOIN a ON a.b = b.id", qualifiers: ["a", "b"], isPatched: false),
    Source(sql: "a JOIN a AS m ON m.id = a.b", qualifiers: ["a", "m"]),
    Source(sql: "a LEFT JOIN a AS m ON m.id = a.n", qualifiers: ["a", "m"], isPatched: false),
    Source(
      sql: "a AS m JOIN a ON m.id = a.b JOIN a AS o ON o.id = m.b",
      qualifiers: ["m", "a", "o"]
    ),
    Source(sql: "a JOIN a AS m ON m.x = a.b", qualifiers: ["a", "m"], isPatched: false),
    Source(sql: "d JOIN k ON k.code = d.code", qualifiers: ["d", "k"], isPatched: false),
    Source(sql: "d LEFT JOIN k ON k.code = d.x", qualifiers: ["d", "k"], isPatched: false),
    Source(sql: "b LEFT JOIN a ON a.b = b.id", qualifiers: ["a", "b"], isPatched: false),
  ]

  var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  // MARK: Tables

  mutating func makeTables(_ db: Database) throws {
    let end = generator.chance(15) ? ", PRIMARY KEY (n DESC, id)) WITHOUT ROWID" : ")"
    let id = end == ")" ? "id INTEGER PRIMARY KEY" : "id INTEGER"
    try db.execute(
      sql: """
        CREATE TABLE a (\(id), x, b INTEGER, c TEXT COLLATE NOCASE, n INTEGER NOT NULL\(end);
        CREATE TABLE b (id INTEGER PRIMARY KEY, code UNIQUE, x, c INTEGER);
        CREATE TABLE c (id INTEGER PRIMARY KEY, code TEXT COLLATE NOCASE UNIQUE, x);
        CREATE TABLE d (id INTEGER PRIMARY KEY, code, x, c INTEGER) WITHOUT ROWID;
        CREATE TABLE k (
          id INTEGER, code TEXT COLLATE NOCASE, x, c INTEGER, PRIMARY KEY (code, id)
        ) WITHOUT ROWID;
        """
    )
    try index(
      ["a (b)", "a (c)", "d (c)", "a (x DESC)", "a (n, b)", "b (c)", "b (x)", "c (x)"],
      chance: 35,
      db
    )
    try fill(20..<120, db)
  }

  // MARK: Queries

  /// Returns a query and its arguments.
  mutating func query(over source: Source) -> (String, [DatabaseValue]) {
    var arguments: [DatabaseValue] = []
    let columns = columns(of: source)
    func column(_ generator: inout SeededGenerator) -> String { generator.pick(columns)! }
    let label = generator.chance(50) ? " AS label" : ""
    let list = generator.pick([
      "*", "\(column(&generator)), \(column(&generator))\(label)",
      "\(column(&generator)) || '-' || \(column(&generator))\(label), \(source.qualifiers[0]).*",
      "upper(\(column(&generator))) AS label, 1",
    ])!
    var sql = "SELECT \(list) FROM \(source.sql)"
    sql += condition(source, &arguments)
    if generator.chance(65) {
      let terms = (0...generator.number(in: 0..<2)).map { _ in
        let term = generator.chance(20) ? generator.pick(["1", "2"])! : column(&generator)
        let isName = list.contains("AS label") && generator.chance(20)
        return (isName ? "label" : term) + generator.pick(["", " DESC", " NULLS LAST"])!
      }
      sql += " ORDER BY " + terms.joined(separator: ", ")
    }
    return (sql + limit(), arguments)
  }

  /// Returns a query for the number of rows, or for whether there is one, and its arguments.
  mutating func numberQuery(over source: Source) -> (String, [DatabaseValue]) {
    var arguments: [DatabaseValue] = []
    let rows = "FROM \(source.sql)" + condition(source, &arguments)
    let sql = generator.pick([
      "SELECT count(*) \(rows)", "SELECT count(*) > 5 \(rows)", "SELECT EXISTS (SELECT * \(rows))",
    ])!
    return (sql, arguments)
  }

  private func columns(of source: Source) -> [String] {
    source.qualifiers.flatMap { qualifier in
      ["x", "id", "c"].map { "\(qualifier).\($0)" }.filter { $0 != "c.c" }
    }
  }

  private mutating func condition(_ source: Source, _ arguments: inout [DatabaseValue]) -> String {
    let columns = columns(of: source)
    func column(_ generator: inout SeededGenerator) -> String { generator.pick(columns)! }
    var conditions = source.condition.map { [$0] } ?? []
    for _ in 0..<2 where generator.chance(40) {
      let condition = generator.pick([
        "\(column(&generator)) > 1", "\(column(&generator)) IS NULL",
        "\(column(&generator)) IS NOT NULL", "\(column(&generator)) = ?",
        "\(column(&generator)) = \(column(&generator))", "\(column(&generator)) NOT IN (2, 'b')",
        "(\(column(&generator)) < 3 OR \(column(&generator)) LIKE 'a%')",
      ])!
      if condition.contains("?") { arguments.append(value()) }
      conditions.append(condition)
    }
    return conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
  }

  // MARK: Changes

  mutating func change(_ db: Database) {
    switch generator.number(in: 0..<18) {
    case 0...4:
      let sql = "INSERT OR REPLACE INTO a (id, x, b, c, n) VALUES (?, ?, ?, ?, ?)"
      execute(sql, [id(below: 40), value(), id(below: 12), code(), id(below: 5)], db)
    case 5, 6:
      let sql = "INSERT OR REPLACE INTO b (id, code, x, c) VALUES (?, ?, ?, ?)"
      execute(sql, [id(below: 12), code(), value(), id(below: 6)], db)
    case 7:
      let sql = "INSERT OR REPLACE INTO c (id, code, x) VALUES (?, ?, ?)"
      execute(sql, [id(below: 6), code(), value()], db)
    case 8:
      let (column, value) = generator.chance(50) ? ("x", value()) : ("b", id(below: 12))
      execute("UPDATE a SET \(column) = ? WHERE id = ?", [value, id(below: 40)], db)
    case 9:
      execute("UPDATE b SET x = ? WHERE id = ?", [value(), id(below: 12)], db)
    case 10:
      let table = generator.pick(["a", "b", "c"])!
      execute("DELETE FROM \(table) WHERE id = ?", [id(below: table == "a" ? 40 : 12)], db)
    case 11:
      let table = generator.pick(["a", "b", "c"])!
      // A row takes the place of another row.
      let sql = "UPDATE OR REPLACE \(table) SET id = ? WHERE id = ?"
      execute(sql, [id(below: 12), id(below: 12)], db)
    case 12:
      let sql = "UPDATE OR IGNORE b SET code = ?, c = ? WHERE id = ?"
      execute(sql, [code(), id(below: 6), id(below: 12)], db)
    case 13:
      execute("UPDATE OR REPLACE c SET code = ? WHERE id = ?", [code(), id(below: 6)], db)
    case 14, 15:
      let table = generator.pick(["d", "k"])!
      let sql = "INSERT OR REPLACE INTO \(table) (id, code, x, c) VALUES (?, ?, ?, ?)"
      execute(sql, [id(below: 12), code(), value(), id(below: 6)], db)
    case 16:
      let table = generator.pick(["d", "k"])!
      let (column, value) = generator.chance(50) ? ("x", value()) : ("id", id(below: 12))
      let sql = "UPDATE OR REPLACE \(table) SET \(column) = ? WHERE id = ?"
      execute(sql, [value, id(below: 12)], db)
    default:
      let table = generator.pick(["d", "k"])!
      execute("DELETE FROM \(table) WHERE id = ?", [id(below: 12)], db)
    }
  }

  private mutating func code() -> DatabaseValue {
    switch generator.number(in: 0..<5) {
    case 0: .null
    case 1: DatabaseValue(storage: .int64(Int64(generator.number(in: 0..<4))))
    default: DatabaseValue(storage: .string(generator.pick(["a", "A", "b", "B", "1", "ab"])!))
    }
  }

  private mutating func value() -> DatabaseValue {
    switch generator.number(in: 0..<8) {
    case 0: .null
    case 1: DatabaseValue(storage: .double(Double(generator.number(in: 0..<8)) / 2))
    case 2...4: DatabaseValue(storage: .int64(Int64(generator.number(in: 0..<5))))
    default: DatabaseValue(storage: .string(generator.pick(["a", "A", "ab", "b", "2"])!))
    }
  }
}
