import Storage
import Testing

@testable import StorageTestSupport

extension Examples.Team {
  static let players = hasMany(Examples.Player.self, using: ForeignKey(["teamID"]))
}

/// The examples in the doc comments of aggregates of associations.
extension Examples {
  func aggregateExamples1() throws {
    try check(
      #"SELECT "team".*, COUNT("player"."email") AS "playerEmailCount" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.count(Column("email")))
    )
    try check(
      #"SELECT "team".*, COUNT(DISTINCT "player"."color") AS "distinctPlayerColorCount" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.count(distinct: Column("color")))
    )
    try check(
      #"SELECT "team".*, IFNULL(MAX("player"."score"), 0) AS "maxPlayerScore" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.max(Column("score")) ?? 0)
    )
    try check(
      #"SELECT "team".*, ABS(MIN("player"."score")) FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: abs(Team.players.min(Column("score"))))
    )
    try check(
      #"SELECT "team".*, CAST(COUNT(DISTINCT "player"."id") AS REAL) AS "playerCount" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: cast(Team.players.count, as: .real))
    )
    try check(
      #"SELECT "team".*, LENGTH(MAX("player"."name")) FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: length(Team.players.max(Column("name"))))
    )
    try check(
      #"SELECT "team".*, ROUND(AVG("player"."score"), 1) AS "average" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: round(Team.players.average(Column("score")), 1).forKey("average"))
    )
    try check(
      #"SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.count)
    )
    try check(
      #"SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id" HAVING COUNT(DISTINCT "player"."id") >= 2"#,
      Team.having(Team.players.count >= 2)
    )
    try check(
      #"SELECT "team".*, COUNT(DISTINCT "player"."id") AS "size" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.count.forKey("size"))
    )
    try check(
      #"SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id" ORDER BY COUNT(DISTINCT "player"."id")"#,
      Team.order(Team.players.count)
    )
    try check(
      #"SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id" ORDER BY COUNT(DISTINCT "player"."id") ASC"#,
      Team.order(Team.players.count.asc)
    )
    try check(
      #"SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id" ORDER BY COUNT(DISTINCT "player"."id") DESC"#,
      Team.order(Team.players.count.desc)
    )
    try check(
      #"SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id" HAVING COUNT(DISTINCT "player"."id") = 0"#,
      Team.having(Team.players.isEmpty)
    )
    try check(
      #"SELECT "team".*, MIN("player"."score") AS "minPlayerScore" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.min(Column("score")))
    )
    try check(
      #"SELECT "team".*, MAX("player"."score") AS "maxPlayerScore" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.max(Column("score")))
    )
    try check(
      #"SELECT "team".*, AVG("player"."score") AS "averagePlayerScore" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.average(Column("score")))
    )
    try check(
      #"SELECT "team".*, SUM("player"."score") AS "playerScoreSum" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.sum(Column("score")))
    )
    try check(
      #"SELECT "team".*, TOTAL("player"."score") AS "playerScoreSum" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.total(Column("score")))
    )
    try check(
      #"SELECT "team".*, MIN("player"."score") AS "minPlayerScore" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.min { $0.score })
    )
    try check(
      #"SELECT "team".*, MAX("player"."score") AS "maxPlayerScore" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.max(\.score))
    )
    try check(
      #"SELECT "team".*, AVG("player"."score") AS "averagePlayerScore" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.average { $0.score })
    )
    try check(
      #"SELECT "team".*, SUM("player"."score") AS "playerScoreSum" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.sum { $0.score })
    )
    try check(
      #"SELECT "team".*, TOTAL("player"."score") AS "playerScoreSum" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: Team.players.total { $0.score })
    )
    try check(
      #"SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount", MAX("player"."score") AS "maxPlayerScore" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.all().annotated(with: Team.players.count, Team.players.max { $0.score })
    )
    try check(
      #"SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.all().annotated(with: [Team.players.count])
    )
    try check(
      #"SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id" HAVING COUNT(DISTINCT "player"."id") >= 2"#,
      Team.all().having(Team.players.count >= 2)
    )
    try check(
      #"SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Team.annotated(with: [Team.players.count])
    )
    try check(
      #"SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Table<Team>("team").annotated(with: Team.players.count)
    )
    try check(
      #"SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#,
      Table<Team>("team").annotated(with: [Team.players.count])
    )
    try check(
      #"SELECT "team".* FROM "team" LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id" HAVING COUNT(DISTINCT "player"."id") = 0"#,
      Table<Team>("team").having(Team.players.isEmpty)
    )
  }

  func aggregateExamples2() throws {
    try check(
      #"COUNT(DISTINCT "player"."id") + 1"#,
      Team.players.count + 1
    )
    try check(
      #"100 + COUNT(DISTINCT "player"."id")"#,
      100 + Team.players.count
    )
    try check(
      #"MAX("player"."score") + MIN("player"."score")"#,
      Team.players.max(Column("score")) + Team.players.min(Column("score"))
    )
    try check(
      #"COUNT(DISTINCT "player"."id") - 1"#,
      Team.players.count - 1
    )
    try check(
      #"100 - COUNT(DISTINCT "player"."id")"#,
      100 - Team.players.count
    )
    try check(
      #"MAX("player"."score") - MIN("player"."score")"#,
      Team.players.max(Column("score")) - Team.players.min(Column("score"))
    )
    try check(
      #"COUNT(DISTINCT "player"."id") * 1"#,
      Team.players.count * 1
    )
    try check(
      #"100 * COUNT(DISTINCT "player"."id")"#,
      100 * Team.players.count
    )
    try check(
      #"MAX("player"."score") * MIN("player"."score")"#,
      Team.players.max(Column("score")) * Team.players.min(Column("score"))
    )
    try check(
      #"COUNT(DISTINCT "player"."id") / 1"#,
      Team.players.count / 1
    )
    try check(
      #"100 / COUNT(DISTINCT "player"."id")"#,
      100 / Team.players.count
    )
    try check(
      #"MAX("player"."score") / MIN("player"."score")"#,
      Team.players.max(Column("score")) / Team.players.min(Column("score"))
    )
    try check(
      #"COUNT(DISTINCT "player"."id") % 1"#,
      Team.players.count % 1
    )
    try check(
      #"100 % COUNT(DISTINCT "player"."id")"#,
      100 % Team.players.count
    )
    try check(
      #"MAX("player"."score") % MIN("player"."score")"#,
      Team.players.max(Column("score")) % Team.players.min(Column("score"))
    )
    try check(
      #"-COUNT(DISTINCT "player"."id")"#,
      -Team.players.count
    )
    try check(
      #"COUNT(DISTINCT "player"."id") < 2"#,
      Team.players.count < 2
    )
    try check(
      #"2 < COUNT(DISTINCT "player"."id")"#,
      2 < Team.players.count
    )
    try check(
      #"MAX("player"."score") < MIN("player"."score")"#,
      Team.players.max(Column("score")) < Team.players.min(Column("score"))
    )
    try check(
      #"COUNT(DISTINCT "player"."id") <= 2"#,
      Team.players.count <= 2
    )
    try check(
      #"2 <= COUNT(DISTINCT "player"."id")"#,
      2 <= Team.players.count
    )
    try check(
      #"MAX("player"."score") <= MIN("player"."score")"#,
      Team.players.max(Column("score")) <= Team.players.min(Column("score"))
    )
  }

  func aggregateExamples3() throws {
    try check(
      #"COUNT(DISTINCT "player"."id") > 2"#,
      Team.players.count > 2
    )
    try check(
      #"2 > COUNT(DISTINCT "player"."id")"#,
      2 > Team.players.count
    )
    try check(
      #"MAX("player"."score") > MIN("player"."score")"#,
      Team.players.max(Column("score")) > Team.players.min(Column("score"))
    )
    try check(
      #"COUNT(DISTINCT "player"."id") >= 2"#,
      Team.players.count >= 2
    )
    try check(
      #"2 >= COUNT(DISTINCT "player"."id")"#,
      2 >= Team.players.count
    )
    try check(
      #"MAX("player"."score") >= MIN("player"."score")"#,
      Team.players.max(Column("score")) >= Team.players.min(Column("score"))
    )
    try check(
      #"COUNT(DISTINCT "player"."id") = 2"#,
      Team.players.count == 2
    )
    try check(
      #"2 = COUNT(DISTINCT "player"."id")"#,
      2 == Team.players.count
    )
    try check(
      #"MAX("player"."score") = MIN("player"."score")"#,
      Team.players.max(Column("score")) == Team.players.min(Column("score"))
    )
    try check(
      #"MAX("player"."score") IS NULL"#,
      Team.players.max(Column("score")) == nil
    )
    try check(
      #"COUNT(DISTINCT "player"."id") <> 2"#,
      Team.players.count != 2
    )
    try check(
      #"2 <> COUNT(DISTINCT "player"."id")"#,
      2 != Team.players.count
    )
    try check(
      #"MAX("player"."score") <> MIN("player"."score")"#,
      Team.players.max(Column("score")) != Team.players.min(Column("score"))
    )
    try check(
      #"MAX("player"."score") IS NOT NULL"#,
      Team.players.max(Column("score")) != nil
    )
    try check(
      #"IFNULL(MAX("player"."score"), COUNT(DISTINCT "player"."id"))"#,
      Team.players.max(Column("score")) ?? Team.players.count
    )
    try check(
      #"(COUNT(DISTINCT "player"."id") = 0) AND (COUNT(DISTINCT "player"."id") > 9)"#,
      Team.players.isEmpty && Team.players.count > 9
    )
    try check(
      #"(COUNT(DISTINCT "player"."id") = 0) OR (COUNT(DISTINCT "player"."id") > 9)"#,
      Team.players.isEmpty || Team.players.count > 9
    )
    try check(
      #"COUNT(DISTINCT "player"."id") > 0"#,
      !Team.players.isEmpty
    )
  }

  /// Checks the SQL of an aggregate.
  private func check(_ sql: String, _ aggregate: AssociationAggregate<Team>) throws {
    let joins = #"LEFT JOIN "player" ON "player"."teamID" = "team"."id" GROUP BY "team"."id""#
    try check(
      #"SELECT "team".* FROM "team" "# + joins + " HAVING " + sql,
      Team.having(aggregate) as Any
    )
  }
}
