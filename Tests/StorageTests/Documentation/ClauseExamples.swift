import Storage
import Testing

@testable import StorageTestSupport

// Examples from doc comments. DocumentedSQLTests runs them.

extension Examples {
  func clauseExamples() throws {
    try run(#"UPDATE "player" SET "score" = "score" + 100, "name" = 'Arthur'"#) {
      _ = try Player.updateAll(db) { [$0.score += 100, $0.name.set(to: "Arthur")] }
    }
    try run(#"UPDATE "player" SET "score" = "score" + "bonus""#) {
      _ = try Player.updateAll(db) { $0.score.set(to: $0.score + $0.bonus) }
    }
    try run(#"UPDATE "player" SET "email" = NULL"#) {
      _ = try Player.updateAll(db) { $0.email.set(to: nil) }
    }
    try run(#"UPDATE "player" SET "score" = "score" + 100"#) {
      _ = try Player.updateAll(db) { $0.score += 100 }
    }
    try run(#"UPDATE "player" SET "score" = "score" - 100"#) {
      _ = try Player.updateAll(db) { $0.score -= 100 }
    }
    try run(#"UPDATE "player" SET "score" = "score" * 2"#) {
      _ = try Player.updateAll(db) { $0.score *= 2 }
    }
    try run(#"UPDATE "player" SET "score" = "score" / 2"#) {
      _ = try Player.updateAll(db) { $0.score /= 2 }
    }
    try run(#"UPDATE "player" SET "score" = "score" % 2"#) {
      _ = try Player.updateAll(db) { $0.score %= 2 }
    }
    try run(#"UPDATE "player" SET "mask" = "mask" & 2"#) {
      _ = try Player.updateAll(db) { $0.mask &= 2 }
    }
    try run(#"UPDATE "player" SET "mask" = "mask" | 2"#) {
      _ = try Player.updateAll(db) { $0.mask |= 2 }
    }
    try run(#"UPDATE "player" SET "mask" = (~("mask" & 2)) & ("mask" | 2)"#) {
      _ = try Player.updateAll(db) { $0.mask ^= 2 }
    }
    try run(#"UPDATE "player" SET "mask" = "mask" << 1"#) {
      _ = try Player.updateAll(db) { $0.mask <<= 1 }
    }
    try run(#"UPDATE "player" SET "mask" = "mask" >> 1"#) {
      _ = try Player.updateAll(db) { $0.mask >>= 1 }
    }
    try check(#"SELECT * FROM "player" ORDER BY "score" ASC"#, Player.order { $0.score.asc })
    try check(#"SELECT * FROM "player" ORDER BY "score" DESC"#, Player.order { $0.score.desc })
    try check(
      #"SELECT * FROM "player" ORDER BY "score" ASC NULLS LAST"#,
      Player.order { $0.score.ascNullsLast }
    )
    try check(
      #"SELECT * FROM "player" ORDER BY "score" DESC NULLS FIRST"#,
      Player.order { $0.score.descNullsFirst }
    )
    try check(#"SELECT *, "rowid" FROM "player""#, Player.select(.allColumns, .rowID))
    try check(#"SELECT * FROM "player""#, Player.select(.allColumns))
    try check(
      #"SELECT MAX("score") AS "maxScore" FROM "player""#,
      Player.select { max($0.score).forKey("maxScore") }
    )
  }
}
