import Storage
import Testing

/// Random requests give what the same query gives that is written by hand.
@Suite struct RandomRequestTests {
  /// An expression, and the same in SQL with all parentheses.
  private struct Pair {
    let expression: SQLExpression
    let sql: String

    static func number(_ depth: Int) -> Pair {
      let column = ["score", "bonus", "mask", "id", "teamID"].randomElement()!
      let value = Int.random(in: -3...9)
      switch Int.random(in: 0..<(depth > 0 ? 10 : 2)) {
      case 0: return Pair(expression: Column(column).sqlExpression, sql: column)
      case 1: return Pair(expression: value.databaseValue.sqlExpression, sql: "(\(value))")
      case 2: return combined("+", number(depth - 1), number(depth - 1)) { $0 + $1 }
      case 3: return combined("-", number(depth - 1), number(depth - 1)) { $0 - $1 }
      case 4: return combined("*", number(depth - 1), number(depth - 1)) { $0 * $1 }
      case 5: return combined("/", number(depth - 1), number(depth - 1)) { $0 / $1 }
      case 6: return combined("&", number(depth - 1), number(depth - 1)) { $0 & $1 }
      case 7: return combined("|", number(depth - 1), number(depth - 1)) { $0 | $1 }
      case 8:
        let inner = number(depth - 1)
        return Pair(expression: -inner.expression, sql: "(-(\(inner.sql)))")
      default:
        let inner = number(depth - 1)
        return Pair(expression: inner.expression ?? value, sql: "IFNULL(\(inner.sql), \(value))")
      }
    }

    static func condition(_ depth: Int) -> Pair {
      let value = Int.random(in: -3...9)
      switch Int.random(in: 0..<(depth > 0 ? 11 : 6)) {
      case 0: return combined("=", number(1), number(1)) { $0 == $1 }
      case 1: return combined("<>", number(1), number(1)) { $0 != $1 }
      case 2: return combined("<", number(1), number(1)) { $0 < $1 }
      case 3:
        let inner = number(1)
        return Pair(expression: inner.expression == nil, sql: "(\(inner.sql) IS NULL)")
      case 4:
        let inner = number(1)
        let values = [value, value + 2]
        return Pair(
          expression: values.contains(inner.expression),
          sql: "(\(inner.sql) IN (\(value), \(value + 2)))"
        )
      case 5:
        let inner = number(1)
        return Pair(
          expression: (value...value + 3).contains(inner.expression),
          sql: "(\(inner.sql) BETWEEN \(value) AND \(value + 3))"
        )
      case 6, 7: return combined("AND", condition(depth - 1), condition(depth - 1)) { $0 && $1 }
      case 8, 9: return combined("OR", condition(depth - 1), condition(depth - 1)) { $0 || $1 }
      default:
        let inner = condition(depth - 1)
        return Pair(expression: !inner.expression, sql: "(NOT \(inner.sql))")
      }
    }

    private static func combined(
      _ sql: String,
      _ left: Pair,
      _ right: Pair,
      _ combine: (SQLExpression, SQLExpression) -> SQLExpression
    ) -> Pair {
      Pair(
        expression: combine(left.expression, right.expression),
        sql: "(\(left.sql) \(sql) \(right.sql))"
      )
    }
  }

  @Test func `Random requests equal the query written by hand`() throws {
    try withLeague { db in
      for id in 1...40 {
        func value() -> DatabaseValue {
          Bool.random() ? .null : Int.random(in: -4...9).databaseValue
        }
        try Table("player").insert(
          db,
          [
            Column("id").set(to: id), Column("name").set(to: "n\(id)"),
            Column("score").set(to: value()), Column("bonus").set(to: value()),
            Column("mask").set(to: value()),
          ]
        )
      }
      for _ in 0..<400 {
        let condition = Pair.condition(3)
        let order = Pair.number(2)
        let limit = Int.random(in: 1...50)
        let request = Player.filter(condition.expression)
          .order(order.expression.desc, Column("id")).limit(limit)
        let sql =
          "FROM player WHERE \(condition.sql) ORDER BY IFNULL(\(order.sql), NULL) DESC, id LIMIT \(limit)"
        let ids = try request.select(Column("id"), as: Int.self).fetchAll(db)
        let expected = try Int.fetchAll(db, sql: "SELECT id \(sql)")
        #expect(ids == expected, "\(sql)")
        let count = try request.fetchCount(db)
        #expect(count == expected.count, "\(sql)")
        let same = Player.filter(condition.expression)
          .order(order.expression.desc, Column("id")).limit(limit)
        #expect(request == same)
      }
    }
  }
}
