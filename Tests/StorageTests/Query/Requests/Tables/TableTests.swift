import Storage
import Testing

@Suite struct TableTests {
  @Test func `REC-20…22, REQ-10, REQ-36: a table needs no record type`() throws {
    let player = Table("player")
    try expectSQL(request: player, #"SELECT * FROM "player""#)
    try expectSQL(
      request: player.filter(Column("id") == 1),
      #"SELECT * FROM "player" WHERE "id" = 1"#
    )
    try expectSQL(request: player.filter(key: 1), #"SELECT * FROM "player" WHERE "id" = 1"#)
    try expectSQL(
      request: player.select(Column("email")).filter(Column("name") != nil)
        .order(Column("email").desc, Column("name")).limit(5, offset: 1),
      """
      SELECT "email" FROM "player" WHERE "name" IS NOT NULL \
      ORDER BY "email" DESC, "name" LIMIT 5 OFFSET 1
      """
    )
    try expectSQL(request: player.select(player[.allColumns]), #"SELECT "player".* FROM "player""#)
    try expectSQL(
      request: player.select(player[Column("id")], as: Int.self),
      #"SELECT "player"."id" FROM "player""#
    )
  }
}
