import Foundation
import TestSupport

@testable import Storage

/// Random queries with groups and aggregates, and random changes of their rows.
struct RandomGroups: RandomDatabase {
  static let tables = ["s", "c", "w"]

  /// The `GROUP BY` of a query.
  struct Key {
    let sql: String
    /// Whether most queries with it are patched.
    var isPatched = true
  }

  /// The tables of a query, with keys and an argument.
  struct Source {
    let sql: String
    let keys: [Key]
    let arguments: [String]
    var condition: String?
  }

  static let sources = [
    Source(
      sql: "s",
      keys: [
        Key(sql: "c"), Key(sql: "t"), Key(sql: "c, t"), Key(sql: "s.c"), Key(sql: "n % 3"),
        Key(sql: "\"t\", n > 2"), Key(sql: "upper(t)"), Key(sql: "m", isPatched: false),
        Key(sql: "i", isPatched: false), Key(sql: "n / 2.0", isPatched: false), Key(sql: ""),
      ],
      arguments: ["n", "q", "n * q", "s.n + 1", "id"]
    ),
    Source(
      sql: "s JOIN c ON c.id = s.c",
      keys: [Key(sql: "c.name"), Key(sql: "s.c"), Key(sql: "c.name, t"), Key(sql: "")],
      arguments: ["n", "c.k", "n + c.k"]
    ),
    Source(
      sql: "s AS x, c",
      keys: [Key(sql: "c.name"), Key(sql: "t")],
      arguments: ["x.n", "k"],
      condition: "c.id = x.c"
    ),
    Source(
      sql: "s LEFT JOIN c ON c.id = s.c",
      keys: [Key(sql: "c.name"), Key(sql: "c.k")],
      arguments: ["c.k", "q"]
    ),
    Source(
      sql: "w",
      keys: [Key(sql: "a"), Key(sql: "b"), Key(sql: "")],
      arguments: ["n", "a"]
    ),
  ]

  var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func makeTables(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE s (
          id INTEGER PRIMARY KEY, c INTEGER, t TEXT, i TEXT COLLATE NOCASE, m, n INTEGER, q INTEGER
        );
        CREATE TABLE c (id INTEGER PRIMARY KEY, name TEXT, k INTEGER);
        CREATE TABLE w (a INTEGER, b TEXT, n INTEGER, PRIMARY KEY (b, a)) WITHOUT ROWID;
        """
    )
    try index(
      ["s (c)", "s (t)", "s (t, c)", "s (n)", "s (c, n)", "c (name)", "w (a)"],
      chance: 30,
      db
    )
    for id in 1...6 {
      execute("INSERT INTO c VALUES (?, ?, ?)", [Self.number(id), name(), Self.number(id)], db)
    }
    try fill(40..<150, db)
  }

  private static func number(_ value: Int) -> DatabaseValue {
    DatabaseValue(storage: .int64(Int64(value)))
  }

  // MARK: Queries

  mutating func query(over source: Source, by key: Key) -> String {
    let keys = key.sql.isEmpty ? [] : key.sql.components(separatedBy: ", ")
    var columns = keys
    for _ in 0..<generator.number(in: 1..<4) {
      let argument = generator.pick(source.arguments)!
      columns.append(
        generator.pick([
          "count(*)", "count(*)", "sum(\(argument))", "SUM(\(argument))", "max(\(argument))",
          "min(\(argument))", "count(\(argument))", "avg(\(argument))", "total(\(argument))",
          "count(DISTINCT \(argument))", "COUNT(distinct \(argument))",
        ])!
      )
    }
    columns.shuffle(using: &generator)
    let list = columns.enumerated().map { index, column in
      generator.chance(30)
        ? "\(column) AS v\(index)" : generator.chance(10) ? "\(column) v\(index)" : column
    }
    var sql = "SELECT \(list.joined(separator: ", ")) FROM \(source.sql)"
    var conditions = source.condition.map { [$0] } ?? []
    if generator.chance(30) {
      conditions.append(source.sql == "w" ? "n > 1" : "q IS NOT 2")
    }
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    if !keys.isEmpty { sql += " GROUP BY \(keys.joined(separator: ", "))" }
    guard !keys.isEmpty, generator.chance(40) else { return sql + order(columns, list) }
    if generator.chance(60) {
      let argument = generator.pick(source.arguments)!
      let condition = generator.pick([
        "count(*) > 2", "count(DISTINCT \(argument)) > 2", "sum(\(argument)) >= 5",
        "max(\(argument)) IS NOT NULL",
        "count(\(argument)) BETWEEN 1 AND 9 OR min(\(argument)) < 0", "NOT avg(\(argument)) > 2",
      ])!
      sql += " HAVING \(condition)"
    }
    sql += order(columns, list)
    return sql + limit()
  }

  /// Returns a query for different rows.
  mutating func distinctQuery(over source: Source) -> String {
    let keys = source.keys.map(\.sql).filter { !$0.isEmpty }
    var columns = Set(generator.pick(keys)!.components(separatedBy: ", ")).sorted()
    columns.shuffle(using: &generator)
    let list = columns.enumerated().map { generator.chance(30) ? "\($1) AS v\($0)" : $1 }
    var sql = "SELECT DISTINCT \(list.joined(separator: ", ")) FROM \(source.sql)"
    if let condition = source.condition { sql += " WHERE \(condition)" }
    let order = columns.indices.map { "\($0 + 1)" + generator.pick(["", " DESC"])! }
    return sql + " ORDER BY " + order.joined(separator: ", ") + limit()
  }

  private mutating func order(_ columns: [String], _ list: [String]) -> String {
    guard generator.chance(60) else { return "" }
    let terms = (0..<generator.number(in: 1..<3)).map { _ in
      let index = generator.number(in: 0..<columns.count)
      let alias = list[index].components(separatedBy: " ").last!
      let term = generator.pick([
        "\(index + 1)", columns[index], alias.hasPrefix("v") ? alias : columns[index],
      ])!
      return term + generator.pick(["", "", " ASC", " DESC", " DESC NULLS LAST", " NULLS LAST"])!
    }
    return " ORDER BY " + terms.joined(separator: ", ")
  }

  // MARK: Changes

  mutating func change(_ db: Database) {
    switch generator.number(in: 0..<16) {
    case 0...4:
      execute(
        "INSERT OR REPLACE INTO s (id, c, t, i, m, n, q) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [id(below: 60), id(below: 7), text(), text(), value(), number(), number()],
        db
      )
    case 5, 6: execute("UPDATE s SET n = ? WHERE id = ?", [number(), id(below: 60)], db)
    case 7: execute("UPDATE s SET q = n, n = q WHERE id = ?", [id(below: 60)], db)
    case 8: execute("UPDATE s SET c = ? WHERE id = ?", [id(below: 7), id(below: 60)], db)
    case 9: execute("UPDATE s SET t = ?, i = t WHERE id = ?", [text(), id(below: 60)], db)
    case 10: execute("DELETE FROM s WHERE id = ?", [id(below: 60)], db)
    case 11:
      execute("UPDATE c SET name = ? WHERE id = ?", [name(), id(below: 7)], db)
    case 12: execute("UPDATE c SET k = ? WHERE id = ?", [number(), id(below: 7)], db)
    case 13:
      execute(
        "INSERT OR REPLACE INTO w (a, b, n) VALUES (?, ?, ?)",
        [id(below: 6), text(), number()],
        db
      )
    case 14: execute("UPDATE OR REPLACE w SET b = ? WHERE a = ?", [text(), id(below: 6)], db)
    default:
      execute("UPDATE OR REPLACE s SET id = ? WHERE id = ?", [id(below: 60), id(below: 60)], db)
    }
  }

  /// Mostly a small integer; rarely an integer that does not fit in 32 bits, or a value of another
  /// kind.
  private mutating func number() -> DatabaseValue {
    switch generator.number(in: 0..<400) {
    case 0...8: Self.number(generator.pick([5_000_000_000, -3_000_000_000, Int(Int32.min)])!)
    case 9: DatabaseValue(storage: .double(1.5))
    case 10...40: .null
    default: Self.number(generator.number(in: -3..<9))
    }
  }

  private mutating func text() -> DatabaseValue {
    if generator.chance(8) { return .null }
    return DatabaseValue(storage: .string(generator.pick(["a", "b", "B", "c", "é", "e\u{301}"])!))
  }

  private mutating func name() -> DatabaseValue {
    DatabaseValue(storage: .string(generator.pick(["x", "y", "z"])!))
  }

  private mutating func value() -> DatabaseValue {
    switch generator.number(in: 0..<6) {
    case 0: DatabaseValue(storage: .double(2))
    case 1: DatabaseValue(storage: .string("2"))
    default: Self.number(generator.number(in: 0..<4))
    }
  }
}
