import Storage
import Testing

@testable import StorageTestSupport

@Suite struct SelectStatementTests {
  @Test func `REQ-40, REQ-41: one row is fetched with a limit, unless a key selects it`() throws {
    try withPlayers { db in
      func one(_ request: some FetchRequest, _ sql: String) throws {
        expectSQL(try request.makePreparedRequest(db, forSingleResult: true).statement, sql)
      }
      try one(Player.all(), #"SELECT * FROM "player" LIMIT 1"#)
      try one(Player.limit(5, offset: 2), #"SELECT * FROM "player" LIMIT 1 OFFSET 2"#)
      try one(Player.limit(0), #"SELECT * FROM "player" LIMIT 0"#)
      try one(Player.filter(key: 1), #"SELECT * FROM "player" WHERE "id" = 1"#)
      try one(Player.filter { $0.id == 1 }, #"SELECT * FROM "player" WHERE "id" = 1"#)
      try one(
        Player.filter { $0.email == "a" && $0.score > 1 },
        #"SELECT * FROM "player" WHERE ("email" = 'a') AND ("score" > 1)"#
      )
      try one(
        Player.filter { $0.name == "a" },
        #"SELECT * FROM "player" WHERE "name" = 'a' LIMIT 1"#
      )
    }
  }

  @Test func `REQ-45, AGG-01…04: counts respect distinct, group and limit`() throws {
    try withPlayers { db in
      func count(
        _ request: some FetchRequest,
        _ expected: Int,
        _ sql: String,
        sourceLocation: SourceLocation = #_sourceLocation
      ) throws {
        try expectSQL(db, sql, sourceLocation: sourceLocation) {
          let count = try request.fetchCount(db)
          #expect(count == expected, sourceLocation: sourceLocation)
        }
      }
      try count(Player.all(), 3, #"SELECT COUNT(*) FROM "player""#)
      try count(Player.order(\.name), 3, #"SELECT COUNT(*) FROM "player""#)
      try count(
        Player.filter { $0.email != nil },
        2,
        #"SELECT COUNT(*) FROM "player" WHERE "email" IS NOT NULL"#
      )
      try count(
        Player.select(\.name).distinct(),
        3,
        #"SELECT COUNT(DISTINCT "name") FROM "player""#
      )
      try count(
        Player.select(\.score).distinct(),
        3,
        #"SELECT COUNT(*) FROM (SELECT DISTINCT "score" FROM "player")"#
      )
      try count(
        Player.select { [$0.name, $0.score] }.distinct(),
        3,
        #"SELECT COUNT(*) FROM (SELECT DISTINCT "name", "score" FROM "player")"#
      )
      try count(Player.limit(2), 2, #"SELECT COUNT(*) FROM (SELECT * FROM "player" LIMIT 2)"#)
      try count(
        Player.select(\.teamID).group(\.teamID),
        2,
        #"SELECT COUNT(*) FROM (SELECT "teamID" FROM "player" GROUP BY "teamID")"#
      )
      try count(
        Player.select { max($0.score) },
        1,
        #"SELECT COUNT(*) FROM (SELECT MAX("score") FROM "player")"#
      )
      #expect(try Player.fetchCount(db) == 3)
      #expect(try Table("player").fetchCount(db) == 3)
    }
  }

  @Test func `a count keeps the named columns that a condition refers to`() throws {
    try withPlayers { db in
      let total = (Column("score") * 2).forKey("total")
      let request = Player.annotated(with: total)
      try expectSQL(
        db,
        """
        SELECT COUNT(*) FROM \
        (SELECT *, "score" * 2 AS "total" FROM "player" WHERE "total" > 1000)
        """
      ) {
        try #expect(request.filter(Column("total") > 1000).fetchCount(db) == 1)
      }
      try #expect(request.filter(sql: "TOTAL > 100").fetchCount(db) == 2)
      try #expect(request.filter(Column("Total") > 100).distinct().fetchCount(db) == 2)
      try expectSQL(db, #"SELECT COUNT(*) FROM "player" WHERE "score" > 10"#) {
        try #expect(request.filter { $0.score > 10 }.fetchCount(db) == 2)
      }
      let quoted = Player.annotated(with: Column("score").forKey("a\"b"))
      try #expect(quoted.filter(Column("a\"b") > 100).fetchCount(db) == 1)
      let joined = request.join(Team.self) { $1.id == $0.teamID }
      try #expect(joined.filter(Column("total").detached > 100).fetchCount(db) == 2)
    }
  }

  private struct Longest: DatabaseAggregate {
    private var length = 0

    mutating func step(_ values: [DatabaseValue]) {
      length = max(length, String.fromDatabaseValue(values[0])?.count ?? 0)
    }

    func finalize() -> (any DatabaseValueConvertible)? { length }
  }

  private static let longest = DatabaseFunction(
    "longest",
    argumentCount: 1,
    aggregate: Longest.self
  )

  private static let counted: [(QueryInterfaceRequest<Player>, Int)] = [
    (Player.select { longest($0.name) }, 1),
    (Player.select { (longest($0.name) + 1).forKey("next") }, 1),
    (Player.select { longest($0.name) }.group(\.teamID), 2),
    (Player.select(SQL("MAX(score)").sqlExpression.forKey("best")), 1),
    (Player.select(SQL("MAX(\(Column("score")))").sqlExpression + 1), 1),
    (Player.select(SQL("score + 1").sqlExpression.forKey("next")), 3),
    (Player.select(SQL(Player.select { max($0.score) }).sqlExpression), 3),
    (Player.select { rank().over(orderBy: [max($0.score)]) }, 1),
    (Player.select { sum($0.score).over(partitionBy: [count($0.id)]) }, 1),
    (Player.select { max($0.score).over(orderBy: [$0.id]) }, 3),
  ]

  @Test(arguments: counted)
  func `the count of aggregates is that of their rows`(
    _ request: QueryInterfaceRequest<Player>,
    _ expected: Int
  ) throws {
    try withPlayers { db in
      db.add(function: Self.longest)
      let rows = request.asRequest(of: Row.self)
      try #expect(rows.fetchAll(db).count == expected)
      try #expect(rows.fetchCount(db) == expected)
    }
  }
}
