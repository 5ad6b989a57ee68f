import Storage
import Testing

@testable import StorageTestSupport

extension Examples.Player {
  static let team = belongsTo(Examples.Team.self, using: ForeignKey(["teamID"]))
}

/// The examples in the doc comments of associations.
extension Examples {
  func associationExamples() throws {
    try check(
      #"SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID""#,
      Player.all().including(required: Player.team)
    )
    try check(
      #"SELECT "player".*, "team".* FROM "player" LEFT JOIN "team" ON "team"."id" = "player"."teamID""#,
      Player.all().including(optional: Player.team)
    )
    try check(
      #"SELECT "player".* FROM "player" JOIN "team" ON ("team"."id" = "player"."teamID") AND ("team"."color" = 'red')"#,
      Player.all().joining(required: Player.team.filter { $0.color == "red" })
    )
    try check(
      #"SELECT "player".* FROM "player" LEFT JOIN "team" ON "team"."id" = "player"."teamID" ORDER BY "team"."name""#,
      Player.all().joining(optional: Player.team.order(\.name))
    )
    try check(
      #"SELECT "player".*, "team"."name" AS "teamName" FROM "player" JOIN "team" ON "team"."id" = "player"."teamID""#,
      Player.all().annotated(withRequired: Player.team.select { $0.name.forKey("teamName") })
    )
    try check(
      #"SELECT "player".*, "team"."name" AS "teamName" FROM "player" LEFT JOIN "team" ON "team"."id" = "player"."teamID""#,
      Player.all().annotated(withOptional: Player.team.select { $0.name.forKey("teamName") })
    )
    try check(
      #"SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID""#,
      Player.including(required: Player.team)
    )
    try check(
      #"SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID" ORDER BY "player"."score" DESC, "team"."name" DESC"#,
      Player.order(\.score).including(required: Player.team.order(\.name)).reversed()
    )
    try check(
      #"SELECT "player".*, "team".* FROM "player" LEFT JOIN "team" ON "team"."id" = "player"."teamID""#,
      Player.including(optional: Player.team)
    )
    try check(
      #"SELECT "player".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID""#,
      Player.joining(required: Player.team)
    )
    try check(
      #"SELECT "player".* FROM "player" LEFT JOIN "team" ON "team"."id" = "player"."teamID" ORDER BY "team"."name""#,
      Player.joining(optional: Player.team.order(\.name))
    )
    try check(
      #"SELECT "player".*, "team"."name" AS "teamName" FROM "player" JOIN "team" ON "team"."id" = "player"."teamID""#,
      Player.annotated(withRequired: Player.team.select { $0.name.forKey("teamName") })
    )
    try check(
      #"SELECT "player".*, "team"."name" AS "teamName" FROM "player" LEFT JOIN "team" ON "team"."id" = "player"."teamID""#,
      Player.annotated(withOptional: Player.team.select { $0.name.forKey("teamName") })
    )
  }

  func tableAssociationExamples() throws {
    let teamName = Player.team.select { $0.name.forKey("teamName") }
    try check(
      #"SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID""#,
      Table<Player>("player").including(required: Player.team)
    )
    try check(
      #"SELECT "player".*, "team".* FROM "player" LEFT JOIN "team" ON "team"."id" = "player"."teamID""#,
      Table<Player>("player").including(optional: Player.team)
    )
    try check(
      #"SELECT "player".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID""#,
      Table<Player>("player").joining(required: Player.team)
    )
    try check(
      #"SELECT "player".* FROM "player" LEFT JOIN "team" ON "team"."id" = "player"."teamID" ORDER BY "team"."name""#,
      Table<Player>("player").joining(optional: Player.team.order(\.name))
    )
    try check(
      #"SELECT "player".*, "team"."name" AS "teamName" FROM "player" JOIN "team" ON "team"."id" = "player"."teamID""#,
      Table<Player>("player").annotated(withRequired: teamName)
    )
    try check(
      #"SELECT "player".*, "team"."name" AS "teamName" FROM "player" LEFT JOIN "team" ON "team"."id" = "player"."teamID""#,
      Table<Player>("player").annotated(withOptional: teamName)
    )
    try check(
      #"SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID""#,
      Player.including(required: Player.belongsTo(Table("team")))
    )
    try check(
      #"SELECT "team".* FROM "team" JOIN "player" ON "player"."teamID" = "team"."id""#,
      Team.joining(required: Team.hasMany(Table("player")))
    )
    try check(
      #"SELECT "team".*, "player".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id""#,
      Team.including(optional: Team.hasOne(Table("player")))
    )
  }
}
