import Storage
import Testing

@testable import StorageTestSupport

// Examples from doc comments. DocumentedSQLTests runs them.

extension Examples {
  func tableExamples() throws {
    try check(#"SELECT * FROM "player" LIMIT 1"#, Player.limit(1).all())
    try check(
      #"SELECT * FROM "player" ORDER BY "score" DESC, "id""#,
      Player.order(\.score.desc).withStableOrder()
    )
    try check(
      #"SELECT * FROM "player" ORDER BY "score" DESC, "name""#,
      Player.order([Column("score").desc, Column("name")])
    )
    try check(
      #"SELECT *, "score" + "bonus" AS "total" FROM "player""#,
      Player.annotated(with: [(Column("score") + Column("bonus")).forKey("total")])
    )
    try check(
      #"SELECT * FROM "player" GROUP BY "teamID" HAVING MAX("score") > 10"#,
      Player.having(max(Column("score")) > 10).group(\.teamID)
    )
    try check(
      #"SELECT * FROM "player" GROUP BY "teamID" HAVING MAX("score") > 10"#,
      Player.having { max($0.score) > 10 }.group(\.teamID)
    )
    try check(#"SELECT DISTINCT * FROM "player""#, Player.distinct())
    try check(
      #"SELECT * FROM "player" GROUP BY "teamID", "color""#,
      Player.group(Column("teamID"), Column("color"))
    )
    try check(#"SELECT * FROM "player" GROUP BY "teamID""#, Player.group(\.teamID))
    try run(#"UPDATE "player" SET "score" = "score" + 100"#) {
      _ = try Player.updateAll(db, [Column("score") += 100])
    }
    try run(#"UPDATE "player" SET "score" = 0"#) {
      _ = try Table("player").updateAll(db, [Column("score").set(to: 0)])
    }
    try run(#"DELETE FROM "users" WHERE "id" = 1"#) {
      _ = try Table("users").deleteOne(db, key: 1)
    }
    try run(#"DELETE FROM "player" WHERE "email" = 'arthur@example.com'"#) {
      _ = try Table("player").deleteOne(db, key: ["email": "arthur@example.com"])
    }
    try run(#"DELETE FROM "users" WHERE "id" IN (1, 2, 3)"#) {
      _ = try Table("users").deleteAll(db, keys: [1, 2, 3])
    }
    try run(#"DELETE FROM "player" WHERE "email" = 'arthur@example.com'"#) {
      _ = try Table("player").deleteAll(db, keys: [["email": "arthur@example.com"]])
    }
    try run(#"DELETE FROM "player" WHERE "id" = 1"#) {
      _ = try Table<Player>("player").deleteOne(db, id: 1)
    }
    try run(#"DELETE FROM "player" WHERE "id" IN (1, 2, 3)"#) {
      _ = try Table<Player>("player").deleteAll(db, ids: [1, 2, 3])
    }
    try run(#"SELECT EXISTS (SELECT * FROM "users" WHERE "id" = 1)"#) {
      _ = try Table("users").exists(db, key: 1)
    }
    try run(#"SELECT EXISTS (SELECT * FROM "player" WHERE "email" = 'arthur@example.com')"#) {
      _ = try Table("player").exists(db, key: ["email": "arthur@example.com"])
    }
    try run(#"SELECT EXISTS (SELECT * FROM "player" WHERE "id" = 1)"#) {
      _ = try Table<Player>("player").exists(db, id: 1)
    }
  }

  func propertyExamples() throws {
    try check(#"SELECT * FROM "book" WHERE "isLent""#, Book.all().filter(\.isLent))
    try check(#"SELECT * FROM "book" WHERE "isLent""#, Book.filter(\.isLent))
    try check(#"SELECT "title" FROM "book""#, Book.all().select(\.title))
    try check(#"SELECT "title" FROM "book""#, Book.select(\.title))
    try check(#"SELECT * FROM "book" ORDER BY "title""#, Book.all().order(\.title))
    try check(#"SELECT * FROM "book" ORDER BY "title""#, Book.order(\.title))
    try check(
      #"SELECT "genre", MAX("price") FROM "book" GROUP BY "genre""#,
      Book.select { [$0.genre, max($0.price)] }.group(\.genre)
    )
  }
}
