import Storage
import Testing

@testable import StorageTestSupport

/// Wrong requests and records, and the full text of their errors.
@Suite struct QueryBadInputTests {
  typealias Case = BadInputCase

  private struct Keyless: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "player"
    var name: String
  }

  private struct Note: Codable, FetchableRecord, PersistableRecord { var text: String }

  private static let requests = [
    Case(
      "an unknown table",
      #"SQLite error 1: no such table: nothing - while executing "SELECT * FROM "nothing"""#
    ) { _ = try Table("nothing").fetchAll($0) },
    Case(
      "an unknown column",
      #"SQLite error 1: no such column: nmae - while executing "SELECT * FROM "player" WHERE "nmae" = ?""#
    ) { _ = try Player.filter(Column("nmae") == "x").fetchAll($0) },
    Case(
      "an assignment to an unknown column",
      #"SQLite error 1: no such column: nmae - while executing "UPDATE "player" SET "nmae" = ?""#
    ) { _ = try Player.updateAll($0, Column("nmae").set(to: 1)) },
    Case(
      "JOI-07: an unknown column of a join",
      """
      SQLite error 1: no such column: nmae (in player, team) - while executing \
      "SELECT "player".*, "team".* FROM "player" JOIN "team" \
      ON ("team"."id" = "player"."teamID") AND ("nmae" = ?)"
      """
    ) {
      _ = try Player.all().join(Team.self) { $1.id == $0.teamID && Column("nmae") == 1 }.fetchAll(
        $0
      )
    },
    Case(
      "JOI-07: an ambiguous column of a join",
      """
      SQLite error 1: ambiguous column name: name (may be "player"."name" or "team"."name") - while \
      executing "SELECT "player".*, "team".* FROM "player" JOIN "team" ON "name" = ?"
      """
    ) { _ = try Player.all().join(Table("team"), on: Column("name") == "x").fetchAll($0) },
    Case(
      "an unknown column of an alias",
      """
      SQLite error 1: no such column: other.nmae - while executing \
      "SELECT * FROM "player" "other" WHERE "other"."nmae" = ?"
      """
    ) {
      let other = TableAlias<Player>(name: "other")
      _ = try Player.all().aliased(other).filter(other[Column("nmae")] == 1).fetchAll($0)
    },
    Case(
      "two tables with the same name",
      """
      SQLite error 21: two tables of the request are called player: give one of them an alias - \
      while executing "SELECT "player".*, "player".* FROM "player" CROSS JOIN "player""
      """
    ) { _ = try Player.all().crossJoin(Table("player")).fetchAll($0) },
    Case(
      "an unknown function",
      #"SQLite error 1: no such function: none_such - while executing "SELECT none_such("name") FROM "player"""#
    ) {
      let nothing = DatabaseFunction("none_such") { _ in nil }
      _ = try Player.select { nothing($0.name) }.fetchAll($0)
    },
    Case(
      "an aggregate in a filter",
      """
      SQLite error 1: misuse of aggregate function MAX() - while executing \
      "SELECT * FROM "player" WHERE MAX("score") > ?"
      """
    ) { _ = try Player.filter { max($0.score) > 1 }.fetchAll($0) },
    Case(
      "a name with a NUL character",
      "SQLite error 21: the SQL holds a NUL character, which would end it: bind values as arguments "
        + "- while executing \"SELECT \"na\0me\" FROM \"player\"\""
    ) { _ = try Player.select(Column("na\0me")).fetchAll($0) },
    Case(
      "a wrong type",
      #"column name holds 'Arthur', which is no Int - in rows of "SELECT "name" FROM "player"""#
    ) { _ = try Player.select({ $0.name }, as: Int.self).fetchAll($0) },
    Case(
      "NULL for a non-optional type",
      #"column email is NULL, which String cannot hold: use an optional, or coalesce() in the SQL - in rows of "SELECT "email" FROM "player" WHERE "id" = ?""#
    ) { _ = try Player.filter(key: 2).select({ $0.email }, as: String.self).fetchAll($0) },
    Case(
      "a column that is not selected",
      #"no column id: the row has name - in rows of "SELECT "name" FROM "player"""#
    ) { _ = try Player.select(\.name).fetchAll($0) },
  ]

  private static let keys = [
    Case(
      "one value for a key of several columns",
      """
      SQLite error 21: the primary key of citizenship has several columns: give a key with the values \
      of playerID, countryCode - while executing "SELECT * FROM "citizenship" WHERE <primary key> = ?"
      """
    ) { _ = try Citizenship.fetchOne($0, key: 1) },
    Case(
      "a part of a key",
      """
      SQLite error 21: the table citizenship has no primary key and no unique index on playerID - \
      while executing "SELECT * FROM "citizenship" WHERE "playerID" = ?"
      """
    ) { _ = try Citizenship.fetchOne($0, key: ["playerID": 1]) },
    Case(
      "a column that is not a key",
      """
      SQLite error 21: the table player has no primary key and no unique index on name - \
      while executing "DELETE FROM "player" WHERE "name" = ?"
      """
    ) { try Player.deleteOne($0, key: ["name": "Arthur"]) },
    Case(
      "a key of an unknown table",
      #"SQLite error 1: no such table: nothing - while executing "SELECT * FROM "nothing" WHERE <primary key> = ?""#
    ) { _ = try Table("nothing").filter(key: 1).fetchOne($0) },
    Case(
      "a missing row",
      "no row in player with id = 9"
    ) { _ = try Player.find($0, key: 9) },
    Case(
      "a missing row by several columns",
      "no row in citizenship with countryCode = 'FR' and playerID = 1"
    ) { _ = try Citizenship.find($0, key: ["playerID": 1, "countryCode": "FR"]) },
  ]

  private static let records = [
    Case(
      "an update that matches no row",
      "no row in team with id = 9"
    ) { try Team(id: 9, name: "x").update($0) },
    Case(
      "an update of some columns that matches no row",
      "no row in team with id = 9"
    ) { try Team(id: 9, name: "x").update($0, columns: ["name"]) },
    Case(
      "an update with RETURNING that matches no row",
      "no row in team with id = 9"
    ) { _ = try Team(id: 9, name: "x").updateAndFetch($0) },
    Case(
      "a table without a primary key",
      "SQLite error 21: the table note has no primary key"
    ) { try Note(text: "x").update($0) },
    Case(
      "a record without its primary key",
      "SQLite error 21: the record does not encode the primary key of player: id"
    ) { try Keyless(name: "x").update($0) },
    Case(
      "a violated unique constraint",
      """
      SQLite error 1555 (SQLITE_CONSTRAINT_PRIMARYKEY): UNIQUE constraint failed: team.id - while executing \
      "INSERT INTO "team" ("id", "name", "color") VALUES (?, ?, ?)"
      """
    ) { try Team(id: 1, name: "x").insert($0) },
    Case(
      "a violated foreign key",
      """
      SQLite error 787 (SQLITE_CONSTRAINT_FOREIGNKEY): FOREIGN KEY constraint failed - while executing \
      "UPDATE "player" SET "teamID" = ? WHERE "id" = ?"
      """
    ) {
      var player = Player.arthur
      player.teamID = 9
      try player.update($0, columns: ["teamID"])
    },
    Case(
      "DML-32: a missing value",
      """
      SQLite error 1299 (SQLITE_CONSTRAINT_NOTNULL): NOT NULL constraint failed: player.name - while executing \
      "INSERT INTO "player" ("score") VALUES (?)"
      """
    ) { try Player.insert($0) { [$0.score.set(to: 1)] } },
    Case(
      "an upsert over columns that are not unique",
      """
      SQLite error 1: ON CONFLICT clause does not match any PRIMARY KEY or UNIQUE constraint - \
      while executing "INSERT INTO "team" ("id", "name", "color") VALUES (?, ?, ?) \
      ON CONFLICT("name") DO UPDATE SET "color" = "excluded"."color" RETURNING *, "rowid""
      """
    ) { db in
      let team = Team(id: 1, name: "x")
      _ = try team.upsertAndFetch(db, onConflict: ["name"])
    },
  ]

  @Test(arguments: requests + keys + records)
  func `an error says what was wrong, and where`(tested: BadInputCase) throws {
    try withPlayers { db throws in
      expectError(tested.error) { try tested.body(db) }
      // The connection is still usable, and nothing has changed.
      #expect(try Player.order(\.id).fetchAll(db) == [.arthur, .barbara, .craig])
    }
  }
}
