import Storage
import Testing

@testable import StorageTestSupport

@Suite struct ColumnAssignmentTests {
  private static let assignments: [(ColumnAssignment, String)] = [
    (Column("score").set(to: 0), #""score" = 0"#),
    (Column("score").set(to: nil), #""score" = NULL"#),
    (Column("score").set(to: Int?.none), #""score" = NULL"#),
    (Column("score").set(to: Column("score") + Column("bonus")), #""score" = "score" + "bonus""#),
    (Column("score") += 100, #""score" = "score" + 100"#),
    (Column("score") -= 100, #""score" = "score" - 100"#),
    (Column("score") *= 2, #""score" = "score" * 2"#),
    (Column("score") /= 2, #""score" = "score" / 2"#),
    (Column("score") %= 2, #""score" = "score" % 2"#),
    (Column("mask") &= 2, #""mask" = "mask" & 2"#),
    (Column("mask") |= 2, #""mask" = "mask" | 2"#),
    (Column("mask") ^= 2, #""mask" = (~("mask" & 2)) & ("mask" | 2)"#),
    (Column("mask") <<= 1, #""mask" = "mask" << 1"#),
    (Column("mask") >>= 1, #""mask" = "mask" >> 1"#),
  ]

  @Test(arguments: assignments)
  func `DML-08, DML-17…27: assignments are written as SQL`(
    _ assignment: ColumnAssignment,
    _ sql: String
  ) throws {
    try withLeague { db in
      try expectSQL(db, #"UPDATE "player" SET \#(sql)"#) {
        _ = try Player.updateAll(db, assignment)
      }
    }
  }
}
