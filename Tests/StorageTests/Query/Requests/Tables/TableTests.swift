import Storage
import Testing

@testable import StorageTestSupport

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

extension TableTests {
  private static let refinements: [(QueryInterfaceRequest<Player>, String)] = {
    let table = Table<Player>("player")
    return [
      (table.filter { $0.score > 10 }, #"WHERE "score" > 10"#),
      (table.filter(sql: "score > ?", arguments: [10]), "WHERE score > 10"),
      (table.filter(literal: "score > \(10)"), "WHERE score > 10"),
      (table.filter(keys: [1, 2]), #"WHERE "id" IN (1, 2)"#),
      (table.filter(id: 1), #"WHERE "id" = 1"#),
      (table.filter(ids: [1, 2]), #"WHERE "id" IN (1, 2)"#),
      (table.filter(key: ["email": "a"]), #"WHERE "email" = 'a'"#),
      (table.filter(false), "WHERE 0"),
      (table.none(), "WHERE 0"),
      (table.order { $0.score.desc }, #"ORDER BY "score" DESC"#),
      (table.order(\.score.desc, \.name), #"ORDER BY "score" DESC, "name""#),
      (table.order([Column("score").desc]), #"ORDER BY "score" DESC"#),
      (table.order(sql: "score DESC"), "ORDER BY score DESC"),
      (table.order(literal: "score DESC"), "ORDER BY score DESC"),
      (table.orderByPrimaryKey(), #"ORDER BY "id""#),
      (table.withStableOrder(), #"ORDER BY "id""#),
      (table.limit(5, offset: 1), "LIMIT 5 OFFSET 1"),
      (table.group(\.teamID), #"GROUP BY "teamID""#),
      (
        table.having(max(Column("score")) > 1).group(\.teamID),
        #"GROUP BY "teamID" HAVING MAX("score") > 1"#
      ),
      (table.aliased(TableAlias(name: "p")).filter { $0.id == 1 }, #""p" WHERE "id" = 1"#),
    ]
  }()

  @Test(arguments: refinements)
  func `a table is refined like the requests of a record type`(
    _ request: QueryInterfaceRequest<Player>,
    _ sql: String
  ) throws {
    try expectSQL(request: request, #"SELECT * FROM "player" \#(sql)"#)
  }

  @Test func `the columns of a table are selected and annotated`() throws {
    let table = Table<Player>("player")
    try expectSQL(request: table.select(\.name), #"SELECT "name" FROM "player""#)
    try expectSQL(request: table.select([Column("name")]), #"SELECT "name" FROM "player""#)
    try expectSQL(request: table.select(sql: "name"), #"SELECT name FROM "player""#)
    try expectSQL(request: table.select(literal: "name"), #"SELECT name FROM "player""#)
    try expectSQL(
      request: table.select(\.name).distinct(),
      #"SELECT DISTINCT "name" FROM "player""#
    )
    try expectSQL(
      request: table.annotated(with: [Column("id").forKey("key")]),
      #"SELECT *, "id" AS "key" FROM "player""#
    )
    try withPlayers { db in
      let names = try table.select(sql: "name", as: String.self).fetchSet(db)
      #expect(names == ["Arthur", "Barbara", "Craig"])
      let scores = try table.select(literal: "score", as: Int?.self).fetchAll(db)
      #expect(Set(scores) == [100, 1000, nil])
      let keys = try table.selectPrimaryKey(as: Int64.self).fetchSet(db)
      let ids = try table.selectID().fetchSet(db)
      #expect(keys == [1, 2, 3] && ids == keys)
    }
  }

  @Test func `a table is fetched in all ways`() throws {
    try withPlayers { db in
      let table = Table<Player>("player")
      let all = try table.fetchAll(db)
      let set = try table.fetchSet(db)
      let cursor = try Array(table.fetchCursor(db))
      #expect(all.count == 3 && Set(all) == set && all == cursor)
      let one = try table.fetchOne(db)
      let count = try table.fetchCount(db)
      let isEmpty = try table.isEmpty(db)
      #expect(one != nil && count == 3 && !isEmpty)
      let exists = try table.exists(db, id: 1)
      let isMissing = try !table.exists(db, key: 9)
      #expect(exists && isMissing)
    }
  }

  @Test func `a table joins a common table expression that it defines`() throws {
    let leader = CommonTableExpression(named: "leader", sql: "SELECT 2 AS id")
    try expectSQL(
      request: Table<Player>("player").with(leader).filter { leader.all().contains($0.id) },
      """
      WITH "leader" AS (SELECT 2 AS id) SELECT * FROM "player" \
      WHERE "id" IN (SELECT * FROM "leader")
      """
    )
  }
}
