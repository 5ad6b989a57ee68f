import Storage
import Testing

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
}
