import Foundation
import Storage
import TestSupport

/// A random database, with statements that search it for values in many ways.
struct RandomConditions {
  struct Statement: Sendable {
    let sql: String
    let arguments: [DatabaseValue]
  }

  private struct Column {
    let name: String
    let declaration: String
  }

  private static let declarations = [
    "INTEGER", "INTEGER", "TEXT", "TEXT COLLATE NOCASE", "TEXT COLLATE RTRIM", "REAL", "NUMERIC",
    "", "BLOB", "INTEGER NOT NULL DEFAULT 3", "TEXT DEFAULT 'b'",
  ]

  private static let integers: [Int64] = [-1, 0, 1, 2, 3, 4, 9_007_199_254_740_993]
  private static let reals: [Double] = [0.5, 2, -0.0, 9_007_199_254_740_992]
  private static let texts = ["a", "A", "a ", "b", "ab", "2", "3.0", ""]
  private static let values: [DatabaseValue] = {
    let all: [any DatabaseValueConvertible] = integers + reals + texts + [Data("a".utf8)]
    return all.map(\.databaseValue) + [.null]
  }()

  /// `t` and `u` have row ids, `w` does not.
  private let tables = ["t", "u", "w"]
  private let columns = ["a", "b", "c"]
  /// The statements that make the database.
  private(set) var schema: [String] = []
  private var arguments: [DatabaseValue] = []

  init(_ random: inout SeededGenerator) {
    for table in tables {
      let declared = columns.map { "\($0) \(random.pick(from: Self.declarations))" }
      let key = table == "w" ? "k INTEGER, PRIMARY KEY (k)" : "k INTEGER PRIMARY KEY"
      let parts = table == "w" ? declared + [key] : [key] + declared
      let generated = random.chance(20) ? ["g AS (a) VIRTUAL"] : []
      schema.append(
        """
        CREATE TABLE \(table) (\((generated + parts).joined(separator: ", ")))\
        \(table == "w" ? " WITHOUT ROWID" : "")
        """
      )
      for number in 0..<random.number(in: 0..<4) {
        let keys = columns.shuffled(using: &random).prefix(random.number(in: 1..<3))
        let terms = keys.map {
          $0 + random.pick(from: ["", "", " DESC", " COLLATE NOCASE"])
        }
        let condition = random.chance(15) ? " WHERE a IS NOT NULL" : ""
        schema.append(
          """
          CREATE INDEX \(table)_\(number) ON \(table) (\(terms.joined(separator: ", ")))\(condition)
          """
        )
      }
      schema.append(
        "INSERT INTO \(table) (k, a, b, c) VALUES (1, 1, 2, 3), (2, 'a', 'b', 2), (3, 2, 2, 'a')"
      )
    }
  }

  // MARK: Changes

  /// A statement that changes some rows. It may fail.
  func change(_ random: inout SeededGenerator) -> Statement {
    let table = random.pick(from: tables)
    let key = Int64.random(in: 1...8, using: &random).databaseValue
    func value() -> DatabaseValue { random.pick(from: Self.values) }
    let column = random.pick(from: columns)
    switch random.number(in: 0..<8) {
    case 0...2:
      return Statement(
        sql: "REPLACE INTO \(table) (k, a, b, c) VALUES (?, coalesce(?, 3), ?, ?)",
        arguments: [key, value(), value(), value()]
      )
    case 3, 4:
      return Statement(
        sql: "UPDATE OR IGNORE \(table) SET \(column) = ? WHERE k = ?",
        arguments: [value(), key]
      )
    case 5:
      return Statement(
        sql: "UPDATE OR REPLACE \(table) SET k = k + 1, \(column) = ? WHERE k = ?",
        arguments: [value(), key]
      )
    default: return Statement(sql: "DELETE FROM \(table) WHERE k = ?", arguments: [key])
    }
  }

  // MARK: Queries

  /// A query whose rows have an order.
  mutating func query(_ random: inout SeededGenerator) -> Statement {
    arguments = []
    let sql = select(&random)
    return Statement(sql: sql, arguments: arguments)
  }

  private mutating func select(_ random: inout SeededGenerator) -> String {
    let first = random.pick(from: tables)
    let second = random.pick(from: tables)
    let notIndexed = random.chance(20) ? " NOT INDEXED" : ""
    let source: String
    var names = ["x"]
    switch random.number(in: 0..<9) {
    case 0...3: source = "\(first) AS x\(notIndexed)"
    case 4:
      source = "\(first) AS x, \(second) AS y"
      names = ["x", "y"]
    case 5:
      names = ["x", "y"]
      source = "\(first) AS x JOIN \(second) AS y ON \(join(&random)) AND \(term(names, &random))"
    case 6, 7:
      names = ["x", "y"]
      let kind = random.pick(from: ["LEFT", "LEFT", "RIGHT", "FULL"])
      let more = random.chance(50) ? " AND \(term(names, &random))" : ""
      source = "\(first) AS x \(kind) JOIN \(second) AS y ON \(join(&random))\(more)"
    default: source = "(SELECT * FROM \(first) WHERE \(condition(["\(first)"], &random))) AS x"
    }
    let condition = random.chance(85) ? " WHERE \(condition(names, &random))" : ""
    switch random.number(in: 0..<8) {
    case 0: return "SELECT count(*) FROM \(source)\(condition)"
    case 1:
      return """
        SELECT x.b, count(*), min(x.k) FROM \(source)\(condition) GROUP BY x.b
        HAVING \(term(["x"], &random)) OR count(*) > 1 ORDER BY 3
        """
    case 2: return "SELECT max(x.a) FROM \(source)\(condition)"
    case 3: return "SELECT DISTINCT x.k FROM \(source)\(condition) ORDER BY 1"
    case 4:
      let order = random.pick(from: ["x.a", "x.a DESC", "x.b"])
      let last = names.map { "\($0).k" }.joined(separator: ", ")
      return "SELECT \(last) FROM \(source)\(condition) ORDER BY \(order), \(last) LIMIT 2"
    default:
      let keys = names.map { "\($0).k" }.joined(separator: ", ")
      return "SELECT \(keys) FROM \(source)\(condition) ORDER BY \(keys)"
    }
  }

  private func join(_ random: inout SeededGenerator) -> String {
    let left = random.pick(from: (columns + ["k"]))
    return "x.\(left) = y.\(random.pick(from: (columns + ["k"])))"
  }

  private mutating func condition(
    _ names: [String],
    _ random: inout SeededGenerator,
    depth: Int = 0
  ) -> String {
    switch random.number(in: 0..<(depth < 2 ? 12 : 6)) {
    case 0...5: return term(names, &random)
    case 6...8:
      let left = condition(names, &random, depth: depth + 1)
      return "(\(left) AND \(condition(names, &random, depth: depth + 1)))"
    case 9, 10:
      let left = condition(names, &random, depth: depth + 1)
      return "(\(left) OR \(condition(names, &random, depth: depth + 1)))"
    default: return "NOT \(condition(names, &random, depth: depth + 1))"
    }
  }

  private mutating func term(_ names: [String], _ random: inout SeededGenerator) -> String {
    let name = random.pick(from: names)
    let column = "\(name).\(random.pick(from: (columns + ["k"])))"
    let other = "\(random.pick(from: names)).\(random.pick(from: columns))"
    switch random.number(in: 0..<16) {
    case 0...3: return "\(column) = \(value(&random))"
    case 4:
      let sign = random.pick(from: ["<", "<=", ">", ">="])
      return "\(column) \(sign) \(value(&random))"
    case 5: return "\(column) BETWEEN \(value(&random)) AND \(value(&random))"
    case 6: return "\(column) IN (\(value(&random)), \(value(&random)))"
    case 7: return "\(column) IN (\(value(&random)), \(value(&random)), \(value(&random)), 2)"
    case 8:
      let word = random.pick(from: ["IS", "IS NOT", "<>"])
      return "\(column) \(word) \(value(&random))"
    case 9: return "\(column) = \(value(&random)) COLLATE NOCASE"
    case 10:
      guard random.chance(50) else {
        return "\(column) \(random.pick(from: ["LIKE 'a%'", "GLOB 'a*'", "LIKE 'a'"]))"
      }
      let patterns = ["a%", "a*", "a", "A_%", "%a", "5%", "", "a\u{1}%"]
      let chosen: [DatabaseValue] = patterns.map(\.databaseValue) + [.null, 5.databaseValue]
      arguments.append(random.pick(from: chosen))
      return "\(column) \(random.pick(from: ["LIKE", "GLOB"])) ?"
    case 11: return "(\(column), \(other)) > (\(value(&random)), \(value(&random)))"
    case 12: return "\(column) = \(other)"
    case 13:
      let table = random.pick(from: tables)
      return """
        EXISTS (SELECT 1 FROM \(table) AS z WHERE z.a = \(column) AND z.b = \(value(&random)))
        """
    case 14:
      let table = random.pick(from: tables)
      return "\(column) IN (SELECT z.b FROM \(table) AS z WHERE z.c > \(value(&random)))"
    default:
      return "CASE \(column) WHEN \(value(&random)) THEN 1 ELSE \(other) END"
    }
  }

  private mutating func value(_ random: inout SeededGenerator) -> String {
    let value = random.pick(from: Self.values)
    guard random.chance(60) else { return value.sqlLiteral }
    arguments.append(value)
    return "?"
  }
}
