import Storage
import Testing

@testable import StorageTestSupport

// Examples from doc comments. DocumentedSQLTests runs them.

extension Examples {
  func requestExamples1() throws {
    try check(
      #"SELECT "id", "name" FROM "player""#,
      Player.select { [$0.id, $0.name] }.adapted { _ in SuffixRowAdapter(fromIndex: 1) }
    )
    try check(
      #"SELECT * FROM "player" WHERE score >= 1000"#,
      Player.filter(literal: "score >= \(1000)")
    )
    try check(#"SELECT * FROM "player" WHERE "score" >= 1000"#, Player.filter { $0.score >= 1000 })
    try check(
      #"SELECT * FROM "document" WHERE "document" MATCH 'sqlite database'"#,
      Document.all().matching("sqlite database")
    )
    try check(
      #"SELECT "teamID" FROM "player" GROUP BY "teamID" HAVING MAX("score") > 10"#,
      Player.select(Column("teamID")).group(Column("teamID")).having(max(Column("score")) > 10)
    )
    try check(
      #"SELECT "teamID" FROM "player" GROUP BY "teamID" HAVING MAX(score) > 10"#,
      Player.select(\.teamID).group(\.teamID).having(sql: "MAX(score) > ?", arguments: [10])
    )
    try check(
      #"SELECT "teamID" FROM "player" GROUP BY "teamID" HAVING MAX(score) > 10"#,
      Player.select(\.teamID).group(\.teamID).having(literal: "MAX(score) > \(10)")
    )
    try check(
      #"SELECT "teamID" FROM "player" GROUP BY "teamID" HAVING MAX("score") > 10"#,
      Player.select(\.teamID).group(\.teamID).having { max($0.score) > 10 }
    )
    try check(
      #"SELECT "teamID", MAX("score") FROM "player" GROUP BY "teamID""#,
      Player.select(Column("teamID"), max(Column("score"))).group(Column("teamID"))
    )
    try check(
      #"SELECT "teamID", MAX("score") FROM "player" GROUP BY "teamID""#,
      Player.select(Column("teamID"), max(Column("score"))).group([Column("teamID")])
    )
    try check(
      #"SELECT DATE(createdAt), COUNT(*) FROM "player" GROUP BY DATE(createdAt)"#,
      Player.select(sql: "DATE(createdAt), COUNT(*)").group(sql: "DATE(createdAt)")
    )
    try check(
      #"SELECT score / 10, COUNT(*) FROM "player" GROUP BY score / 10"#,
      Player.select(sql: "score / 10, COUNT(*)").group(literal: "score / \(10)")
    )
    try check(#"SELECT * FROM "player" GROUP BY "id""#, Player.all().groupByPrimaryKey())
    try check(
      #"SELECT "teamID", "score" / 10 FROM "player" GROUP BY "teamID", "score" / 10"#,
      Player.select { [$0.teamID, $0.score / 10] }.group {
        [$0.teamID, $0.score / 10]
      }
    )
    try check(
      #"SELECT "teamID", MAX("score") FROM "player" GROUP BY "teamID""#,
      Player.select { [$0.teamID, max($0.score)] }.group(\.teamID)
    )
    try check(
      #"SELECT "users".*, "posts".* FROM "users" LEFT JOIN "posts" ON "posts"."userID" = "users"."id""#,
      users.all().leftJoin(posts, on: posts[Column("userID")] == users[Column("id")])
    )
    try check(
      #"SELECT "users".*, "posts".* FROM "users" CROSS JOIN "posts""#,
      users.all().crossJoin(posts)
    )
    try check(
      #"SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID""#,
      Player.all().join(Team.self) { player, team in team.id == player.teamID }
    )
    try check(
      #"SELECT "player".*, "team".* FROM "player" LEFT JOIN "team" ON "team"."id" = "player"."teamID""#,
      Player.all().leftJoin(Team.self) { player, team in team.id == player.teamID }
    )
    try check(
      #"SELECT "users".*, "posts".* FROM "users" JOIN "posts" ON "posts"."userID" = "users"."id""#,
      users.join(posts, on: posts[Column("userID")] == users[Column("id")])
    )
    try check(
      #"SELECT "users".*, "posts".* FROM "users" LEFT JOIN "posts" ON "posts"."userID" = "users"."id""#,
      users.leftJoin(posts, on: posts[Column("userID")] == users[Column("id")])
    )
    try check(#"SELECT * FROM "users" "managers""#, users.aliased(TableAlias(name: "managers")))
    try check(#"SELECT * FROM "player" WHERE "id" = 1"#, Player.filter(key: 1))
    try check(#"SELECT * FROM "player" WHERE "id" IN (1, 2, 3)"#, Player.filter(keys: [1, 2, 3]))
    try check(
      #"SELECT * FROM "citizenship" WHERE ("playerID" = 1) AND ("countryCode" = 'FR')"#,
      Citizenship.filter(key: ["playerID": 1, "countryCode": "FR"])
    )
    try check(
      #"SELECT * FROM "player" WHERE ("email" = 'arthur@example.com') OR ("email" = 'zoe@example.com')"#,
      Player.filter(keys: [["email": "arthur@example.com"], ["email": "zoe@example.com"]])
    )
    try check(#"SELECT * FROM "player" WHERE "id" = 1"#, Player.filter(id: 1))
    try check(#"SELECT * FROM "player" WHERE "id" IN (1, 2, 3)"#, Player.filter(ids: [1, 2, 3]))
    try check(
      #"SELECT * FROM "player" WHERE "id" IN (1, 2, 3)"#,
      Table<Player>("player").filter(ids: [1, 2, 3])
    )
    try check(
      #"SELECT * FROM "player" ORDER BY "score" DESC, "name""#,
      Player.order(Column("score").desc, Column("name"))
    )
    try check(
      #"SELECT * FROM "player" ORDER BY "score" DESC, "name""#,
      Player.all().order([Column("score").desc, Column("name")])
    )
    try check(
      #"SELECT * FROM "player" ORDER BY score DESC, name"#,
      Player.order(sql: "score DESC, name")
    )
    try check(
      #"SELECT * FROM "player" ORDER BY ABS(score - 1000)"#,
      Player.order(literal: "ABS(score - \(1000))")
    )
    try check(#"SELECT * FROM "player" ORDER BY "id""#, Player.all().orderByPrimaryKey())
    try check(
      #"SELECT * FROM "player" ORDER BY "score" ASC, "name" DESC"#,
      Player.order { [$0.score.desc, $0.name] }.reversed()
    )
    try check(#"SELECT * FROM "player""#, Player.order(\.name).unordered())
    try check(
      #"SELECT * FROM "player" ORDER BY "score" DESC, "name""#,
      Player.order { [$0.score.desc, $0.name] }
    )
    try check(#"SELECT * FROM "player" ORDER BY "score" DESC"#, Player.order(\.score.desc))
    try check(#"SELECT "id", "name" FROM "player""#, Player.select(Column("id"), Column("name")))
    try check(
      #"SELECT "id", "name" FROM "player""#,
      Player.all().select([Column("id"), Column("name")])
    )
    try check(
      #"SELECT DATE(createdAt), COUNT(*) FROM "player""#,
      Player.select(sql: "DATE(createdAt), COUNT(*)")
    )
    try check(
      #"SELECT IFNULL(name, 'Anonymous') FROM "player""#,
      Player.select(literal: "IFNULL(name, \("Anonymous"))")
    )
    try check(#"SELECT "id", "name" FROM "player""#, Player.select { [$0.id, $0.name] })
    try check(#"SELECT "name" FROM "player""#, Player.select(\.name))
    try check(
      #"SELECT MAX("score") FROM "player""#,
      Player.all().select(max(Column("score")), as: Int.self)
    )
    try check(
      #"SELECT MAX("score") FROM "player""#,
      Player.all().select([max(Column("score"))], as: Int.self)
    )
  }

  func requestExamples2() throws {
    try check(
      #"SELECT MAX(score) FROM "player""#,
      Player.all().select(sql: "MAX(score)", as: Int.self)
    )
    try check(
      #"SELECT MAX(score, 10) FROM "player""#,
      Player.all().select(literal: "MAX(score, \(10))", as: Int.self)
    )
    try check(#"SELECT "id" FROM "player""#, Player.all().selectPrimaryKey(as: Int64.self))
    try check(
      #"SELECT "name", "score" FROM "player""#,
      Player.select({ [$0.name, $0.score] }, as: Row.self)
    )
    try check(#"SELECT MAX("score") FROM "player""#, Player.select({ max($0.score) }, as: Int.self))
    try run(#"SELECT "id" FROM "player""#) { _ = try Player.all().selectID().fetchSet(db) }
    try check(
      #"SELECT *, "score" + "bonus" AS "total" FROM "player""#,
      Player.annotated(with: (Column("score") + Column("bonus")).forKey("total"))
    )
    try check(
      #"SELECT *, "score" + "bonus" AS "total" FROM "player""#,
      Player.all().annotated(with: [(Column("score") + Column("bonus")).forKey("total")])
    )
    try check(
      #"SELECT *, "score" + "bonus" AS "total", "score" AS "points" FROM "player""#,
      Player.annotated { [($0.score + $0.bonus).forKey("total"), $0.score.forKey("points")] }
    )
    try check(
      #"SELECT *, "score" + "bonus" AS "total" FROM "player""#,
      Player.annotated { ($0.score + $0.bonus).forKey("total") }
    )
    try check(#"SELECT * FROM "player" WHERE 0"#, Player.all().none())
    try check(#"SELECT DISTINCT "name" FROM "player""#, Player.select(\.name).distinct())
    try check(#"SELECT * FROM "player" LIMIT 10 OFFSET 20"#, Player.limit(10, offset: 20))
    try run(#"SELECT * FROM "player""#) { _ = try Player.all().fetchCursor(db).next() }
    try run(#"SELECT * FROM "player""#) { _ = try Player.all().fetchAll(db) }
    try run(#"SELECT * FROM "player" ORDER BY "score" DESC LIMIT 1"#) {
      _ = try Player.order(\.score.desc).fetchOne(db)
    }
    try run(#"SELECT * FROM "player""#) { _ = try Table("player").all().fetchCursor(db).next() }
    try run(#"SELECT "name" FROM "player""#) {
      _ = try Player.select(\.name, as: String.self).fetchSet(db)
    }
    try run(#"SELECT "name" FROM "player""#) {
      _ = try String.fetchCursor(db, Player.select(\.name)).next()
    }
    try run(#"SELECT * FROM "player""#) { _ = try Row.fetchCursor(db, Player.all()).next() }
    try run(#"SELECT "name" FROM "player""#) { _ = try String.fetchAll(db, Player.select(\.name)) }
    try run(#"SELECT MAX("score") FROM "player" LIMIT 1"#) {
      _ = try Int.fetchOne(db, Player.select { max($0.score) })
    }
    try run(#"SELECT "name" FROM "player""#) { _ = try String.fetchSet(db, Player.select(\.name)) }
    try run(#"SELECT * FROM "player""#) { _ = try Player.fetchCursor(db).next() }
    try run(#"SELECT * FROM "player""#) { _ = try Player.fetchAll(db) }
    try run(#"SELECT * FROM "player" LIMIT 1"#) { _ = try Player.fetchOne(db) }
    try run(#"SELECT * FROM "player""#) { _ = try Player.fetchSet(db) }
    try run(#"SELECT * FROM "player" WHERE "id" = 1"#) { _ = try Player.fetchOne(db, key: 1) }
    try run(#"SELECT * FROM "player" WHERE "email" = 'arthur@example.com'"#) {
      _ = try Player.fetchOne(db, key: ["email": "arthur@example.com"])
    }
    try run(#"SELECT * FROM "player" WHERE "id" IN (1, 2, 3)"#) {
      _ = try Player.fetchAll(db, keys: [1, 2, 3])
    }
    try run(#"SELECT * FROM "citizenship" WHERE ("playerID" = 1) AND ("countryCode" = 'FR')"#) {
      _ = try Citizenship.fetchAll(db, keys: [["playerID": 1, "countryCode": "FR"]])
    }
    try run(#"SELECT * FROM "player" WHERE "id" = 1"#) { _ = try Player.find(db, key: 1) }
    try run(#"SELECT * FROM "player" WHERE "email" = 'arthur@example.com'"#) {
      _ = try Player.find(db, key: ["email": "arthur@example.com"])
    }
    try run(#"SELECT * FROM "player" WHERE "id" = 1"#) { _ = try Player.fetchOne(db, id: 1) }
    try run(#"SELECT * FROM "player" WHERE "id" IN (1, 2, 3)"#) {
      _ = try Player.fetchAll(db, ids: [1, 2, 3])
    }
    try run(#"SELECT * FROM "player" WHERE "id" = 1"#) { _ = try Player.find(db, id: 1) }
    try run(#"DELETE FROM "player" WHERE "score" < 10"#) {
      _ = try Player.filter { $0.score < 10 }.deleteAll(db)
    }
    try run(#"DELETE FROM "player" WHERE "score" < 10 RETURNING *"#) {
      _ = try Player.filter { $0.score < 10 }.deleteAndFetchAll(db)
    }
    try run(#"DELETE FROM "player" WHERE "score" < 10 RETURNING *"#) {
      _ = try Player.filter { $0.score < 10 }.deleteAndFetchCursor(db).next()
    }
    try run(#"DELETE FROM "player" WHERE "score" < 10 RETURNING *"#) {
      _ = try Player.filter { $0.score < 10 }.deleteAndFetchSet(db)
    }
    try run(#"DELETE FROM "player" WHERE "score" < 10 RETURNING "id""#) {
      _ = try Player.filter { $0.score < 10 }.deleteAndFetchIds(db)
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100 WHERE "team" = 'Reds'"#) {
      _ = try Player.filter { $0.team == "Reds" }.updateAll(db, [Column("score") += 100])
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100, "bonus" = 0"#) {
      _ = try Player.all().updateAll(db, Column("score") += 100, Column("bonus").set(to: 0))
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100, "bonus" = 0"#) {
      _ = try Player.all().updateAll(db) { [$0.score += 100, $0.bonus.set(to: 0)] }
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100 WHERE "team" = 'Reds'"#) {
      _ = try Player.filter { $0.team == "Reds" }.updateAll(db) { $0.score += 100 }
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100 RETURNING *"#) {
      _ = try Player.all().updateAndFetchAll(db, [Column("score") += 100])
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100 RETURNING *"#) {
      _ = try Player.all().updateAndFetchAll(db) { [$0.score += 100] }
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100 RETURNING *"#) {
      _ = try Player.all().updateAndFetchCursor(db, [Column("score") += 100]).next()
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100 RETURNING *"#) {
      _ = try Player.all().updateAndFetchSet(db, [Column("score") += 100])
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100 RETURNING *"#) {
      _ = try Player.all().updateAndFetchCursor(db) { [$0.score += 100] }.next()
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100 RETURNING *"#) {
      _ = try Player.all().updateAndFetchSet(db) { [$0.score += 100] }
    }
    try run(#"SELECT COUNT(*) FROM "player" WHERE "email" IS NOT NULL"#) {
      _ = try Player.filter { $0.email != nil }.fetchCount(db)
    }
    try run(#"SELECT EXISTS (SELECT * FROM "player" WHERE "score" > 1000)"#) {
      _ = try Player.filter { $0.score > 1000 }.isEmpty(db)
    }
  }

  func requestExamples3() throws {
    try run(#"SELECT MAX("score") FROM "player" LIMIT 1"#) {
      _ = try Player.select { max($0.score) }.asRequest(of: Int.self).fetchOne(db)
    }
    try check(
      #"SELECT * FROM player WHERE id = 1"#,
      SQLRequest<Player>(literal: "SELECT * FROM player WHERE id = \(1)")
    )
    try check(
      #"SELECT * FROM player WHERE id = 1"#,
      SQLRequest(literal: "SELECT * FROM player WHERE id = \(1)")
    )
    try check(
      #"SELECT * FROM player"#,
      SQLRequest<Row>(sql: "SELECT * FROM player").asRequest(of: Player.self)
    )
    try run(#"SELECT * FROM "player_2026""#) { _ = try Table<Player>("player_2026").fetchAll(db) }
    try check(#"SELECT * FROM "users""#, Table("users").all())
    try run(#"SELECT COUNT(*) FROM "users""#) { _ = try Table("users").fetchCount(db) }
    try check(#"SELECT * FROM "users" WHERE "id" = 1"#, Table("users").filter(Column("id") == 1))
    try check(#"SELECT * FROM "users" WHERE "id" = 1"#, Table("users").filter(key: 1))
    try check(
      #"SELECT * FROM "document" WHERE "document" MATCH 'sqlite database'"#,
      Table("document").matching("sqlite database")
    )
    try check(
      #"SELECT "id", "email" FROM "users""#,
      Table("users").select(Column("id"), Column("email"))
    )
    try check(
      #"SELECT "email" FROM "users""#,
      Table("users").select(Column("email"), as: String.self)
    )
    try check(
      #"SELECT * FROM "users" ORDER BY "email", "name" DESC"#,
      Table("users").order(Column("email"), Column("name").desc)
    )
    try check(#"SELECT * FROM "users" LIMIT 5 OFFSET 1"#, Table("users").limit(5, offset: 1))
    try check(
      #"SELECT * FROM "document" WHERE "document" MATCH 'sqlite database'"#,
      Document.matching("sqlite database")
    )
    try check(
      #"SELECT * FROM "player" WHERE "email" = 'arthur@example.com'"#,
      Player.filter(key: ["email": "arthur@example.com"])
    )
    try run(#"INSERT INTO "player" ("name", "score") VALUES ('Arthur', 10)"#) {
      _ = try Player.insert(db) { [$0.name.set(to: "Arthur"), $0.score.set(to: 10)] }
    }
    try run(#"INSERT INTO "player" ("name") SELECT "name" FROM "team""#) {
      _ = try Player.insert(db, columns: [Column("name")], from: Team.select(\.name))
    }
    try run(#"INSERT INTO "users" ("name") VALUES ('Alice')"#) {
      _ = try Table("users").insert(db, [Column("name").set(to: "Alice")])
    }
    try run(#"INSERT INTO "timestamps" DEFAULT VALUES"#) { _ = try Table("timestamps").insert(db) }
    try run(#"INSERT INTO "archive" SELECT * FROM "users" WHERE "id" < 10"#) {
      _ = try Table("archive").insert(db, from: Table("users").filter(Column("id") < 10))
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100, "bonus" = 0"#) {
      _ = try Player.updateAll(db) { [$0.score += 100, $0.bonus.set(to: 0)] }
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100"#) {
      _ = try Player.updateAll(db) { $0.score += 100 }
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100"#) {
      _ = try Player.updateAll(db, Column("score") += 100)
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100"#) {
      _ = try Table("player").updateAll(db, Column("score") += 100)
    }
    try run(#"DELETE FROM "player""#) { _ = try Table("player").deleteAll(db) }
    try run(#"DELETE FROM "player""#) { _ = try Player.deleteAll(db) }
    try run(#"DELETE FROM "player" WHERE "id" = 1"#) { _ = try Player.deleteOne(db, key: 1) }
    try run(#"DELETE FROM "player" WHERE "email" = 'arthur@example.com'"#) {
      _ = try Player.deleteOne(db, key: ["email": "arthur@example.com"])
    }
    try run(#"DELETE FROM "player" WHERE "id" IN (1, 2, 3)"#) {
      _ = try Player.deleteAll(db, keys: [1, 2, 3])
    }
    try run(#"DELETE FROM "player" WHERE "email" = 'arthur@example.com'"#) {
      _ = try Player.deleteAll(db, keys: [["email": "arthur@example.com"]])
    }
    try run(#"DELETE FROM "player" WHERE "id" = 1"#) { _ = try Player.deleteOne(db, id: 1) }
    try run(#"DELETE FROM "player" WHERE "id" IN (1, 2, 3)"#) {
      _ = try Player.deleteAll(db, ids: [1, 2, 3])
    }
    try check(#"SELECT * FROM "player" ORDER BY "id""#, Player.orderByPrimaryKey())
    try check(#"SELECT * FROM "player""#, Player.all())
    try check(#"SELECT * FROM "player" WHERE 0"#, Player.none())
    try run(#"SELECT COUNT(*) FROM "player""#) { _ = try Player.fetchCount(db) }
    try run(#"SELECT EXISTS (SELECT * FROM "player" WHERE "id" = 1)"#) {
      _ = try Player.exists(db, key: 1)
    }
    try run(#"SELECT EXISTS (SELECT * FROM "player" WHERE "email" = 'arthur@example.com')"#) {
      _ = try Player.exists(db, key: ["email": "arthur@example.com"])
    }
    try run(#"SELECT EXISTS (SELECT * FROM "player" WHERE "id" = 1)"#) {
      _ = try Player.exists(db, id: 1)
    }
    try check(
      #"SELECT MAX("score") FROM "player""#,
      Player.select(max(Column("score")), as: Int.self)
    )
    try check(#"SELECT "id" FROM "player""#, Player.selectID())
  }

  func requestExamples4() throws {
    try check(#"SELECT "id" FROM "player""#, Player.all().selectPrimaryKey())
    try check(#"SELECT "id" FROM "player""#, Player.selectPrimaryKey())
    try run(#"SELECT "id" FROM "player""#) {
      _ = try Player.all().selectPrimaryKey().fetchSet(db) as Set<Int64>
    }
    try run(#"SELECT "id" FROM "player""#) {
      _ = try Player.selectPrimaryKey().fetchSet(db) as Set<Int64>
    }
    try check(#"SELECT "id", "name" FROM "player""#, Player.select([Column("id"), Column("name")]))
    try check(
      #"SELECT "name", "score" FROM "player""#,
      Player.select([Column("name"), Column("score")], as: Row.self)
    )
    try check(#"SELECT MAX(score) FROM "player""#, Player.select(sql: "MAX(score)", as: Int.self))
    try check(
      #"SELECT MAX(score, 10) FROM "player""#,
      Player.select(literal: "MAX(score, \(10))", as: Int.self)
    )
    try check(
      #"SELECT *, "score" + "bonus" AS "total" FROM "player""#,
      Player.annotated(with: [(Column("score") + Column("bonus")).forKey("total")])
    )
    try check(
      #"SELECT * FROM "player" ORDER BY "score" DESC, "name""#,
      Player.order([Column("score").desc, Column("name")])
    )
    try run(#"SELECT * FROM "player" WHERE "id" IN (1, 2, 3)"#) {
      _ = try Player.fetchCursor(db, keys: [1, 2, 3]).next()
    }
    try run(#"SELECT * FROM "player" WHERE "id" IN (1, 2, 3)"#) {
      _ = try Player.fetchSet(db, keys: [1, 2, 3])
    }
    try run(#"SELECT * FROM "player" WHERE "id" IN (1, 2, 3)"#) {
      _ = try Player.fetchCursor(db, ids: [1, 2, 3]).next()
    }
    try run(#"SELECT * FROM "player" WHERE "id" IN (1, 2, 3)"#) {
      _ = try Player.fetchSet(db, ids: [1, 2, 3])
    }
    try run(#"SELECT * FROM "citizenship" WHERE ("playerID" = 1) AND ("countryCode" = 'FR')"#) {
      _ = try Citizenship.fetchCursor(db, keys: [["playerID": 1, "countryCode": "FR"]]).next()
    }
    try run(#"SELECT * FROM "citizenship" WHERE ("playerID" = 1) AND ("countryCode" = 'FR')"#) {
      _ = try Citizenship.fetchSet(db, keys: [["playerID": 1, "countryCode": "FR"]])
    }
  }
}
