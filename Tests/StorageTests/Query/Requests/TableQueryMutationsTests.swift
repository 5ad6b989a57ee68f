import Storage
import Testing

@testable import StorageTestSupport

@Suite struct TableQueryMutationsTests {
  @Test func `DML-09…12, REC-18: an update changes the rows of a request`() throws {
    try withPlayers { db in
      try expectSQL(
        db,
        #"UPDATE "player" SET "score" = "score" + 100, "bonus" = 1 WHERE "teamID" = 1"#
      ) {
        let count = try Player.filter { $0.teamID == 1 }
          .updateAll(db) { [$0.score += 100, $0.bonus.set(to: 1)] }
        #expect(count == 2)
      }
      try expectSQL(db, #"UPDATE OR IGNORE "player" SET "score" = "score" + 1"#) {
        _ = try Player.updateAll(db, onConflict: .ignore) { $0.score += 1 }
      }
      try expectSQL(db, #"UPDATE "player" SET "score" = 5 WHERE "id" = 3"#) {
        _ = try Player.filter(key: 3).updateAll(db, Column("score").set(to: 5))
      }
      let scores = try Player.order(\.id).select(\.score, as: Int.self).fetchAll(db)
      #expect(scores == [201, 1101, 5])
      let unchanged = try Player.all().updateAll(db, [])
      #expect(unchanged == 0)
    }
  }

  @Test func `records that a statement changes have all of their columns`() throws {
    try withPlayers { db in
      let names = Player.filter(key: 1).select(Column("name"))
      let update = [Column("score").set(to: 5)]
      try expectSQL(db, #"UPDATE "player" SET "score" = 5 WHERE "id" = 1 RETURNING *"#) {
        _ = try names.updateAndFetchAll(db, update)
      }
      #expect(try names.updateAndFetchSet(db, update).map(\.score) == [5])
      #expect(try names.updateAndFetchCursor(db, update).next()?.name == "Arthur")
      // A request of another type returns its selection.
      let texts = Player.filter(key: 1).select(Column("name"), as: String.self)
      try expectSQL(db, #"UPDATE "player" SET "score" = 5 WHERE "id" = 1 RETURNING "name""#) {
        let names = try texts.updateAndFetchAll(db, update)
        #expect(names == ["Arthur"])
      }
      let annotated = Player.filter(key: 1).annotated(with: (Column("score") + 1).forKey("next"))
      try expectSQL(
        db,
        #"UPDATE "player" SET "score" = 5 WHERE "id" = 1 RETURNING *, "score" + 1 AS "next""#
      ) {
        _ = try annotated.updateAndFetchAll(db, update)
      }
      try expectSQL(db, #"DELETE FROM "player" WHERE "id" = 1 RETURNING *"#) { () throws in
        #expect(try names.deleteAndFetchCursor(db).next()?.score == 5)
      }
      let others = Player.all().select(Column("name"))
      #expect(try others.filter(key: 2).deleteAndFetchAll(db).map(\.id) == [2])
      #expect(try others.deleteAndFetchSet(db).map(\.id) == [3])
    }
  }

  @Test func `statements change rows when they run, and return columns`() throws {
    try withPlayers { db in
      let all = Player.all()
      try expectSQL(db, #"UPDATE "player" SET "score" = 5 RETURNING "score""#) {
        let statement = try all.updateAndFetchStatement(
          db,
          [Column("score").set(to: 5)],
          selection: [Column("score")]
        )
        let scores = try Int.fetchAll(statement)
        #expect(scores == [5, 5, 5])
      }
      try expectSQL(db, #"UPDATE "player" SET "score" = "score" + 1 RETURNING "id", "score""#) {
        let statement = try all.updateAndFetchStatement(db) {
          [$0.score += 1]
        } select: {
          [$0.id, $0.score]
        }
        let rows = try Row.fetchAll(statement)
        #expect(rows.first == ["id": 1, "score": 6])
      }
      let unchanged = try all.updateAndFetchStatement(db, [], selection: [Column("score")])
      #expect(unchanged.sql == #"SELECT "score" FROM "player""#)
      try expectSQL(db, #"DELETE FROM "player" WHERE "id" = 1 RETURNING "name""#) {
        let statement = try Player.filter(key: 1)
          .deleteAndFetchStatement(db, selection: [Column("name")])
        let name = try String.fetchOne(statement)
        #expect(name == "Arthur")
      }
      let statement = try all.deleteAndFetchStatement(db) { [$0.name] }
      let names = try String.fetchSet(statement)
      let count = try Player.fetchCount(db)
      #expect(names == ["Barbara", "Craig"] && count == 0)
    }
  }

  @Test func `DML-13…16, KEY-08…14: a deletion deletes the rows of a request`() throws {
    try withPlayers { db in
      func deletes(_ sql: String, _ count: Int, _ body: () throws -> Int) throws {
        try db.inSavepoint {
          try expectSQL(db, sql) {
            let deleted = try body()
            #expect(deleted == count)
          }
          return .rollback
        }
      }
      try deletes(#"DELETE FROM "player""#, 3) { try Player.deleteAll(db) }
      try deletes(#"DELETE FROM "player" WHERE "email" IS NULL"#, 1) {
        try Player.filter { $0.email == nil }.deleteAll(db)
      }
      try deletes(#"DELETE FROM "player" WHERE "id" = 1"#, 1) {
        try Player.deleteOne(db, key: 1) ? 1 : 0
      }
      try deletes(#"DELETE FROM "player" WHERE "id" = 9"#, 0) {
        try Player.deleteOne(db, id: 9) ? 1 : 0
      }
      try deletes(#"DELETE FROM "player" WHERE "id" IN (1, 2)"#, 2) {
        try Player.deleteAll(db, keys: [1, 2])
      }
      try deletes(#"DELETE FROM "player" WHERE "id" IN (1, 2)"#, 2) {
        try Player.deleteAll(db, ids: [1, 2])
      }
      try deletes(#"DELETE FROM "player" WHERE "email" = 'a@x.com'"#, 1) {
        try Player.deleteOne(db, key: ["email": "a@x.com"]) ? 1 : 0
      }
      try deletes(#"DELETE FROM "country" WHERE "isoCode" IN ('FR', 'US')"#, 0) {
        try Country.deleteAll(db, keys: ["FR", "US"])
      }
      try deletes(
        #"DELETE FROM "citizenship" WHERE ("playerID" = 1) AND ("countryCode" = 'FR')"#,
        0
      ) {
        try Citizenship.deleteOne(db, key: ["playerID": 1, "countryCode": "FR"]) ? 1 : 0
      }
      try deletes(#"DELETE FROM "note" WHERE "rowid" = 1"#, 0) {
        try Table("note").filter(key: 1).deleteAll(db)
      }
    }
  }

  @Test func `rows are changed whose conditions refer to named columns`() throws {
    try withPlayers { db in
      let request = Player.annotated(with: (Column("score") * 2).forKey("total"))
        .filter(Column("total") > 1000)
      try expectSQL(
        db,
        #"""
        UPDATE "player" SET "name" = 'B' WHERE "id" IN (SELECT "id" FROM \#
        (SELECT "id", "score" * 2 AS "total" FROM "player" WHERE "total" > 1000))
        """#
      ) {
        try #expect(request.updateAll(db) { $0.name.set(to: "B") } == 1)
      }
      try #expect(request.deleteAll(db) == 1)
      try #expect(Player.filter(key: 2).isEmpty(db))
    }
  }

  @Test func `A-082: limited, joined, grouped and distinct rows are updated and deleted`() throws {
    try withPlayers { db in
      try expectSQL(
        db,
        #"UPDATE "player" SET "score" = 0 WHERE "teamID" = 1 ORDER BY "name" DESC LIMIT 1"#
      ) {
        let count = try Player.filter { $0.teamID == 1 }.order(\.name.desc).limit(1)
          .updateAll(db) { $0.score.set(to: 0) }
        #expect(count == 1)
      }
      let barbara = try Player.find(db, id: 2)
      #expect(barbara.score == 0)
      try expectSQL(
        db,
        """
        DELETE FROM "player" WHERE "id" IN (SELECT "player"."id" FROM "player" \
        JOIN "team" ON "team"."id" = "player"."teamID" WHERE "team"."name" = 'Reds')
        """
      ) {
        let count = try Player.all().join(Team.self) { $1.id == $0.teamID }
          .filter(TableAlias<Team>().name == "Reds").deleteAll(db)
        #expect(count == 2)
      }
      try expectSQL(
        db,
        #"""
        UPDATE "player" SET "score" = 0 WHERE "id" IN \#
        (SELECT "id" FROM "player" GROUP BY "id")
        """#
      ) {
        let count = try Player.all().groupByPrimaryKey().updateAll(db) { $0.score.set(to: 0) }
        #expect(count == 1)
      }
      try expectSQL(
        db,
        #"DELETE FROM "player" WHERE "id" IN (SELECT "id" FROM "player" WHERE "id" = 9)"#
      ) {
        let count = try Player.filter { $0.id == 9 }.distinct().deleteAll(db)
        #expect(count == 0)
      }
      try expectSQL(db, #"DELETE FROM "player""#) { _ = try Player.order(\.name).deleteAll(db) }
    }
  }

  @Test func `A-045: updates and deletions return the changed rows`() throws {
    try withPlayers { db in
      let updated = try Player.filter { $0.id == 1 }.updateAndFetchAll(db) { [$0.score += 1] }
      #expect(updated.map(\.score) == [101])
      try expectSQL(db, #"DELETE FROM "player" WHERE "teamID" = 1 RETURNING *"#) {
        let deleted = try Player.filter { $0.teamID == 1 }.deleteAndFetchAll(db)
        #expect(Set(deleted.map(\.id)) == [1, 2])
      }
    }
  }
}
