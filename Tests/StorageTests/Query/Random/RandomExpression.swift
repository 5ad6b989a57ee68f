import Storage
import TestSupport

/// An expression, and its equivalent in SQL with all parentheses.
struct RandomExpression {
  let expression: SQLExpression
  let sql: String

  init(_ expression: some SQLExpressible, _ sql: String) {
    self.expression = expression.sqlExpression
    self.sql = sql
  }
}

/// The columns that random expressions can use.
struct RandomScope {
  /// Columns that hold integers or NULL.
  var columns: [RandomExpression]
  /// The nesting depth of the query.
  var depth = 0

  /// The columns of the table `player`.
  static let player = RandomScope(
    columns: ["id", "teamID", "score", "bonus", "mask"].map { RandomExpression(Column($0), $0) }
  )

  /// Returns the columns of a table under an alias.
  static func named(_ name: String, _ columns: [String]) -> RandomScope {
    let alias = TableAlias(name: name)
    return RandomScope(
      columns: columns.map { RandomExpression(alias[Column($0)], "\(name).\($0)") }
    )
  }
}

// MARK: - Numbers

extension SeededGenerator {
  private mutating func literal() -> Int { number(in: -3..<10) }

  /// Returns an expression whose values are integers or NULL.
  mutating func number(_ scope: RandomScope, depth: Int) -> RandomExpression {
    if depth == 0 || chance(20) {
      if chance(70) { return pick(scope.columns)! }
      let value = literal()
      return RandomExpression(value, "(\(value))")
    }
    let left = number(scope, depth: depth - 1)
    let right = number(scope, depth: depth - 1)
    let (x, y) = (left.expression, right.expression)
    func both(_ sql: String, _ expression: SQLExpression) -> RandomExpression {
      RandomExpression(expression, "(\(left.sql) \(sql) \(right.sql))")
    }
    switch number(in: 0..<17) {
    case 0: return both("+", x + y)
    case 1: return both("-", x - y)
    case 2: return both("*", x * y)
    case 3: return both("/", x / y)
    case 4: return both("%", x % y)
    case 5: return both("&", x & y)
    case 6: return both("|", x | y)
    // Larger shifts would overflow an INTEGER.
    case 7: return RandomExpression(x << (y & 7), "(\(left.sql) << (\(right.sql) & 7))")
    case 8: return RandomExpression(x >> (y & 7), "(\(left.sql) >> (\(right.sql) & 7))")
    case 9: return RandomExpression(-x, "(-(\(left.sql)))")
    case 10: return RandomExpression(~x, "(~(\(left.sql)))")
    case 11: return RandomExpression(x ?? y, "IFNULL(\(left.sql), \(right.sql))")
    case 12: return RandomExpression(abs(x), "ABS(\(left.sql))")
    case 13: return RandomExpression(coalesce(x, y, 7), "COALESCE(\(left.sql), \(right.sql), 7)")
    case 14: return RandomExpression(min(x, y), "MIN(\(left.sql), \(right.sql))")
    case 15:
      let condition = condition(scope, depth: depth - 1)
      return RandomExpression(
        Case().when(condition.expression, then: x).otherwise(y),
        "CASE WHEN \(condition.sql) THEN \(left.sql) ELSE \(right.sql) END"
      )
    default:
      guard scope.depth < 2 else {
        let (or, and) = ("\(left.sql) | \(right.sql)", "\(left.sql) & \(right.sql)")
        return RandomExpression(x ^ y, "((\(or)) - (\(and)))")
      }
      let query = scalarQuery(scope)
      return RandomExpression(query.request.sqlExpression, "(\(query.sql))")
    }
  }

  /// Returns an aggregate over groups of rows.
  mutating func aggregate(_ scope: RandomScope) -> RandomExpression {
    let value = number(scope, depth: 1)
    let x = value.expression
    switch number(in: 0..<7) {
    case 0: return RandomExpression(count(x), "COUNT(\(value.sql))")
    case 1: return RandomExpression(count(distinct: x), "COUNT(DISTINCT \(value.sql))")
    case 2: return RandomExpression(sum(x), "SUM(\(value.sql))")
    case 3: return RandomExpression(min(x), "MIN(\(value.sql))")
    case 4: return RandomExpression(max(x), "MAX(\(value.sql))")
    case 5: return RandomExpression(SQLExpression.countAll, "COUNT(*)")
    default:
      let condition = condition(scope, depth: 1)
      return RandomExpression(
        sum(x, filter: condition.expression),
        "SUM(\(value.sql)) FILTER (WHERE \(condition.sql))"
      )
    }
  }
}

// MARK: - Conditions

extension SeededGenerator {
  /// Returns an expression whose values are 0, 1 or NULL.
  mutating func condition(_ scope: RandomScope, depth: Int) -> RandomExpression {
    if depth > 0, chance(60) {
      let left = condition(scope, depth: depth - 1)
      let right = condition(scope, depth: depth - 1)
      let (x, y) = (left.expression, right.expression)
      switch number(in: 0..<4) {
      case 0: return RandomExpression(x && y, "(\(left.sql) AND \(right.sql))")
      case 1: return RandomExpression(x || y, "(\(left.sql) OR \(right.sql))")
      case 2: return RandomExpression(!x, "(NOT \(left.sql))")
      default:
        return RandomExpression(
          [x, y, x].joined(operator: .or),
          "(\(left.sql) OR \(right.sql) OR \(left.sql))"
        )
      }
    }
    let left = number(scope, depth: 1)
    let right = number(scope, depth: 1)
    let (x, y) = (left.expression, right.expression)
    let (low, high) = (literal(), literal() + 5)
    func both(_ sql: String, _ expression: SQLExpression) -> RandomExpression {
      RandomExpression(expression, "(\(left.sql) \(sql) \(right.sql))")
    }
    switch number(in: 0..<15) {
    case 0: return both("=", x == y)
    case 1: return both("<>", x != y)
    case 2: return both("<", x < y)
    case 3: return both("<=", x <= y)
    case 4: return both(">", x > y)
    case 5: return both(">=", x >= y)
    case 6: return both("IS", x === y)
    case 7: return both("IS NOT", x !== y)
    case 8: return RandomExpression(x == nil, "(\(left.sql) IS NULL)")
    case 9: return RandomExpression(x != nil, "(\(left.sql) IS NOT NULL)")
    case 10: return RandomExpression([low, high].contains(x), "(\(left.sql) IN (\(low), \(high)))")
    case 11:
      return RandomExpression(![low, high].contains(x), "(\(left.sql) NOT IN (\(low), \(high)))")
    case 12 where low <= high:
      return RandomExpression((low...high).contains(x), "(\(left.sql) BETWEEN \(low) AND \(high))")
    case 13 where scope.depth < 2:
      let query = scalarQuery(scope)
      return RandomExpression(query.request.contains(x), "(\(left.sql) IN (\(query.sql)))")
    case 14 where scope.depth < 2:
      let query = scalarQuery(scope)
      return chance(50)
        ? RandomExpression(query.request.exists(), "(EXISTS (\(query.sql)))")
        : RandomExpression(!query.request.exists(), "(NOT EXISTS (\(query.sql)))")
    default:
      return both("=", x == y)
    }
  }

  /// Returns a query of one column, which may use columns of the outer query.
  private mutating func scalarQuery(_ outer: RandomScope) -> RandomQuery {
    // Only aliases distinguish the columns of the inner query from columns of the outer query.
    let name = "inner\(outer.depth)"
    var scope = RandomScope.named(name, ["id", "size"])
    let value = number(scope, depth: 1)
    let correlated = outer.columns.filter { $0.sql.contains(".") }
    scope.columns += correlated
    scope.depth = outer.depth + 1
    let condition = condition(scope, depth: 1)
    let request = Table("team").aliased(TableAlias(name: name)).filter(condition.expression)
    let sql = "FROM team \(name) WHERE \(condition.sql)"
    guard chance(50) else {
      return RandomQuery(
        request: request.select(max(value.expression)),
        sql: "SELECT MAX(\(value.sql)) \(sql)"
      )
    }
    let order = TableAlias(name: name)[Column("id")]
    return RandomQuery(
      request: request.select(value.expression).order(order).limit(3),
      sql: "SELECT \(value.sql) \(sql) ORDER BY \(name).id LIMIT 3"
    )
  }
}
