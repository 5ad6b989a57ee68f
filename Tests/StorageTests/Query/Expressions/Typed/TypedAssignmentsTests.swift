import Storage
import Testing

@testable import StorageTestSupport

private let name = TypedColumn<String>("name")
private let email = TypedColumn<String?>("email")
private let score = TypedColumn<Int>("score")
private let bonus = TypedColumn<Int?>("bonus")
private let mask = TypedColumn<Int>("mask")
private let isActive = TypedColumn<Bool>("isActive")
private let wasActive = TypedColumn<Bool?>("isActive")

@Suite struct TypedAssignmentsTests {
  private static let assignments: [(ColumnAssignment, String)] = [
    (score.set(to: 1), #""score" = 1"#),
    (email.set(to: nil), #""email" = NULL"#),
    (score.set(to: score + 1), #""score" = "score" + 1"#),
    (isActive.set(to: !isActive), #""isActive" = NOT "isActive""#),
    (isActive.set(to: score > 1 && name != ""), #""isActive" = ("score" > 1) AND ("name" <> '')"#),
    (isActive.set(to: score > 1), #""isActive" = "score" > 1"#),
    (isActive.set(to: true), #""isActive" = 1"#),
    (isActive.toggle(), #""isActive" = NOT "isActive""#),
    (wasActive.set(to: nil), #""isActive" = NULL"#),
    (wasActive.toggle(), #""isActive" = NOT "isActive""#),
    (score += 2, #""score" = "score" + 2"#),
    (score -= 2, #""score" = "score" - 2"#),
    (score *= 2, #""score" = "score" * 2"#),
    (score /= 2, #""score" = "score" / 2"#),
    (score %= 2, #""score" = "score" % 2"#),
    (mask &= 2, #""mask" = "mask" & 2"#),
    (mask |= 2, #""mask" = "mask" | 2"#),
    (mask ^= 2, #""mask" = (~("mask" & 2)) & ("mask" | 2)"#),
    (mask <<= 2, #""mask" = "mask" << 2"#),
    (mask >>= 2, #""mask" = "mask" >> 2"#),
    (name += " Jr.", #""name" = "name" || ' Jr.'"#),
    (score += bonus, #""score" = "score" + "bonus""#),
    (score += (bonus ?? 0) * 2, #""score" = "score" + (IFNULL("bonus", 0) * 2)"#),
    (name += email, #""name" = "name" || "email""#),
    (score -= bonus, #""score" = "score" - "bonus""#),
    (score *= bonus, #""score" = "score" * "bonus""#),
    (score /= bonus, #""score" = "score" / "bonus""#),
    (score %= bonus, #""score" = "score" % "bonus""#),
    (mask &= score, #""mask" = "mask" & "score""#),
    (mask |= score, #""mask" = "mask" | "score""#),
    (mask ^= score, #""mask" = (~("mask" & "score")) & ("mask" | "score")"#),
    (mask <<= score, #""mask" = "mask" << "score""#),
    (mask >>= score, #""mask" = "mask" >> "score""#),
  ]

  @Test(arguments: assignments)
  func `TYP-12, DML-28: typed columns are assigned values of their type`(
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
