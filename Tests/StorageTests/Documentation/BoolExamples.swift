import Foundation
import Storage
import Testing

@testable import StorageTestSupport

// Examples from doc comments. DocumentedSQLTests runs them.

extension Examples {
  func boolExamples() throws {
    try check(#"SELECT * FROM "player" WHERE 0"#, Player.all().filter(false))
    try check(#"SELECT * FROM "player" WHERE 1"#, Player.filter(true))
    try check(#"SELECT * FROM "users" WHERE 1"#, Table("users").filter(true))
    try check(
      #"SELECT "teamID" FROM "player" GROUP BY "teamID" HAVING 1"#,
      Player.select(\.teamID).group(\.teamID).having(true)
    )
    try check(#"SELECT "id", "name" FROM "player""#, Player.all().select(\.id, \.name))
    try check(#"SELECT "id", "name" FROM "player""#, Player.select(\.id, \.name))
    try check(
      #"SELECT * FROM "player" ORDER BY "score" DESC, "name""#,
      Player.all().order(\.score.desc, \.name)
    )
    try check(
      #"SELECT * FROM "player" ORDER BY "score" DESC, "name""#,
      Player.order(\.score.desc, \.name)
    )
    try check(
      #"SELECT "teamID", MAX("score") FROM "player" GROUP BY "teamID", "color""#,
      Player.select { [$0.teamID, max($0.score)] }.group(\.teamID, \.color)
    )
    try run(#"UPDATE "player" SET "score" = 100"#) {
      _ = try Player.updateAll(db) { $0.score.set(to: 100) }
    }
    try check(
      #"SELECT id FROM player WHERE content = x'0102'"#,
      "SELECT id FROM player WHERE content = \(Data([1, 2]))" as SQL
    )
    try check(#""email" IS NULL"#, nil == Column("email"))
    try check(#""email" IS NOT NULL"#, nil != Column("email"))
    try check(#""email" IS NULL"#, nil === Column("email"))
    try check(#""email" IS NOT NULL"#, nil !== Column("email"))
    try check(#""score" IS NULL"#, nil == TypedColumn<Int>("score"))
    try check(#""score" IS NOT NULL"#, nil != TypedColumn<Int>("score"))
    try check(
      #"("name" COLLATE NOCASE) IN ('arthur')"#,
      ["arthur"].contains(Column("name")).collating(.nocase)
    )
  }
}
