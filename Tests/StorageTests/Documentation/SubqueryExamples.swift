import Storage
import Testing

@testable import StorageTestSupport

// Examples from doc comments. DocumentedSQLTests runs them.

extension Examples {
  func subqueryExamples() throws {
    try check(
      #"SELECT * FROM "player" WHERE "score" = (SELECT MAX("score") FROM "player")"#,
      Player.filter { $0.score == maximum }
    )
    try check(
      #"SELECT * FROM "player" WHERE EXISTS (SELECT * FROM "award")"#,
      Player.filter { _ in Award.all().exists() }
    )
  }
}
