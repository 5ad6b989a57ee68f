import Storage
import Testing

@testable import StorageTestSupport

@Suite struct RefinableRequestOrderTests {
  private static let orders: [(QueryInterfaceRequest<Player>, String)] = [
    (Player.order(\.name), #"SELECT * FROM "player" ORDER BY "name""#),
    (
      Player.order { [$0.score.desc, $0.name] },
      #"SELECT * FROM "player" ORDER BY "score" DESC, "name""#
    ),
    (Player.order(\.score.desc), #"SELECT * FROM "player" ORDER BY "score" DESC"#),
    (Player.order { $0.name.asc }, #"SELECT * FROM "player" ORDER BY "name" ASC"#),
    (Player.order(\.score).order(\.name), #"SELECT * FROM "player" ORDER BY "name""#),
    (
      Player.order { [$0.score.desc, $0.name] }.reversed(),
      #"SELECT * FROM "player" ORDER BY "score" ASC, "name" DESC"#
    ),
    (
      Player.order { [$0.score.ascNullsLast, $0.name.descNullsFirst] }.reversed(),
      #"SELECT * FROM "player" ORDER BY "score" DESC NULLS FIRST, "name" ASC NULLS LAST"#
    ),
    (Player.all().reversed(), #"SELECT * FROM "player""#),
    (Player.order(\.name).unordered(), #"SELECT * FROM "player""#),
    (
      Player.order(Column("email"), Column("name")),
      #"SELECT * FROM "player" ORDER BY "email", "name""#
    ),
    (Player.order(sql: "score DESC"), #"SELECT * FROM "player" ORDER BY score DESC"#),
    (
      Player.order(literal: "ABS(score - \(10))"),
      #"SELECT * FROM "player" ORDER BY ABS(score - 10)"#
    ),
    (Player.orderByPrimaryKey(), #"SELECT * FROM "player" ORDER BY "id""#),
    (Player.limit(5), #"SELECT * FROM "player" LIMIT 5"#),
    (Player.limit(5, offset: 10), #"SELECT * FROM "player" LIMIT 5 OFFSET 10"#),
    (Player.limit(20, offset: 40).limit(10), #"SELECT * FROM "player" LIMIT 10"#),
  ]

  @Test(arguments: orders)
  func `REQ-26…35, REQ-48: orders and limits are written as ORDER BY and LIMIT`(
    _ request: QueryInterfaceRequest<Player>,
    _ sql: String
  ) throws {
    try expectSQL(request: request, sql)
  }
}

extension RefinableRequestOrderTests {
  private static let author = Book.author.order(\.name)

  // The order behind `ORDER BY` of books and of their joined authors.
  private static let joinedOrders: [(QueryInterfaceRequest<Book>, String?)] = [
    (Book.joining(required: author).reversed(), #""author"."name" DESC"#),
    (Book.joining(required: author).reversed().reversed(), #""author"."name""#),
    (
      Book.order(\.title).joining(required: author).reversed(),
      #""book"."title" DESC, "author"."name" DESC"#
    ),
    (
      Book.order(\.title).reversed().joining(required: author),
      #""book"."title" DESC, "author"."name" DESC"#
    ),
    (
      Book.joining(required: author).reversed().order(\.title),
      #""book"."title", "author"."name""#
    ),
    (
      Book.order(\.title).joining(required: author.reversed()),
      #""book"."title", "author"."name" DESC"#
    ),
    (
      Book.order(\.title).joining(required: author.reversed()).reversed(),
      #""book"."title" DESC, "author"."name" ASC"#
    ),
    (Book.order(\.title).joining(required: author).unordered(), nil),
    (
      Book.order(\.title).unordered().joining(required: author),
      #""author"."name""#
    ),
    (
      Book.joining(required: author).unordered().order(\.title),
      #""book"."title""#
    ),
  ]

  @Test(arguments: joinedOrders)
  func `reversed() and unordered() reach joined associations`(
    _ request: QueryInterfaceRequest<Book>,
    _ order: String?
  ) throws {
    let order = order.map { " ORDER BY \($0)" } ?? ""
    try expectLibrarySQL(
      request,
      #"SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorID"\#(order)"#
    )
  }

  @Test func `an order of several levels of associations is reversed and removed`() throws {
    let request = Award.order(\.name).joining(
      required: Award.book.order(\.title).joining(optional: Self.author)
    )
    let base = """
      SELECT "award".* FROM "award" JOIN "book" ON "book"."id" = "award"."bookID" \
      LEFT JOIN "author" ON "author"."id" = "book"."authorID"
      """
    try expectLibrarySQL(
      request.reversed(),
      base + #" ORDER BY "award"."name" DESC, "book"."title" DESC, "author"."name" DESC"#
    )
    try expectLibrarySQL(request.unordered(), base)
    try expectLibrarySQL(
      Award.joining(required: Award.book.order(\.title).joining(optional: Self.author).reversed()),
      base + #" ORDER BY "book"."title" DESC, "author"."name" DESC"#
    )
    try expectLibrarySQL(
      Award.joining(required: Award.book.order(\.title).joining(optional: Self.author).unordered()),
      base
    )
  }

  @Test func `the order of rows that are fetched for all rows remains`() throws {
    try withLibrary { db in
      let request = Author.order(\.id).including(all: Author.books.order(\.title))
      for request in [request.reversed(), request.unordered()] {
        let rows = try Row.fetchAll(db, request)
        let melville = try #require(rows.first { $0["id"] == 1 })
        let titles = melville.prefetchedRows["books"]?.map { $0["title"] as String }
        #expect(titles == ["Moby-Dick", "Typee"])
      }
    }
  }

  @Test func `an order in SQL that is reversed is an error`() throws {
    let request = Book.order(sql: "title").joining(required: Book.author.order(literal: "name"))
    try withLibrary { db throws in
      let joined = Book.joining(required: Book.author.order(sql: "name")).reversed()
      for request in [request.reversed(), joined] {
        expectDatabaseError(
          .SQLITE_MISUSE,
          """
          an order that is written in SQL cannot be reversed: give its expressions as \
          SQL("…").sqlExpression.desc, or write the opposite order
          """
        ) {
          _ = try request.fetchAll(db)
        }
      }
      #expect(try request.reversed().reversed().fetchCount(db) == 4)
      #expect(try request.reversed().unordered().fetchAll(db).count == 4)
    }
  }

  @Test func `the columns of a primary key are each sorted in the opposite direction`() throws {
    try expectSQL(
      request: Citizenship.orderByPrimaryKey().reversed(),
      #"SELECT * FROM "citizenship" ORDER BY "playerID" DESC, "countryCode" DESC"#
    )
  }

  @Test func `a stable order ends with the primary key`() throws {
    try expectSQL(
      request: Player.all().withStableOrder(),
      #"SELECT * FROM "player" ORDER BY "id""#
    )
    try expectSQL(
      request: Player.order(\.score.desc).withStableOrder().reversed(),
      #"SELECT * FROM "player" ORDER BY "score" ASC, "id" DESC"#
    )
    try expectSQL(
      request: Player.order(\.id.desc).withStableOrder(),
      #"SELECT * FROM "player" ORDER BY "id" DESC"#
    )
    try expectSQL(
      request: Country.all().withStableOrder(),
      #"SELECT * FROM "country" ORDER BY "isoCode""#
    )
    // The columns of this key may be NULL.
    try expectSQL(
      request: Citizenship.all().withStableOrder(),
      #"SELECT * FROM "citizenship" ORDER BY "playerID", "countryCode", "rowid""#
    )
    try expectSQL(
      request: Table("note").withStableOrder(),
      #"SELECT * FROM "note" ORDER BY "rowid""#
    )
    #expect(Player.all().withStableOrder() == Player.all().withStableOrder())
  }

  @Test func `a stable order of a view and of a common table expression has all columns`() throws {
    try withLeague { db in
      try db.execute(sql: "CREATE VIEW best AS SELECT name, score FROM player")
      let statement = try Table("best").withStableOrder().makePreparedRequest(db).statement
      expectSQL(statement, #"SELECT * FROM "best" ORDER BY "name", "score""#)
    }
    let pair = CommonTableExpression(named: "pair", columns: ["a", "b"], sql: "SELECT 1, 2")
    try expectSQL(
      request: pair.all().with(pair).withStableOrder(),
      #"WITH "pair"("a", "b") AS (SELECT 1, 2) SELECT * FROM "pair" ORDER BY "a", "b""#
    )
  }

  @Test func `a stable order contains the primary keys of associated tables`() throws {
    let team = Player.belongsTo(Team.self)
    try expectSQL(
      request: Player.including(required: team.order(\.name)).withStableOrder(),
      """
      SELECT "player".*, "team".* FROM "player" JOIN "team" ON "team"."id" = "player"."teamID" \
      ORDER BY "player"."id", "team"."name", "team"."id"
      """
    )
  }

  @Test func `the key sorts rows, also where a result column has its name`() throws {
    let request = Player.select(Column("name"), Column("teamID").forKey("id"))
    let sql = #"SELECT "name", "teamID" AS "id" FROM "player" ORDER BY "#
    try withPlayers { db in
      func check(_ request: QueryInterfaceRequest<Player>, _ order: String) throws {
        expectSQL(try request.makePreparedRequest(db).statement, sql + order)
      }
      try check(request.orderByPrimaryKey(), #""player"."id""#)
      try check(request.order(\.name).withStableOrder(), #""name", "player"."id""#)
      try check(request.order(Column("id")).withStableOrder(), #""id", "player"."id""#)
    }
  }
}
