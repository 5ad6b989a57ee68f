import Storage
import Testing

@testable import StorageTestSupport

/// Subqueries on the table of the statement around them, and the aliases by which they refer to it.
@Suite struct TablesInSightTests {
  private struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: QueryInterfaceRequest<Player>
    let sql: String

    init(_ name: String, _ sql: String, _ request: () -> QueryInterfaceRequest<Player>) {
      testDescription = name
      self.request = request()
      self.sql = sql
    }
  }

  private static let cases = [
    Case(
      "no subquery: the table keeps its name",
      #"SELECT * FROM "player" WHERE "player"."score" > 1"#
    ) {
      let one = TableAlias<Player>()
      return Player.all().aliased(one).filter(one.score > 1)
    },
    Case(
      "exists",
      """
      SELECT * FROM "player" "player1" WHERE NOT EXISTS (SELECT * FROM "player" \
      WHERE ("teamID" = "player1"."teamID") AND ("score" > "player1"."score"))
      """
    ) {
      let one = TableAlias<Player>()
      let better = Player.filter { $0.teamID == one.teamID && $0.score > one.score }
      return Player.all().aliased(one).filter(!better.exists())
    },
    Case(
      "a maximum",
      """
      SELECT * FROM "player" "player1" WHERE "score" = \
      (SELECT MAX("score") FROM "player" WHERE "teamID" = "player1"."teamID")
      """
    ) {
      let one = TableAlias<Player>()
      let best = Player.filter { $0.teamID == one.teamID }.select { max($0.score) }
      return Player.all().aliased(one).filter { $0.score == best }
    },
    Case(
      "contains",
      """
      SELECT * FROM "player" "player1" WHERE "id" IN \
      (SELECT "id" FROM "player" WHERE "score" = "player1"."score")
      """
    ) {
      let one = TableAlias<Player>()
      let ids = Player.filter { $0.score == one.score }.select(\.id)
      return Player.all().aliased(one).filter { ids.contains($0.id) }
    },
    Case(
      "selection, annotation and order",
      """
      SELECT DISTINCT "name", (SELECT COUNT(*) FROM "player" WHERE "teamID" = "player1"."teamID") \
      AS "size" FROM "player" "player1" \
      ORDER BY (SELECT COUNT(*) FROM "player" WHERE "teamID" = "player1"."teamID")
      """
    ) {
      let one = TableAlias<Player>()
      let size = Player.filter { $0.teamID == one.teamID }.select { _ in SQLExpression.countAll }
      return Player.all().aliased(one).select(\.name)
        .annotated(with: size.forKey("size")).distinct().order(size)
    },
    Case(
      "three levels",
      """
      SELECT * FROM "player" "player2" WHERE EXISTS (SELECT * FROM "player" "player3" \
      WHERE ("teamID" = "player2"."teamID") AND EXISTS (SELECT * FROM "player" \
      WHERE ("score" > "player3"."score") AND ("id" <> "player2"."id")))
      """
    ) {
      let one = TableAlias<Player>(), two = TableAlias<Player>()
      let third = Player.filter { $0.score > two.score && $0.id != one.id }
      let second = Player.all().aliased(two)
        .filter { $0.teamID == one.teamID && third.exists() }
      return Player.all().aliased(one).filter(second.exists())
    },
    Case(
      "an alias of the inner table, and the name of the outer one",
      """
      SELECT * FROM "player" "player1" WHERE EXISTS (SELECT * FROM "player" \
      WHERE "player"."score" > "player1"."score")
      """
    ) {
      let inner = TableAlias<Player>(), outer = Table("player")
      let better = Player.all().aliased(inner)
        .filter(inner.score > outer[Column("score")])
      return Player.filter(better.exists())
    },
    Case(
      "a literal that reads the table",
      """
      SELECT * FROM "player" "player1" WHERE \
      score = (SELECT MAX(score) FROM player WHERE teamID = "player1"."teamID")
      """
    ) {
      let one = TableAlias<Player>()
      return Player.all().aliased(one)
        .filter(literal: "score = (SELECT MAX(score) FROM player WHERE teamID = \(one.teamID))")
    },
    Case(
      "a literal that reads the table under another name",
      """
      SELECT * FROM "player" WHERE \
      EXISTS (SELECT 1 FROM player p WHERE p.score > "player"."score" AND player.id > 1)
      """
    ) {
      let one = TableAlias<Player>()
      return Player.all().aliased(one).filter(
        literal: "EXISTS (SELECT 1 FROM player p WHERE p.score > \(one.score) AND player.id > 1)"
      )
    },
    Case(
      "a name that is taken",
      """
      SELECT * FROM "player" "player2" WHERE EXISTS (SELECT * FROM "player" "player1" \
      WHERE ("player1"."score" > "player2"."score") AND EXISTS (SELECT * FROM "player" \
      WHERE "id" <> "player2"."id"))
      """
    ) {
      let one = TableAlias<Player>(), named = TableAlias<Player>(name: "player1")
      let third = Player.filter { $0.id != one.id }
      let second = Player.all().aliased(named)
        .filter(named.score > one.score && third.exists())
      return Player.all().aliased(one).filter(second.exists())
    },
    Case(
      "the tables of a join",
      """
      SELECT "player1".* FROM "player" "player1" JOIN "team" ON "team"."id" = "player1"."teamID" \
      WHERE EXISTS (SELECT * FROM "player" WHERE "score" > "player1"."score")
      """
    ) {
      let one = TableAlias<Player>()
      let better = Player.filter { $0.score > one.score }
      return Player.all().aliased(one).joining(required: Player.belongsTo(Team.self))
        .filter(better.exists())
    },
    Case(
      "the tables that a join passes to its condition",
      """
      SELECT "player1".*, "team".* FROM "player" "player1" JOIN "team" \
      ON EXISTS (SELECT * FROM "player" WHERE ("teamID" = "team"."id") \
      AND ("score" > "player1"."score"))
      """
    ) {
      Player.all().join(Team.self) { player, team in
        Player.filter { $0.teamID == team.id && $0.score > player.score }.exists()
      }
    },
  ]

  @Test(arguments: cases)
  private func `a table gets a name if a subquery hides its own`(_ test: Case) throws {
    try expectSQL(request: test.request, test.sql)
    try #expect(withPlayers { try test.request.fetchCount($0) >= 0 })
  }

  @Test func `deletions and updates name the table whose rows they change`() throws {
    let one = TableAlias<Player>()
    let others = Player.filter { $0.teamID == one.teamID && $0.id != one.id }
    let request = Player.all().aliased(one).filter(!others.exists())
    try withPlayers { db in
      try expectSQL(
        db,
        """
        UPDATE "player" AS "player1" SET "score" = \
        (SELECT COUNT(*) FROM "player" WHERE "id" <= "player1"."id") \
        WHERE NOT EXISTS (SELECT * FROM "player" \
        WHERE ("teamID" = "player1"."teamID") AND ("id" <> "player1"."id")) \
        RETURNING "player"."score"
        """
      ) {
        let count = Player.filter { $0.id <= one.id }.select { _ in SQLExpression.countAll }
        let statement = try request.updateAndFetchStatement(
          db,
          [Column("score").set(to: count)],
          selection: [one.score]
        )
        try #expect(Int.fetchAll(statement) == [3])
      }
      try expectSQL(
        db,
        """
        DELETE FROM "player" AS "player1" WHERE NOT EXISTS (SELECT * FROM "player" \
        WHERE ("teamID" = "player1"."teamID") AND ("id" <> "player1"."id")) RETURNING *
        """
      ) {
        try #expect(request.deleteAndFetchAll(db).map(\.id) == [3])
      }
      try #expect(Player.order(\.id).fetchAll(db) == [.arthur, .barbara])
    }
  }

  @Test func `a value of a joined row is assigned`() throws {
    try withLibrary { db in
      let mentor = TableAlias<Author>()
      let request = Author.joining(required: Author.mentor.aliased(mentor))
      try expectSQL(
        db,
        """
        UPDATE "author" SET "name" = ":new".":1", "mentorID" = ":new".":2" FROM \
        (SELECT "author1"."id" AS ":key1", "author2"."name" AS ":1", \
        "author1"."mentorID" + 1 AS ":2" FROM "author" "author1" \
        JOIN "author" "author2" ON "author2"."id" = "author1"."mentorID") ":new" \
        WHERE "author"."id" = ":new".":key1"
        """
      ) {
        let count = try request.updateAll(db) {
          [$0.name.set(to: mentor.name), $0.mentorID += 1]
        }
        #expect(count == 1)
      }
      let author = try Author.find(db, id: 3)
      #expect(author.name == "Melville")
      #expect(author.mentorID == 2)
      let pupil = TableAlias<Author>()
      let many = Author.joining(required: Author.pupils.aliased(pupil))
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        a row of author may be joined with several rows, so that the value of a column of theirs \
        is not known: assign a subquery with one value instead
        """
      ) {
        try many.updateAll(db) { $0.countryCode.set(to: pupil.name) }
      }
    }
  }

  private struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let message: String
    let run: @Sendable (Database) throws -> Void
  }

  private static let ambiguity = """
    the request reads player several times, and an expression may refer to any of them: give each \
    one an alias of its own with aliased(_:), and write the columns with it
    """

  private static let refusals = [
    Refusal(testDescription: "an alias that no table was given", message: ambiguity) { db in
      let one = TableAlias<Player>()
      let better = Player.filter { $0.score > one.score }
      try Player.filter(!better.exists()).deleteAll(db)
    },
    Refusal(
      testDescription: "one name for two tables",
      message: """
        a subquery refers to p of the statement around it, and also reads a table with this name: \
        give the table of the subquery an alias with another name
        """
    ) { db in
      let one = TableAlias<Player>(name: "p"), two = TableAlias<Player>(name: "P")
      let better = Player.all().aliased(two).filter(two.score > one.score)
      try Player.all().aliased(one).filter(!better.exists()).deleteAll(db)
    },
    Refusal(
      testDescription: "a subquery of RETURNING",
      message: """
        a subquery refers to player of the statement around it, and also reads a table with this \
        name: give the table of the subquery an alias with another name
        """
    ) { db in
      let one = TableAlias<Player>()
      let others = Player.filter { $0.id != one.id }.select { _ in SQLExpression.countAll }
      _ = try Player.all().aliased(one)
        .deleteAndFetchStatement(db, selection: [others.sqlExpression])
    },
    Refusal(
      testDescription: "a joined table in RETURNING",
      message: """
        an alias of author stands for a table that this part of the request cannot read: the \
        statement joins it elsewhere, or another statement reads it
        """
    ) { db in
      try db.execute(sql: Library.schema.split(separator: ";").prefix(2).joined(separator: ";"))
      let mentor = TableAlias<Author>()
      _ = try Author.joining(required: Author.mentor.aliased(mentor))
        .deleteAndFetchStatement(db, selection: [mentor.name])
    },
  ]

  @Test(arguments: refusals)
  private func `a reference that the text cannot express is an error`(_ test: Refusal) throws {
    try withLeague { db in
      try? db.execute(sql: "DROP TABLE country")
      expectDatabaseError(.SQLITE_MISUSE, test.message) { try test.run(db) }
    }
  }

  @Test func `prefetched rows cannot refer to a table of their request`() throws {
    try withLibrary { db in
      let one = TableAlias<Author>()
      let request = Author.all().aliased(one)
        .including(all: Author.pupils.filter { $0.id > one.id })
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        an alias of author stands for a table that this part of the request cannot read: the \
        statement joins it elsewhere, or another statement reads it
        """
      ) {
        _ = try Row.fetchAll(db, request)
      }
    }
  }

  @Test func `equal requests with aliases are equal`() {
    func request() -> QueryInterfaceRequest<Player> {
      let one = TableAlias<Player>()
      let better = Player.filter { $0.score > one.score }
      return Player.all().aliased(one).filter(!better.exists())
    }
    #expect(request() == request())
    #expect(request().hashValue == request().hashValue)
  }
}
