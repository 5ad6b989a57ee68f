import Storage
import Testing

@testable import StorageTestSupport

@Suite struct SQLSubqueryTests {
  @Test func `A-073: a request is a subquery of another request`() throws {
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
}
