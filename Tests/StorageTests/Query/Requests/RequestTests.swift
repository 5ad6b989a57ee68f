import Storage
import Testing

@Suite struct RequestTests {
  private static let selections: [(QueryInterfaceRequest<Player>, String)] = [
    (Player.all(), #"SELECT * FROM "player""#),
    (Player.none(), #"SELECT * FROM "player" WHERE 0"#),
    (Player.select { [$0.id, $0.name] }, #"SELECT "id", "name" FROM "player""#),
    (Player.select { $0.id }, #"SELECT "id" FROM "player""#),
    (Player.select(\.id), #"SELECT "id" FROM "player""#),
    (Player.select(Column("id"), Column("name")), #"SELECT "id", "name" FROM "player""#),
    (
      Player.select { max($0.score).forKey("maxScore") },
      #"SELECT MAX("score") AS "maxScore" FROM "player""#
    ),
    (Player.select(.allColumns, .rowID), #"SELECT *, "rowid" FROM "player""#),
    (
      Player.select(.allColumns(excluding: ["createdAt", "ORDER", "mask", "isActive"])),
      #"SELECT "id", "teamID", "name", "email", "score", "bonus", "height" FROM "player""#
    ),
    (
      Player.select(sql: "DATE(createdAt), COUNT(*)"),
      #"SELECT DATE(createdAt), COUNT(*) FROM "player""#
    ),
    (Player.select(literal: "\(1) + 1"), #"SELECT 1 + 1 FROM "player""#),
    (Player.select(\.id).select(\.name), #"SELECT "name" FROM "player""#),
    (Player.select(\.name).distinct(), #"SELECT DISTINCT "name" FROM "player""#),
    (
      Player.annotated { ($0.score + $0.bonus).forKey("total") },
      #"SELECT *, ("score" + "bonus") AS "total" FROM "player""#
    ),
    (
      Player.annotated(with: Column("score").forKey("points")).order(Column("points").detached),
      #"SELECT *, "score" AS "points" FROM "player" ORDER BY "points""#
    ),
  ]

  @Test("REQ-01…11, A-071, A-081, A-083: selections", arguments: selections)
  func select(_ request: QueryInterfaceRequest<Player>, _ sql: String) throws {
    try expectSQL(request: request, sql)
  }

  private static let filters: [(QueryInterfaceRequest<Player>, String)] = [
    (Player.filter { $0.score >= 1000 }, #"SELECT * FROM "player" WHERE "score" >= 1000"#),
    (Player.all().filter(!Column("isActive")), #"SELECT * FROM "player" WHERE NOT "isActive""#),
    (Player.all().filter(Column("isActive")), #"SELECT * FROM "player" WHERE "isActive""#),
    (Player.filter(\.isActive), #"SELECT * FROM "player" WHERE "isActive""#),
    (Player.filter { _ in true.sqlExpression }, #"SELECT * FROM "player" WHERE 1"#),
    (
      Player.filter { $0.name != nil && $0.height > 1.75 },
      #"SELECT * FROM "player" WHERE ("name" IS NOT NULL) AND ("height" > 1.75)"#
    ),
    (
      Player.filter { $0.name != nil }.filter { $0.email != nil },
      #"SELECT * FROM "player" WHERE ("name" IS NOT NULL) AND ("email" IS NOT NULL)"#
    ),
    (
      Player.filter(sql: "score >= ?", arguments: [1000]),
      #"SELECT * FROM "player" WHERE score >= 1000"#
    ),
    (
      Player.filter(sql: "score >= :s", arguments: ["s": 1]).filter { $0.id == 2 },
      #"SELECT * FROM "player" WHERE (score >= 1) AND ("id" = 2)"#
    ),
    (
      Player.filter(literal: "score >= \(1000)"),
      #"SELECT * FROM "player" WHERE score >= 1000"#
    ),
  ]

  @Test("REQ-12…17: filters", arguments: filters)
  func filter(_ request: QueryInterfaceRequest<Player>, _ sql: String) throws {
    try expectSQL(request: request, sql)
  }

  private static let groups: [(QueryInterfaceRequest<Player>, String)] = [
    (
      Player.select { [$0.name, max($0.score)] }.group(\.name),
      #"SELECT "name", MAX("score") FROM "player" GROUP BY "name""#
    ),
    (
      Player.select(\.name).group { [$0.name, $0.teamID] },
      #"SELECT "name" FROM "player" GROUP BY "name", "teamID""#
    ),
    (
      Player.select(\.name).group(Column("name"), Column("id")),
      #"SELECT "name" FROM "player" GROUP BY "name", "id""#
    ),
    (
      Player.select(sql: "COUNT(*)").group(sql: "DATE(createdAt)"),
      #"SELECT COUNT(*) FROM "player" GROUP BY DATE(createdAt)"#
    ),
    (
      Player.select(\.name).group(\.name).group(\.teamID),
      #"SELECT "name" FROM "player" GROUP BY "teamID""#
    ),
    (
      Player.select { [$0.teamID, max($0.score)] }.group(\.teamID).having { min($0.score) >= 1000 },
      #"SELECT "teamID", MAX("score") FROM "player" GROUP BY "teamID" HAVING MIN("score") >= 1000"#
    ),
    (
      Player.select(\.teamID).group(\.teamID).having { min($0.score) > 1 }
        .having(sql: "MAX(score) < ?", arguments: [9]),
      """
      SELECT "teamID" FROM "player" GROUP BY "teamID" \
      HAVING (MIN("score") > 1) AND (MAX(score) < 9)
      """
    ),
    (Player.all().groupByPrimaryKey(), #"SELECT * FROM "player" GROUP BY "id""#),
  ]

  @Test("REQ-21…25, AGG-13: groups", arguments: groups)
  func group(_ request: QueryInterfaceRequest<Player>, _ sql: String) throws {
    try expectSQL(request: request, sql)
  }

  private static let orders: [(QueryInterfaceRequest<Player>, String)] = [
    (Player.order(\.name), #"SELECT * FROM "player" ORDER BY "name""#),
    (
      Player.order { [$0.score.desc, $0.name] },
      #"SELECT * FROM "player" ORDER BY "score" DESC, "name""#
    ),
    (Player.order(\.score.desc), #"SELECT * FROM "player" ORDER BY "score" DESC"#),
    (Player.order { $0.name.asc }, #"SELECT * FROM "player" ORDER BY "name" ASC"#),
    (Player.order(\.score).order(\.name), #"SELECT * FROM "player" ORDER BY "name""#),
    (
      Player.order { [$0.score.desc, $0.name] }.reversed(),
      #"SELECT * FROM "player" ORDER BY "score" ASC, "name" DESC"#
    ),
    (
      Player.order { [$0.score.ascNullsLast, $0.name.descNullsFirst] }.reversed(),
      #"SELECT * FROM "player" ORDER BY "score" DESC NULLS FIRST, "name" ASC NULLS LAST"#
    ),
    (Player.all().reversed(), #"SELECT * FROM "player""#),
    (Player.order(\.name).unordered(), #"SELECT * FROM "player""#),
    (
      Player.order(Column("email"), Column("name")),
      #"SELECT * FROM "player" ORDER BY "email", "name""#
    ),
    (Player.order(sql: "score DESC"), #"SELECT * FROM "player" ORDER BY score DESC"#),
    (
      Player.order(literal: "ABS(score - \(10))"),
      #"SELECT * FROM "player" ORDER BY ABS(score - 10)"#
    ),
    (Player.orderByPrimaryKey(), #"SELECT * FROM "player" ORDER BY "id""#),
    (Player.limit(5), #"SELECT * FROM "player" LIMIT 5"#),
    (Player.limit(5, offset: 10), #"SELECT * FROM "player" LIMIT 5 OFFSET 10"#),
    (Player.limit(20, offset: 40).limit(10), #"SELECT * FROM "player" LIMIT 10"#),
  ]

  @Test("REQ-26…35, REQ-48: orders and limits", arguments: orders)
  func order(_ request: QueryInterfaceRequest<Player>, _ sql: String) throws {
    try expectSQL(request: request, sql)
  }

  @Test("REC-20…22, REQ-10, REQ-36: tables without a record type")
  func tables() throws {
    let player = Table("player")
    try expectSQL(request: player, #"SELECT * FROM "player""#)
    try expectSQL(
      request: player.filter(Column("id") == 1),
      #"SELECT * FROM "player" WHERE "id" = 1"#
    )
    try expectSQL(request: player.filter(key: 1), #"SELECT * FROM "player" WHERE "id" = 1"#)
    try expectSQL(
      request: player.select(Column("email")).filter(Column("name") != nil)
        .order(Column("email").desc, Column("name")).limit(5, offset: 1),
      """
      SELECT "email" FROM "player" WHERE "name" IS NOT NULL \
      ORDER BY "email" DESC, "name" LIMIT 5 OFFSET 1
      """
    )
    try expectSQL(request: player.select(player[.allColumns]), #"SELECT "player".* FROM "player""#)
    try expectSQL(
      request: player.select(player[Column("id")], as: Int.self),
      #"SELECT "player"."id" FROM "player""#
    )
  }

  @Test("CUR-03, CUR-40, CUR-41, REQ-37…44: rows are fetched as cursors, arrays, sets, one by one")
  func fetching() throws {
    try withPlayers { db in
      let request = Player.order(\.id)
      #expect(try Array(Player.fetchCursor(db)).count == 3)
      #expect(try Array(request.fetchCursor(db)) == [.arthur, .barbara, .craig])
      #expect(try request.fetchAll(db) == [.arthur, .barbara, .craig])
      #expect(try Player.fetchAll(db).count == 3)
      #expect(try Player.fetchSet(db) == [.arthur, .barbara, .craig])
      #expect(try request.fetchOne(db) == .arthur)
      #expect(try request.fetchSet(db).count == 3)
      #expect(try Player.select { max($0.score) }.asRequest(of: Int.self).fetchOne(db) == 1000)
      #expect(try Int.fetchOne(db, Player.select { max($0.score) }) == 1000)
      #expect(try String.fetchAll(db, Player.select(\.name).order(\.name)).last == "Craig")
      #expect(try String.fetchSet(db, Player.select(\.name)).count == 3)
      #expect(try Array(String.fetchCursor(db, Player.select(\.name))).count == 3)
      let row = try Player.select { [min($0.score), max($0.score)] }
        .asRequest(of: Row.self).fetchOne(db)
      #expect(row?[0] == 100)
      #expect(row?[1] == 1000)
      let rows = try Table("player").all().fetchCursor(db)
      let first = try rows.next()
      #expect(first?["name"] == "Arthur")
      #expect(try Table<Player>("player").fetchAll(db).count == 3)
      #expect(try request.select(\.id, as: Int.self).fetchAll(db) == [1, 2, 3])
    }
  }

  @Test("REQ-40, REQ-41: one row is asked for with a limit, unless a key picks it")
  func one() throws {
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

  @Test("REQ-45, AGG-01…04: counts stay right under distinct, group and limit")
  func counts() throws {
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

  @Test("A-072: existence")
  func existence() throws {
    try withPlayers { db throws in
      #expect(try Player.none().isEmpty(db))
      #expect(try !Player.filter { $0.score > 1 }.isEmpty(db))
      #expect(try Player.exists(db, key: 1))
      #expect(try !Player.exists(db, id: 9))
      #expect(try Player.exists(db, key: ["email": "a@x.com"]))
    }
  }

  @Test("A-073: subqueries")
  func subqueries() throws {
    let maximum = Player.select { max($0.score) }
    try expectSQL(
      request: Player.filter { $0.score == maximum },
      #"SELECT * FROM "player" WHERE "score" = (SELECT MAX("score") FROM "player")"#
    )
    let teams = Team.select(\.id)
    try expectSQL(
      request: Player.filter { teams.contains($0.teamID) },
      #"SELECT * FROM "player" WHERE "teamID" IN (SELECT "id" FROM "team")"#
    )
    try expectSQL(
      request: Player.filter { _ in !teams.exists() },
      #"SELECT * FROM "player" WHERE NOT EXISTS (SELECT "id" FROM "team")"#
    )
    let request: SQLRequest<Int> = "SELECT MAX(score) - \(10) FROM player"
    try expectSQL(
      request: Player.filter { $0.score >= request },
      #"SELECT * FROM "player" WHERE "score" >= (SELECT MAX(score) - 10 FROM player)"#
    )
  }

  @Test("CRQ-01…13: requests of all kinds")
  func kinds() throws {
    struct Leaders: FetchRequest {
      typealias RowDecoder = Player
      func makePreparedRequest(_ db: Database, forSingleResult: Bool) throws -> PreparedRequest {
        let sql = "SELECT * FROM player WHERE score >= ?"
        let statement = try db.cachedStatement(sql: sql)
        try statement.setArguments([1000])
        return PreparedRequest(statement: statement)
      }
    }
    try withPlayers { db throws in
      #expect(try Leaders().fetchAll(db) == [.barbara])
      #expect(try Leaders().fetchCount(db) == 1)
      #expect(try AnyFetchRequest(Leaders()).fetchOne(db) == .barbara)
      #expect(try AnyFetchRequest(Leaders()).fetchCount(db) == 1)
      #expect(try AnyFetchRequest(Player.all()).asRequest(of: Row.self).fetchAll(db).count == 3)
      let request: SQLRequest<Player> = "SELECT * FROM player WHERE name = \("Craig")"
      #expect(try request.fetchAll(db) == [.craig])
      #expect(try request.fetchCount(db) == 1)
      #expect(try request.asRequest(of: Int.self).fetchOne(db) == 3)
      #expect(try SQLRequest<Int>(sql: "SELECT ?", arguments: [7]).fetchOne(db) == 7)
    }
  }

  @Test("A-115: a request is printed as SQL")
  func printed() throws {
    try withLeague { db in
      let statement = try Player.filter(key: 1).makePreparedRequest(db).statement
      #expect(statement.sql == #"SELECT * FROM "player" WHERE "id" = ?"#)
    }
  }

  @Test func `Equal requests are equal`() {
    #expect(Player.filter { $0.id == 1 } == Player.filter { $0.id == 1 })
    #expect(Player.filter { $0.id == 1 } != Player.filter { $0.id == 2 })
    #expect(Set([Player.filter(key: 1), Player.filter(key: 1), Player.all()]).count == 2)
    #expect(Player.filter(key: 1).hashValue == Player.filter(key: 1).hashValue)
  }

  @Test func `A request knows its region without running`() throws {
    try withPlayers { db throws in
      func region(_ request: some FetchRequest) throws -> String {
        try request.databaseRegion(db).description
      }
      #expect(try region(Player.select(\.name)) == "player(name)")
      #expect(try region(Player.select(\.name).filter(key: 2)) == "player(id,name)[2]")
      #expect(try region(Player.select(\.name).filter { $0.id == 2 }) == "player(id,name)[2]")
    }
  }

  @Test("REC-08, REC-09: the default selection of a type")
  func databaseSelection() throws {
    struct Named: TableRecord {
      static let databaseTableName = "player"
      static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("name")] }
    }
    struct Extended: TableRecord {
      static let databaseTableName = "player"
      static var databaseSelection: [any SQLSelectable] { [.allColumns, .rowID] }
    }
    try expectSQL(request: Named.all(), #"SELECT "id", "name" FROM "player""#)
    try expectSQL(
      request: Named.filter(key: 1),
      #"SELECT "id", "name" FROM "player" WHERE "id" = 1"#
    )
    try expectSQL(request: Extended.all(), #"SELECT *, "rowid" FROM "player""#)
  }
}

extension RequestTests {
  @Test func `a request tells its SQL without a database, and without its values`() {
    let request = Player.filter { $0.score >= 1000 }.order(\.name).limit(10)
    #expect(
      "\(request)" == #"SELECT * FROM "player" WHERE "score" >= ? ORDER BY "name" LIMIT 10"#
    )
    #expect("\(SQLRequest<Row>(literal: "SELECT \(1)"))" == "SELECT ?")
    #expect("\(Player.filter(key: 1))" == #"SELECT * FROM "player" WHERE <primary key> = ?"#)
    #expect(
      "\(Player.filter(keys: [1, 2]))" == #"SELECT * FROM "player" WHERE <primary key> IN (?, ?)"#
    )
    #expect(
      "\(Player.filter(key: ["b": 1, "a": 2]))"
        == #"SELECT * FROM "player" WHERE ("a" = ?) AND ("b" = ?)"#
    )
    #expect(
      "\(Player.all().join(Team.self) { $1.id == $0.teamID })"
        == #"SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID""#
    )
  }
}
