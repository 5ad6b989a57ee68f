import Storage
import TestSupport

/// A request, and its equivalent in SQL written by hand.
struct RandomQuery {
  var request: QueryInterfaceRequest<Row>
  var sql: String
  /// Whether the order of the rows is determined.
  var isOrdered = false
}

extension SeededGenerator {
  /// Returns a query of a random kind.
  mutating func query() -> RandomQuery {
    switch number(in: 0..<5) {
    case 0: plainQuery()
    case 1: joinedQuery()
    case 2: groupedQuery()
    case 3: distinctQuery()
    default: commonTableQuery()
    }
  }

  /// Returns a sorted query of one table, which may have a limit.
  private mutating func plainQuery() -> RandomQuery {
    let scope = chance(50) ? RandomScope.player : .named("p", ["id", "teamID", "score", "bonus"])
    let isAliased = scope.columns[0].sql != "id"
    var request = Table("player").all()
    if isAliased { request = request.aliased(TableAlias(name: "p")) }
    var query = RandomQuery(
      request: request,
      sql: "SELECT * FROM player\(isAliased ? " p" : "")",
      isOrdered: true
    )
    filter(&query, scope)
    let term = number(scope, depth: 2)
    let key = scope.columns[0]
    let (isDescending, isReversed) = (chance(50), chance(30))
    query.request = query.request.order(
      isDescending ? term.expression.desc : term.expression.asc,
      key.expression
    )
    if isReversed { query.request = query.request.reversed() }
    // SQLite would read a bare number as the position of a result column.
    query.sql += """
       ORDER BY IFNULL(\(term.sql), NULL) \(isDescending != isReversed ? "DESC" : "ASC"), \
      \(key.sql) \(isReversed ? "DESC" : "ASC")
      """
    if chance(60) { limit(&query) }
    return query
  }

  private mutating func filter(_ query: inout RandomQuery, _ scope: RandomScope) {
    let conditions = (0..<number(in: 0..<3)).map { _ in condition(scope, depth: 2) }
    for condition in conditions { query.request = query.request.filter(condition.expression) }
    if !conditions.isEmpty {
      query.sql += " WHERE \(conditions.map(\.sql).joined(separator: " AND "))"
    }
  }

  private mutating func limit(_ query: inout RandomQuery) {
    let (count, offset) = (number(in: 0..<30), number(in: 0..<6))
    query.request = query.request.limit(count, offset: offset == 0 ? nil : offset)
    query.sql += " LIMIT \(count)\(offset == 0 ? "" : " OFFSET \(offset)")"
  }

  /// Returns a join of two or three tables. One of them may be read twice.
  private mutating func joinedQuery() -> RandomQuery {
    var scope = RandomScope.named("p", ["id", "teamID", "score"])
    var query = RandomQuery(
      request: Table("player").aliased(TableAlias(name: "p")),
      sql: "FROM player p"
    )
    let tables: [(String, String, [String])] = [
      ("team", "t", ["id", "size"]), ("player", "q", ["id", "score", "bonus"]),
    ]
    for (table, name, columns) in tables.prefix(number(in: 1..<3)) {
      let own = RandomScope.named(name, columns)
      let left = pick(scope.columns)!
      scope.columns += own.columns
      let right = own.columns[0]
      let extra = condition(scope, depth: 0)
      let joined = Table(table).aliased(TableAlias(name: name))
      switch number(in: 0..<3) {
      case 0:
        let on = left.expression == right.expression && extra.expression
        query.request = query.request.join(joined, on: on)
        query.sql += " JOIN \(table) \(name) ON \(left.sql) = \(right.sql) AND \(extra.sql)"
      case 1:
        let on = left.expression == right.expression || extra.expression
        query.request = query.request.leftJoin(joined, on: on)
        query.sql += " LEFT JOIN \(table) \(name) ON \(left.sql) = \(right.sql) OR \(extra.sql)"
      default:
        query.request = query.request.crossJoin(joined)
        query.sql += " CROSS JOIN \(table) \(name)"
      }
    }
    filter(&query, scope)
    let selected = (0..<number(in: 1..<4)).map { _ in number(scope, depth: 1) }
    query.request = query.request.select(selected.map(\.expression))
    query.sql = "SELECT \(selected.map(\.sql).joined(separator: ", ")) \(query.sql)"
    return query
  }

  /// Returns a query of groups, which may have a condition on the groups.
  private mutating func groupedQuery() -> RandomQuery {
    let scope = RandomScope.player
    let keys = [number(scope, depth: 1), scope.columns[1]]
    let aggregates = (0..<number(in: 1..<3)).map { _ in aggregate(scope) }
    let selected = keys + aggregates
    var query = RandomQuery(
      request: Table("player").all().select(selected.map(\.expression)),
      sql: "SELECT \(selected.map(\.sql).joined(separator: ", ")) FROM player"
    )
    filter(&query, scope)
    // SQLite would read a bare number as the position of a result column.
    query.request = query.request.group(keys.map(\.expression))
    query.sql += " GROUP BY \(keys.map { "IFNULL(\($0.sql), NULL)" }.joined(separator: ", "))"
    if chance(50) {
      let (aggregate, value) = (aggregate(scope), number(in: -2..<9))
      query.request = query.request.having(aggregate.expression > value)
      query.sql += " HAVING \(aggregate.sql) > \(value)"
    }
    return query
  }

  /// Returns a query of distinct rows.
  private mutating func distinctQuery() -> RandomQuery {
    let scope = RandomScope.player
    let selected = (0..<number(in: 1..<3)).map { _ in number(scope, depth: 1) }
    var query = RandomQuery(
      request: Table("player").all().select(selected.map(\.expression)).distinct(),
      sql: "SELECT DISTINCT \(selected.map(\.sql).joined(separator: ", ")) FROM player"
    )
    filter(&query, scope)
    return query
  }

  /// Returns a query of a common table expression.
  private mutating func commonTableQuery() -> RandomQuery {
    let scope = RandomScope.player
    let (value, condition) = (number(scope, depth: 2), condition(scope, depth: 1))
    let inner = Table("player").filter(condition.expression)
      .select(Column("id"), value.expression.forKey("value"))
    let innerSQL = "SELECT id, \(value.sql) AS value FROM player WHERE \(condition.sql)"
    let table = CommonTableExpression<Row>(named: "c", request: inner)
    var query = RandomQuery(
      request: table.all().with(table),
      sql: "WITH c AS (\(innerSQL)) SELECT * FROM c",
      isOrdered: true
    )
    var own = RandomScope.named("c", ["id", "value"])
    own.depth = 2
    filter(&query, own)
    query.request = query.request.order(Column("id").desc)
    query.sql += " ORDER BY id DESC"
    if chance(50) { limit(&query) }
    return query
  }
}
