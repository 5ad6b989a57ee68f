import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Random requests with subqueries on their own table, and aliases, do the same as SQL written by
/// hand in which each table has a name of its own.
@Suite struct RandomAliasTests {
  @Test(arguments: Soak.seeds(100, inSuite: 4))
  func `requests with aliases change and fetch the same rows as SQL written by hand`(_ seed: UInt64)
    throws
  {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      var random = SeededGenerator(seed: seed)
      try Visit.fill(db, &random)
      for _ in 0..<Soak.size(100, inSuite: 25) {
        let query = random.aliasedQuery()
        do {
          try query.check(db, &random)
        } catch {
          let sql = try? query.request.makePreparedRequest(db).statement.sql
          Issue.record("\(error)\n\(query.from)\n\(sql ?? "")")
          return
        }
      }
    }
  }
}

private struct Visit: TableRecord {
  static let boss = belongsTo(Visit.self, key: "boss", using: ForeignKey(["bossID"]))

  static func fill(_ db: Database, _ random: inout SeededGenerator) throws {
    try db.execute(
      sql: """
        CREATE TABLE visit (
          id INTEGER PRIMARY KEY, who INTEGER, day INTEGER, mark INTEGER,
          bossID INTEGER REFERENCES visit(id) ON DELETE SET NULL
        );
        CREATE TABLE copy (id INTEGER)
        """
    )
    for id in 1...14 {
      let boss: Int? = id == 1 || random.chance(20) ? nil : random.number(in: 1..<id)
      try db.execute(
        literal: """
          INSERT INTO visit VALUES (
            \(id), \(random.number(in: 0..<4)), \(random.number(in: 0..<6)), NULL, \(boss)
          )
          """
      )
    }
  }
}

/// A table of a random request, as Swift and as SQL refer to it.
private struct Level {
  /// The table; `nil` if the request gives it no alias, so that only its own columns are written.
  let alias: TableAlias<()>?
  let isOwn: Bool
  let name: String

  func column(_ column: String) -> SQLExpression? {
    if let alias { return alias[Column(column)] }
    return isOwn ? Column(column).sqlExpression : nil
  }

  var asOuter: Level { Level(alias: alias, isOwn: false, name: name) }
}

private struct AliasedQuery {
  var request: QueryInterfaceRequest<Visit>
  /// `FROM … WHERE …`, in SQL by hand.
  var from: String
  /// The tables of the request.
  let levels: [Level]
  /// A value for each row, and the same in SQL.
  let value: (SQLExpression, String)

  struct Difference: Error, CustomStringConvertible {
    let description: String
  }

  func check(_ db: Database, _ random: inout SeededGenerator) throws {
    let ids = try Int.fetchAll(db, sql: "SELECT t0.id \(from) ORDER BY 1")
    func compare(_ verb: String, _ found: [Int], _ expected: [Int]) throws {
      guard found != expected else { return }
      throw Difference(description: "\(verb): \(found) instead of \(expected)")
    }
    let keys = request.select([Column("id")], as: Int.self)
    try compare("fetch", keys.fetchAll(db).sorted(), ids)
    try compare("count", [request.fetchCount(db)], [ids.count])
    try compare("exists", [request.isEmpty(db) ? 0 : 1], [ids.isEmpty ? 0 : 1])
    let ordered = keys.order(value.0, Column("id"))
    try compare(
      "order",
      ordered.fetchAll(db),
      Int.fetchAll(db, sql: "SELECT t0.id \(from) ORDER BY \(value.1), t0.id")
    )
    let selected = request.select([value.0], as: Int?.self)
    try compare(
      "select",
      selected.fetchAll(db).map { $0 ?? -1 }.sorted(),
      Int.fetchAll(db, sql: "SELECT IFNULL(\(value.1), -1) \(from) ORDER BY 1")
    )
    try db.inSavepoint {
      switch random.number(in: 0..<5) {
      case 0:
        let all = try Int.fetchAll(db, sql: "SELECT id FROM visit ORDER BY id")
        try request.deleteAll(db)
        let rest = try Int.fetchAll(db, sql: "SELECT id FROM visit ORDER BY id")
        try compare("delete", rest, all.filter { !ids.contains($0) })
      case 1:
        let expected = try Int.fetchAll(
          db,
          sql: """
            SELECT CASE WHEN n.id IS NULL THEN -2 ELSE IFNULL(n.value, -1) END FROM visit LEFT JOIN \
            (SELECT t0.id, \(value.1) AS value \(from)) n ON n.id = visit.id ORDER BY visit.id
            """
        )
        try db.execute(sql: "UPDATE visit SET mark = -2")
        try request.updateAll(db, [Column("mark").set(to: value.0)])
        let marks = try Int.fetchAll(db, sql: "SELECT IFNULL(mark, -1) FROM visit ORDER BY id")
        try compare("update", marks, expected)
      case 2:
        try Table("copy").insert(db, columns: [Column("id")], from: keys)
        try compare("insert", Int.fetchAll(db, sql: "SELECT id FROM copy ORDER BY id"), ids)
      case 3:
        try db.create(view: "found", as: keys)
        try compare("view", Int.fetchAll(db, sql: "SELECT id FROM found ORDER BY id"), ids)
      default:
        let found = CommonTableExpression<Int>(named: "found", request: keys)
        try compare("CTE", found.all().with(found).fetchAll(db).sorted(), ids)
      }
      return .rollback
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func aliasedQuery() -> AliasedQuery {
    var count = 0
    return query(within: [], depth: number(in: 1..<4), &count)
  }

  /// Returns a request on the table, in whose conditions the tables around it can be used.
  private mutating func query(
    within outer: [Level],
    depth: Int,
    _ count: inout Int
  ) -> AliasedQuery {
    let name = "t\(count)"
    count += 1
    var request = Visit.all()
    var from = "FROM visit \(name)"
    let alias = alias(named: "x\(name)")
    if let alias { request = request.aliased(alias) }
    var levels = [Level(alias: alias, isOwn: true, name: name)]
    if chance(25) {
      let bossAlias = self.alias(named: "x\(name)b")
      let boss = bossAlias.map { Visit.boss.aliased($0) } ?? Visit.boss
      request = request.joining(required: boss)
      from += " JOIN visit \(name)b ON \(name)b.id = \(name).bossID"
      levels.append(Level(alias: bossAlias, isOwn: false, name: "\(name)b"))
    }
    let all = levels + outer
    var conditions: [String] = []
    for _ in 0..<number(in: 1..<3) {
      let (condition, sql) = condition(all, depth: depth, &count)
      request = request.filter(condition)
      conditions.append("(\(sql))")
    }
    from += " WHERE " + conditions.joined(separator: " AND ")
    return AliasedQuery(
      request: request,
      from: from,
      levels: levels,
      value: value(all, depth: depth, &count)
    )
  }

  /// Returns an alias with or without a name, or no alias.
  private mutating func alias(named name: String) -> TableAlias<()>? {
    switch number(in: 0..<5) {
    case 0: nil
    case 1: TableAlias(name: name)
    default: TableAlias()
    }
  }

  private mutating func column(_ levels: [Level]) -> (SQLExpression, String) {
    let column = pick("id", "who", "day")
    let level = pick(from: levels)
    if let expression = level.column(column) { return (expression, "\(level.name).\(column)") }
    return (Column(column).sqlExpression, "\(levels[0].name).\(column)")
  }

  private mutating func aliasedColumn(_ levels: [Level]) -> (SQLExpression, String)? {
    let column = pick("id", "who", "day")
    return pick(levels.filter { $0.alias != nil }).flatMap { level in
      level.column(column).map { ($0, "\(level.name).\(column)") }
    }
  }

  private mutating func condition(
    _ levels: [Level],
    depth: Int,
    _ count: inout Int
  ) -> (SQLExpression, String) {
    let (left, leftSQL) = column(Array(levels.prefix(1)))
    let (right, rightSQL) = column(levels)
    let outer = levels.map(\.asOuter)
    switch number(in: depth > 0 ? 0..<8 : 0..<3) {
    case 0: return (left >= right, "\(leftSQL) >= \(rightSQL)")
    case 1: return (left != right, "\(leftSQL) <> \(rightSQL)")
    case 2:
      let limit = number(in: 0..<10)
      return (left < limit, "\(leftSQL) < \(limit)")
    case 3:
      let inner = query(within: outer, depth: depth - 1, &count)
      return (inner.request.exists(), "EXISTS (SELECT 1 \(inner.from))")
    case 4:
      let inner = query(within: outer, depth: depth - 1, &count)
      return (!inner.request.exists(), "NOT EXISTS (SELECT 1 \(inner.from))")
    case 5:
      let inner = query(within: outer, depth: depth - 1, &count)
      let ids = inner.request.distinct().select(Column("id"))
      let name = inner.levels[0].name
      return (ids.contains(left), "\(leftSQL) IN (SELECT \(name).id \(inner.from))")
    case 6:
      // In SQL, a column without a table is one of the innermost table.
      guard let (value, sql) = aliasedColumn(levels) else { return (left > 2, "\(leftSQL) > 2") }
      let counted: SQL = "(SELECT COUNT(*) FROM visit WHERE who = \(value)) > 2"
      return (counted.sqlExpression, "(SELECT COUNT(*) FROM visit r WHERE r.who = \(sql)) > 2")
    default:
      let (value, sql) = value(levels, depth: depth, &count)
      return (left <= value, "\(leftSQL) <= \(sql)")
    }
  }

  private mutating func value(
    _ levels: [Level],
    depth: Int,
    _ count: inout Int
  ) -> (SQLExpression, String) {
    guard depth > 0, chance(60) else { return column(levels) }
    let inner = query(within: levels.map(\.asOuter), depth: depth - 1, &count)
    let own = inner.levels[0]
    guard let day = own.column("day") else { return column(levels) }
    let maximum = inner.request.select([max(day)])
    return (maximum.sqlExpression, "(SELECT MAX(\(own.name).day) \(inner.from))")
  }
}
