import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// Requests in SQL literals.
@Suite struct RequestPositionTests {
  // MARK: Text

  /// A literal with the request `SELECT "id" FROM "team"`, which is written `…` here.
  struct Text: Sendable, CustomTestStringConvertible {
    let literal: SQL
    let sql: String

    var testDescription: String { sql }

    init(_ sql: String, _ literal: SQL) {
      self.literal = literal
      self.sql = sql
    }
  }

  private static let ids = Team.select(\.id)

  static let texts: [Text] = [
    Text("…", "\(ids)"),
    Text("SELECT 1 WHERE 1 IN (…)", "SELECT 1 WHERE 1 IN (\(ids))"),
    Text("SELECT 1 WHERE 1 NOT IN ( … )", "SELECT 1 WHERE 1 NOT IN ( \(ids) )"),
    Text("SELECT 1 WHERE 1 IN (…)", "SELECT 1 WHERE 1 IN \(ids)"),
    Text("SELECT 1 WHERE 1 in /* ids */ (…)", "SELECT 1 WHERE 1 in /* ids */ \(ids)"),
    Text("SELECT 1 WHERE 1 IN (1, (…))", "SELECT 1 WHERE 1 IN (1, \(ids))"),
    Text("SELECT 1 WHERE 1 IN ((…), 1)", "SELECT 1 WHERE 1 IN (\(ids), 1)"),
    Text("SELECT 1 WHERE 1 IN ((…), (…))", "SELECT 1 WHERE 1 IN \([ids, ids])"),
    Text("SELECT EXISTS (…)", "SELECT EXISTS (\(ids))"),
    Text("SELECT NOT EXISTS (…)", "SELECT NOT EXISTS \(ids)"),
    Text("SELECT (…)", "SELECT \(ids)"),
    Text("SELECT DISTINCT (…), (…)", "SELECT DISTINCT \(ids), (\(ids))"),
    Text("SELECT ALL (…)", "SELECT ALL \(ids)"),
    Text("SELECT 1 + (…)", "SELECT 1 + \(ids)"),
    Text("SELECT ((…) + 1)", "SELECT (\(ids) + 1)"),
    Text("SELECT ((…) IS NULL)", "SELECT (\(ids) IS NULL)"),
    Text("SELECT MAX((…), 1)", "SELECT MAX(\(ids), 1)"),
    Text("SELECT ABS((…))", "SELECT ABS(\(ids))"),
    Text(#"SELECT "abs"((…))"#, #"SELECT "abs"(\#(ids))"#),
    Text("SELECT ABS((…))", "SELECT ABS((\(ids)))"),
    Text("SELECT replace((…), 'a', 'b')", "SELECT replace(\(ids), 'a', 'b')"),
    Text("SELECT CAST((…) AS TEXT)", "SELECT CAST(\(ids) AS TEXT)"),
    Text("SELECT COUNT(DISTINCT (…))", "SELECT COUNT(DISTINCT \(ids))"),
    Text("SELECT CASE WHEN (…) THEN (…) END", "SELECT CASE WHEN \(ids) THEN \(ids) END"),
    Text("SELECT CASE (…) WHEN 1 THEN 2 END", "SELECT CASE \(ids) WHEN 1 THEN 2 END"),
    Text("SELECT CASE 1 WHEN 1 THEN 2 ELSE (…) END", "SELECT CASE 1 WHEN 1 THEN 2 ELSE \(ids) END"),
    Text("SELECT * FROM (…)", "SELECT * FROM \(ids)"),
    Text("SELECT * FROM (…) AS t", "SELECT * FROM (\(ids)) AS t"),
    Text("SELECT * FROM team, (…)", "SELECT * FROM team, \(ids)"),
    Text("SELECT * FROM team JOIN (…) t ON t.id", "SELECT * FROM team JOIN \(ids) t ON t.id"),
    Text("SELECT * FROM json_each((…))", "SELECT * FROM json_each(\(ids))"),
    Text("SELECT 1 UNION …", "SELECT 1 UNION \(ids)"),
    Text("… UNION ALL …", "\(ids) UNION ALL \(ids)"),
    Text("… EXCEPT … INTERSECT …", "\(ids) EXCEPT \(ids) INTERSECT \(ids)"),
    Text("SELECT 1 WHERE 1 IN (… UNION …)", "SELECT 1 WHERE 1 IN (\(ids) UNION \(ids))"),
    Text("… ORDER BY id", "\(ids) ORDER BY id"),
    Text("WITH t AS (…) SELECT * FROM t", "WITH t AS (\(ids)) SELECT * FROM t"),
    Text("WITH t AS (…) …", "WITH t AS \(ids) \(ids)"),
    Text("WITH t(a) AS MATERIALIZED (…) …", "WITH t(a) AS MATERIALIZED \(ids) \(ids)"),
    Text("INSERT INTO note …", "INSERT INTO note \(ids)"),
    Text(#"INSERT INTO "note" …"#, #"INSERT INTO \#(Table("note")) \#(ids)"#),
    Text("INSERT INTO main.note(text) …", "INSERT INTO main.note(text) \(ids)"),
    Text("REPLACE INTO note AS n …", "REPLACE INTO note AS n \(ids)"),
    Text("INSERT INTO note VALUES ((…))", "INSERT INTO note VALUES (\(ids))"),
    Text("INSERT INTO note VALUES (1), ((…))", "INSERT INTO note VALUES (1), (\(ids))"),
    Text("VALUES (1, 2), (3, (…))", "VALUES (1, 2), (3, \(ids))"),
    Text("UPDATE note SET text = (…)", "UPDATE note SET text = \(ids)"),
    Text("SELECT 1 WHERE (1, 2) = ((…), (…))", "SELECT 1 WHERE (1, 2) = (\(ids), \(ids))"),
    Text("SELECT 1 ORDER BY (…) DESC LIMIT (…)", "SELECT 1 ORDER BY \(ids) DESC LIMIT \(ids)"),
    Text("CREATE TABLE copy AS …", "CREATE TABLE copy AS \(ids)"),
    Text("CREATE VIEW v(a) AS …", "CREATE VIEW v(a) AS \(ids)"),
    Text("CREATE VIEW v AS WITH t AS (…) …", "CREATE VIEW v AS WITH t AS \(ids) \(ids)"),
    Text("EXPLAIN QUERY PLAN …", "EXPLAIN QUERY PLAN \(ids)"),
    Text(
      "CREATE TRIGGER r AFTER INSERT ON note BEGIN …; INSERT INTO note …; END",
      "CREATE TRIGGER r AFTER INSERT ON note BEGIN \(ids); INSERT INTO note \(ids); END"
    ),
    // The parts of a literal may be literals themselves, or strings.
    Text("SELECT 1 WHERE 1 IN (…)", SQL("SELECT 1 WHERE 1 IN (") + SQL(ids) + SQL(")")),
    Text("SELECT 1 WHERE 1 IN (…)", "SELECT 1 WHERE 1 IN (\(SQL("\(ids)")))"),
    Text("SELECT 1 WHERE 1 IN (…)", "SELECT 1 WHERE 1 IN (\(literal: "\(ids)"))"),
    Text("SELECT 1 WHERE 1 = (…)", "SELECT 1 WHERE 1 = \(SQL(ids))"),
    Text("SELECT ((…) > 1)", "SELECT (\(SQL("\(ids)")) > 1)"),
    Text("SELECT '(', (…)", "SELECT '(', \(ids)"),
  ]

  @Test(arguments: texts)
  func `a request in a literal has the parentheses that SQL needs`(_ text: Text) throws {
    try withLeague { db throws in
      let expected = text.sql.replacing("…", with: #"SELECT "id" FROM "team""#)
      #expect(try text.literal.build(db).sql == expected)
      _ = try db.makeStatement(literal: text.literal)
    }
  }

  @Test func `an existential request is embedded like any other`() throws {
    try withLeague { db throws in
      let request: any FetchRequest = Self.ids
      let subquery: any SQLSubqueryable = Self.ids
      let literal: SQL = "SELECT 1 WHERE 1 IN (\(request)) OR 1 IN (\(subquery))"
      #expect(
        try literal.build(db).sql
          == #"SELECT 1 WHERE 1 IN (SELECT "id" FROM "team") OR 1 IN (SELECT "id" FROM "team")"#
      )
    }
  }

  @Test func `a literal that is a request is one value in an expression`() throws {
    let literal: SQL = "\(Self.ids)"
    let value = literal.sqlExpression
    try expectSQL(coalesce([literal, 1]), #"COALESCE((SELECT "id" FROM "team"), 1)"#)
    try expectSQL(value + 1, #"(SELECT "id" FROM "team") + 1"#)
    try expectSQL([literal].contains(Column("id")), #""id" IN ((SELECT "id" FROM "team"))"#)
    try expectSQL(
      request: Player.select(literal),
      #"SELECT (SELECT "id" FROM "team") FROM "player""#
    )
    try expectSQL(
      request: Player.order(literal),
      #"SELECT * FROM "player" ORDER BY (SELECT "id" FROM "team")"#
    )
  }

  // MARK: Every kind of request in every position

  /// A request of one column, and its values.
  struct Request: Sendable, CustomTestStringConvertible {
    let name: String
    let request: any FetchRequest
    let ids: [Int64]

    init(_ name: String, _ request: some FetchRequest, _ ids: [Int64]) {
      self.name = name
      self.request = request
      self.ids = ids
    }

    var testDescription: String { name }
  }

  private static let leaders = CommonTableExpression<Row>(
    named: "leader",
    literal: "SELECT id FROM player WHERE score >= \(100)"
  )

  // The ids of the players are 1, 2 and 3. Two have a score.
  static let requests: [Request] = [
    Request("all", Player.select(\.id), [1, 2, 3]),
    Request("filter", Player.filter { $0.id > 1 }.select(\.id), [2, 3]),
    Request("order", Player.select(\.id).order(\.id.desc), [3, 2, 1]),
    Request("limit", Player.select(\.id).order(\.id.desc).limit(2), [3, 2]),
    Request("offset", Player.select(\.id).order(\.id).limit(2, offset: 1), [2, 3]),
    Request("distinct", Player.select(\.id).distinct(), [1, 2, 3]),
    Request("group", Player.select { max($0.id).forKey("id") }.group(\.id), [1, 2, 3]),
    Request("with", leaders.all().with(leaders), [1, 2]),
    Request("SQL", "SELECT id FROM player WHERE id < \(3)" as SQLRequest<Int64>, [1, 2]),
    Request("compound", "SELECT 1 AS id UNION SELECT 2" as SQLRequest<Int64>, [1, 2]),
    Request("limited", "SELECT 1 AS id UNION SELECT 2 LIMIT 1" as SQLRequest<Int64>, [1]),
    Request("values", "VALUES (1), (3)" as SQLRequest<Int64>, [1, 3]),
    Request("embedding", "SELECT * FROM (\(Player.select(\.id)))" as SQLRequest<Int64>, [1, 2, 3]),
    Request(
      "alias",
      Player.all().aliased(TableAlias<Player>(name: "p")).select(\.id),
      [1, 2, 3]
    ),
    Request("empty", Player.filter { $0.id > 3 }.select(\.id), []),
    Request("erased", AnyFetchRequest(Player.select(\.id)), [1, 2, 3]),
  ]

  @Test(arguments: requests)
  func `a request means the same in each place of a literal`(_ request: Request) throws {
    let query = request.request
    let ids = Set(request.ids)
    let other: SQLRequest<Int64> = "SELECT 7"
    try withPlayers { db throws in
      func fetch(_ literal: SQL) throws -> [Int64] {
        try Int64?.fetchAll(db, SQLRequest<Int64?>(literal: literal)).compactMap(\.self)
      }
      let first = request.ids.first.map { [$0] } ?? []
      #expect(try Set(fetch("\(query)")) == ids)
      #expect(try Set(fetch("SELECT id FROM player WHERE id IN (\(query))")) == ids)
      #expect(try Set(fetch("SELECT id FROM player WHERE id IN \(query)")) == ids)
      #expect(
        try Set(fetch("SELECT id FROM player WHERE id NOT IN (\(query))"))
          == Set([1, 2, 3]).subtracting(ids)
      )
      #expect(try fetch("SELECT EXISTS (\(query))") == [ids.isEmpty ? 0 : 1])
      #expect(try fetch("SELECT COUNT(*) FROM (\(query))") == [Int64(ids.count)])
      #expect(try fetch("SELECT COUNT(*) FROM \(query) AS t") == [Int64(ids.count)])
      #expect(try fetch("SELECT \(query)").allSatisfy(ids.contains))
      #expect(try fetch("SELECT (\(query)) + 0").count == first.count)
      #expect(try fetch("SELECT MAX(\(query), 0)").count == first.count)
      #expect(try fetch("SELECT (\(query) + 0)").count == first.count)
      #expect(try Set(fetch("WITH t(id) AS (\(query)) SELECT id FROM t")) == ids)
      #expect(try Set(fetch("WITH t(id) AS (SELECT 1) \(query)")) == ids)
      for union: SQL in ["UNION", "UNION ALL"] {
        #expect(try Set(fetch("\(query) \(literal: union) \(other)")) == ids.union([7]))
        #expect(try Set(fetch("\(query) \(literal: union) \(query)")) == ids)
        #expect(
          try Set(fetch("\(other) \(literal: union) \(query) \(literal: union) \(other)"))
            == ids.union([7])
        )
      }
      #expect(
        try Set(fetch("SELECT id FROM player EXCEPT \(query) EXCEPT \(other)"))
          == Set([1, 2, 3]).subtracting(ids)
      )
      #expect(try fetch("\(query) LIMIT 1").count == first.count)
      #expect(try Set(fetch("\(query) ORDER BY 1")) == ids)
      try db.execute(literal: "CREATE TABLE copy (id INTEGER PRIMARY KEY)")
      try db.execute(literal: "INSERT INTO copy \(query)")
      #expect(try Set(fetch("SELECT id FROM copy")) == ids)
      try db.execute(literal: "INSERT INTO copy(id) \(query) ON CONFLICT DO NOTHING")
      #expect(try Set(fetch("SELECT id FROM copy")) == ids)
      try db.execute(
        literal: "INSERT INTO copy \(query) UNION \(query) ON CONFLICT DO UPDATE SET id = id"
      )
      #expect(try Set(fetch("SELECT id FROM copy")) == ids)
      try db.execute(literal: "DELETE FROM copy WHERE id IN (\(query))")
      #expect(try fetch("SELECT COUNT(*) FROM copy") == [0])
      try db.execute(literal: "CREATE TABLE other AS \(query); CREATE TABLE third AS \(query)")
      #expect(try fetch("SELECT COUNT(*) FROM third") == [Int64(ids.count)])
    }
  }
}
