import Storage
import Testing

@testable import StorageTestSupport

private struct Player: Codable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var teamID: Int64?
  var name: String
  var score: Int
  var bonus: Int?
  var isActive = true
}

private struct Team: Codable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
}

extension Player {
  static let arthur = Player(id: 1, teamID: 1, name: "Arthur", score: 100)
  static let barbara = Player(id: 2, teamID: 1, name: "Barbara", score: 1000)
  static let craig = Player(id: 3, teamID: 2, name: "Craig", score: 5)
}

private func withPlayers(_ body: (Database) throws -> Void) throws {
  try withLeague { db in
    try Team(id: 1, name: "Reds").insert(db)
    try Team(id: 2, name: "Blues").insert(db)
    for player in [Player.arthur, .barbara, .craig] { try player.insert(db) }
    try body(db)
  }
}

extension DerivableRequest<Player> {
  func leading() -> Self { filter { $0.score >= 1000 }.order(\.score.desc) }
}

/// The code of Docs/Storage.docc/QueryInterface.md.
@Suite struct QueryInterfaceGuideTests {
  @Test func `requests are filtered, ordered and limited`() throws {
    try withPlayers { db in
      try expectSQL(
        db,
        #"SELECT * FROM "player" WHERE "score" >= 1000 ORDER BY "name" LIMIT 10"#
      ) {
        let request = Player.filter { $0.score >= 1000 }.order(\.name).limit(10)
        let players = try request.fetchAll(db)
        #expect(players == [.barbara])
      }
      try expectSQL(
        db,
        #"SELECT * FROM "player" WHERE "score" >= 1000 ORDER BY "score" DESC LIMIT 1"#
      ) {
        let leader = try Player.all().leading().fetchOne(db)
        #expect(leader == .barbara)
      }
    }
  }

  @Test func `requests use Swift operators and typed columns`() throws {
    try withPlayers { db in
      try expectSQL(
        db,
        #"SELECT * FROM "player" WHERE (("name" LIKE 'A%') OR ("id" IN (1, 2, 3))) AND ("score" BETWEEN 0 AND 1000)"#
      ) {
        let found = try Player.filter {
          ($0.name.like("A%") || [1, 2, 3].contains($0.id)) && (0...1000).contains($0.score)
        }.fetchAll(db)
        #expect(found.count == 3)
      }
    }
    let idle = Player.filter { !$0.isActive }
    try expectSQL(request: idle, #"SELECT * FROM "player" WHERE NOT "isActive""#)
    struct Item: Codable, FetchableRecord, PersistableRecord {
      var id: Int64
      var name: String
      var price: Double?
    }
    let cheap = Item.filter { $0.price < 10 }.select { $0.name + "!" }
    let text = "50_%"
    let pattern = text.replacing(#/[\\%_]/#) { "\\" + $0.output }
    let labels = Item.filter { $0.name.like("%\(pattern)%", escape: "\\") }
    let prefixed = Item.filter { $0.name.glob("Roof*") }
    let exact = Item.filter { instr($0.name, text) > 0 }
    let accents = Item.filter { $0.name.lowercased == "zoé" }
    try withDatabase { db in
      expectSQL(
        try cheap.makePreparedRequest(db).statement,
        #"SELECT "name" || '!' FROM "item" WHERE "price" < 10.0"#
      )
      expectSQL(
        try labels.makePreparedRequest(db).statement,
        #"SELECT * FROM "item" WHERE "name" LIKE '%50\_\%%' ESCAPE '\'"#
      )
      expectSQL(
        try prefixed.makePreparedRequest(db).statement,
        #"SELECT * FROM "item" WHERE "name" GLOB 'Roof*'"#
      )
      expectSQL(
        try exact.makePreparedRequest(db).statement,
        #"SELECT * FROM "item" WHERE INSTR("name", '50_%') > 0"#
      )
      expectSQL(
        try accents.makePreparedRequest(db).statement,
        #"SELECT * FROM "item" WHERE swiftLowercaseString("name") = 'zoé'"#
      )
    }
  }

  @Test func `requests have several orders`() throws {
    let ranking = Player.order(\.score.desc, \.name)
    try expectSQL(request: ranking, #"SELECT * FROM "player" ORDER BY "score" DESC, "name""#)
    let tail = ranking.reversed()
    try expectSQL(request: tail, #"SELECT * FROM "player" ORDER BY "score" ASC, "name" DESC"#)
    let byBonus = Player.order { [$0.bonus.ascNullsLast, $0.name.collating(.nocase)] }
    try expectSQL(
      request: byBonus,
      #"SELECT * FROM "player" ORDER BY "bonus" ASC NULLS LAST, "name" COLLATE NOCASE"#
    )
    let bestFirst = Player.order { [($0.score > 100).desc, $0.isActive.desc, $0.name] }
    try expectSQL(
      request: bestFirst,
      #"SELECT * FROM "player" ORDER BY "score" > 100 DESC, "isActive" DESC, "name""#
    )
  }

  @Test func `requests compute aggregates`() throws {
    try withPlayers { db throws in
      try expectSQL(db, #"SELECT MAX("score") FROM "player" LIMIT 1"#) {
        let best = try Player.select({ max($0.score) }, as: Int.self).fetchOne(db)
        #expect(best == 1000)
      }
      try expectSQL(db, #"SELECT "name" FROM "player""#) {
        let names: [String] = try Player.select(\.name).fetchAll(db)
        #expect(names.count == 3)
      }
      try expectSQL(db, #"SELECT COUNT(*) FROM "player" WHERE "score" > 10"#) {
        let number = try Player.filter { $0.score > 10 }.fetchCount(db)
        #expect(number == 2)
      }
      struct TeamSize: Decodable, FetchableRecord { var teamID: Int64?, players: Int }
      let sizes = Player.select { [$0.teamID, count($0.id).forKey("players")] }.group(\.teamID)
        .asRequest(of: TeamSize.self)
      try expectSQL(
        db,
        #"SELECT "teamID", COUNT("id") AS "players" FROM "player" GROUP BY "teamID""#
      ) {
        let players = try sizes.fetchAll(db).map(\.players)
        #expect(players.reduce(0, +) == 3)
      }
    }
  }

  @Test func `requests are subqueries`() throws {
    let highest = Player.select { max($0.score) }
    let winners = Player.filter { $0.score == highest }
    try expectSQL(
      request: winners,
      #"SELECT * FROM "player" WHERE "score" = (SELECT MAX("score") FROM "player")"#
    )
    let teamIDs = Player.filter { $0.score > 10 && $0.teamID != nil }.select(\.teamID)
    let withWinners = Team.filter { teamIDs.contains($0.id) }
    try expectSQL(
      request: withWinners,
      #"SELECT * FROM "team" WHERE "id" IN (SELECT "teamID" FROM "player" WHERE ("score" > 10) AND ("teamID" IS NOT NULL))"#
    )
    let team = TableAlias<Team>()
    let withMembers = Team.all().aliased(team).filter { _ in
      Player.filter { $0.teamID == team.id }.exists()
    }
    try expectSQL(
      request: withMembers,
      #"SELECT * FROM "team" WHERE EXISTS (SELECT * FROM "player" WHERE "teamID" = "team"."id")"#
    )
    let one = TableAlias<Player>()
    let better = Player.filter { $0.teamID == one.teamID && $0.score > one.score }
    let leaders = Player.all().aliased(one).filter(!better.exists())
    try expectSQL(
      request: leaders,
      """
      SELECT * FROM "player" "player1" WHERE NOT EXISTS (SELECT * FROM "player" \
      WHERE ("teamID" = "player1"."teamID") AND ("score" > "player1"."score"))
      """
    )
    try withPlayers { db throws in
      #expect(try leaders.fetchAll(db) == [.barbara, .craig])
      #expect(try winners.fetchAll(db) == [.barbara])
      #expect(try withWinners.fetchAll(db).map(\.id) == [1])
      #expect(try withMembers.fetchCount(db) == 2)
    }
  }

  @Test func `a recursive expression walks up a hierarchy`() throws {
    struct Employee: Codable, FetchableRecord, TableRecord {
      var id: Int64
      var managerID: Int64?

      enum Columns { static let id = Column("id") }
    }
    try withDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE employee (id INTEGER PRIMARY KEY, managerID INTEGER);
          INSERT INTO employee VALUES (1, NULL), (2, 1), (3, 2), (4, 1)
          """
      )
      let chain = CommonTableExpression<Row>(
        recursive: true,
        named: "chain",
        literal: """
          SELECT id, managerID FROM employee WHERE id = \(3)
          UNION ALL
          SELECT employee.id, employee.managerID FROM employee JOIN chain ON employee.id = chain.managerID
          """
      )
      let ids = chain.all().select(Column("id"))
      try expectSQL(
        db,
        #"""
        WITH RECURSIVE "chain" AS (SELECT id, managerID FROM employee WHERE id = 3
        UNION ALL
        SELECT employee.id, employee.managerID FROM employee JOIN chain ON employee.id = chain.managerID) \#
        SELECT * FROM "employee" WHERE "id" IN (SELECT "id" FROM "chain")
        """#
      ) {
        let superiors = try Employee.filter { ids.contains($0.id) }.with(chain).fetchAll(db)
        #expect(superiors.map(\.id) == [1, 2, 3])
      }
    }
  }

  @Test func `records are fetched by key`() throws {
    try withPlayers { db in
      try expectSQL(db, #"SELECT * FROM "player" WHERE "id" = 1"#) {
        let player = try Player.find(db, key: 1)
        #expect(player == .arthur)
      }
      try expectSQL(db, #"SELECT * FROM "player" WHERE "id" IN (1, 2)"#) {
        let some = try Player.fetchAll(db, keys: [1, 2])
        #expect(some.count == 2)
      }
      try expectSQL(db, #"DELETE FROM "player" WHERE "id" = 3"#) {
        let wasThere = try Player.deleteOne(db, key: 3)
        #expect(wasThere)
      }
    }
  }

  @Test func `requests update and delete rows`() throws {
    try withPlayers { db in
      try expectSQL(db, #"UPDATE "player" SET "score" = "score" + 1 WHERE "score" < 10"#) {
        try Player.filter { $0.score < 10 }.updateAll(db) { $0.score += 1 }
      }
      try expectSQL(db, #"UPDATE "player" SET "score" = 10, "bonus" = NULL WHERE "score" < 10"#) {
        try Player.filter { $0.score < 10 }
          .updateAll(db) { [$0.score.set(to: 10), $0.bonus.set(to: nil)] }
      }
      try expectSQL(db, #"UPDATE "player" SET "score" = "score" + IFNULL("bonus", 0)"#) {
        try Player.updateAll(db) { $0.score.set(to: $0.score + ($0.bonus ?? 0)) }
      }
      try expectSQL(db, #"UPDATE "player" SET "isActive" = NOT "isActive" WHERE "id" = 1"#) {
        try Player.filter(key: 1).updateAll(db) { $0.isActive.toggle() }
      }
      try expectSQL(db, #"DELETE FROM "player" WHERE "score" = 0"#) {
        try Player.filter { $0.score == 0 }.deleteAll(db)
      }
      try expectSQL(db, #"INSERT INTO "player" ("name", "score") SELECT "name", 0 FROM "team""#) {
        try Player.insert(
          db,
          columns: [Player.columns.name, Player.columns.score],
          from: Team.select { [$0.name, 0.sqlExpression] }
        )
      }
    }
  }

  @Test func `requests join tables`() throws {
    try withPlayers { db in
      try expectSQL(
        db,
        #"SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID" ORDER BY "player"."id""#
      ) {
        let rows = try Row.fetchAll(
          db,
          Player.all().join(Team.self) { player, team in team.id == player.teamID }.order(\.id)
        )
        let team: String? = rows.first?.scopes["team"]?["name"]
        #expect(team == "Reds")
      }
      struct PlayerInfo: Decodable, FetchableRecord {
        var player: Player
        var team: Team?
      }
      let infos = try PlayerInfo.fetchAll(
        db,
        Player.all().leftJoin(Team.self) { player, team in team.id == player.teamID }.order(\.id)
      )
      #expect(infos.map(\.player) == [.arthur, .barbara, .craig])
      #expect(infos.map { $0.team?.name } == ["Reds", "Reds", "Blues"])
    }
  }

  @Test func `requests embed SQL`() throws {
    try withPlayers { db in
      let name = "O'Brien"
      let sql: SQLRequest<Player> = "SELECT * FROM player WHERE name = \(name)"
      let same = Player.filter(sql: "name = ?", arguments: [name])
      let part = Player.filter { SQL("LENGTH(\($0.name)) > \(3)") }
      #expect(try sql.fetchAll(db) == same.fetchAll(db))
      expectSQL(
        try part.makePreparedRequest(db).statement,
        #"SELECT * FROM "player" WHERE LENGTH("name") > 3"#
      )
    }
  }

  @Test func `a request is embedded in SQL`() throws {
    try withPlayers { db in
      let three = Player.select(\.id).order(\.score.desc).limit(3)
      let theirNames: SQLRequest<String> = "SELECT name FROM player WHERE id IN (\(three))"
      let others: SQLRequest<Int64> = "\(three) UNION SELECT id FROM player WHERE score IS NULL"
      try #expect(theirNames.fetchAll(db).sorted() == ["Arthur", "Barbara", "Craig"])
      try #expect(others.fetchAll(db).count == 3)
    }
  }

  @Test func `a request is fetched in pages`() throws {
    try withPlayers { db in
      let request = Player.order(\.score.desc)
      let first = try request.fetchPage(db, size: 1)
      try expectSQL(
        db,
        #"""
        SELECT *, "score", "id" FROM "player" WHERE ("score" < 1000) OR ("score" IS NULL) OR (("score" = 1000) AND ("id" < 2)) ORDER BY "score" DESC, "id" DESC LIMIT 2
        """#
      ) {
        let second = try request.fetchPage(db, after: first.next, size: 1)
        #expect(second.rows == [.arthur])
      }
      #expect(first.rows == [.barbara])
    }
  }

  @Test func `a request is observed`() async throws {
    let shop = try Shop()
    try await shop.pool.write { db in
      try db.execute(sql: League.schema)
      try Player(id: 1, name: "Arthur", score: 0).insert(db)
      try expectSQL(db, #"SELECT * FROM "player" WHERE "id" = 1"#) {
        _ = try Player.filter(key: 1).fetchOne(db)
      }
    }
    let observation = ValueObservation.trackingOne(Player.filter(key: 1))
    let (recorder, cancellable) = observation.record(in: shop.pool)
    #expect(try await recorder.nextValue()?.name == "Arthur")
    cancellable.cancel()
  }
}
