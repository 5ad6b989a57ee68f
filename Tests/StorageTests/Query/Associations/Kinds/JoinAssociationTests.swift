import Storage
import Testing

@testable import StorageTestSupport

/// Associations by conditions, for example with common table expressions.
@Suite struct JoinAssociationTests {
  private let oeuvre = CommonTableExpression<Row>(
    named: "oeuvre",
    request: Book.select { [$0.authorID, count($0.id).forKey("books")] }.group(\.authorID)
  )
  private static let oeuvreSQL = """
    WITH "oeuvre" AS (SELECT "authorID", COUNT("id") AS "books" FROM "book" GROUP BY "authorID")
    """

  private var ofAuthor: JoinAssociation<Author, Row> {
    Author.association(to: oeuvre) { author, oeuvre in
      oeuvre[Column("authorID")] == author.id
    }
  }

  @Test func `A-085, A-090: a common table expression is joined on a condition`() throws {
    let request = Author.including(optional: ofAuthor).with(oeuvre).order(\.id)
    try expectLibrarySQL(
      request,
      """
      \(Self.oeuvreSQL) SELECT "author".*, "oeuvre".* FROM "author" \
      LEFT JOIN "oeuvre" ON "oeuvre"."authorID" = "author"."id" ORDER BY "author"."id"
      """
    )
    struct Info: Decodable, Equatable, FetchableRecord {
      struct Oeuvre: Decodable, Equatable { var books: Int }
      var author: Author
      var oeuvre: Oeuvre?
    }
    try withLibrary { db in
      let infos = try request.asRequest(of: Info.self).fetchAll(db)
      #expect(infos.map(\.author.id) == [1, 2, 3, 4])
      #expect(infos.map(\.oeuvre?.books) == [2, 1, 1, nil])
      let counted = Author.annotated(withRequired: ofAuthor.select(Column("books")))
        .with(oeuvre).order(\.id)
      let counts = try Row.fetchAll(db, counted).map { $0["books"] as Int }
      #expect(counts == [2, 1, 1])
      #expect(try request.fetchCount(db) == 4)
      #expect(try Author.joining(required: ofAuthor).with(oeuvre).fetchCount(db) == 3)
    }
  }

  @Test func `A-090: the association brings its WITH clause along`() throws {
    try expectLibrarySQL(
      Author.joining(required: ofAuthor.filter(Column("books") > 1).with(oeuvre)),
      """
      \(Self.oeuvreSQL) SELECT "author".* FROM "author" JOIN "oeuvre" \
      ON ("oeuvre"."authorID" = "author"."id") AND ("oeuvre"."books" > 1)
      """
    )
  }

  @Test func `A-090: without a condition, each row is joined with each row`() throws {
    let bounds = CommonTableExpression<Row>(
      named: "bounds",
      sql: "SELECT ? AS low, ? AS high",
      arguments: [1800, 1900]
    )
    let alias = TableAlias()
    let request = Book.joining(required: Book.association(to: bounds).aliased(alias)).with(bounds)
      .filter { $0.year > alias[Column("low")] && $0.year < alias[Column("high")] }
    try expectLibrarySQL(
      request,
      """
      WITH "bounds" AS (SELECT 1800 AS low, 1900 AS high) SELECT "book".* FROM "book" JOIN "bounds" \
      WHERE ("book"."year" > "bounds"."low") AND ("book"."year" < "bounds"."high")
      """
    )
    try withLibrary { db in
      #expect(try request.fetchCount(db) == 3)
      let rows = try Table("book").including(required: Table("book").association(to: bounds))
        .with(bounds).fetchAll(db)
      #expect(rows.map { $0.scopes["bound"]?["low"] as Int? } == [1800, 1800, 1800, 1800, 1800])
    }
  }

  @Test func `A-089, A-090: records are decoded from a common table expression`() throws {
    struct Info: Decodable, FetchableRecord {
      var author: Author
      var latestBook: Book?
    }
    // The generic type of an expression may be Void, or a marker that tells expressions apart.
    enum Latest {}
    let latest = CommonTableExpression<Latest>(
      named: "latestBook",
      request: Book.annotated(with: max(Column("year"))).group(Column("authorID"))
    )
    let association = Author.association(
      to: latest,
      on: { author, latest in author[Column("id")] == latest[Column("authorID")] }
    ).order(Column("year").desc)
    let request = Author.including(optional: association).with(latest)
    try expectLibrarySQL(
      request,
      """
      WITH "latestBook" AS (SELECT *, MAX("year") FROM "book" GROUP BY "authorID") \
      SELECT "author".*, "latestBook".* FROM "author" \
      LEFT JOIN "latestBook" ON "author"."id" = "latestBook"."authorID" \
      ORDER BY "latestBook"."year" DESC
      """
    )
    try withLibrary { db in
      let infos = try request.asRequest(of: Info.self).fetchAll(db)
      #expect(infos.map(\.author.name) == ["Auster", "Zola", "Melville", "Anonymous"])
      #expect(infos.map(\.latestBook?.title) == ["Leviathan", "Germinal", "Moby-Dick", nil])
    }
    let nothing = CommonTableExpression<Void>(named: "nothing", sql: "SELECT 1 AS one")
    let chain = association.joining(required: latest.association(to: nothing))
    try withLibrary { db in
      let count = try Author.joining(required: chain).with(latest).with(nothing).fetchCount(db)
      #expect(count == 3)
    }
  }

  @Test func `A-090: common table expressions have associations of their own`() throws {
    let toAuthor = oeuvre.association(to: Author.self) { oeuvre, author in
      author.id == oeuvre[Column("authorID")]
    }
    try expectLibrarySQL(
      oeuvre.all().with(oeuvre).including(required: toAuthor.filter { $0.name > "B" })
        .order(Column("books")),
      """
      \(Self.oeuvreSQL) SELECT "oeuvre".*, "author".* FROM "oeuvre" JOIN "author" \
      ON ("author"."id" = "oeuvre"."authorID") AND ("author"."name" > 'B') \
      ORDER BY "oeuvre"."books"
      """
    )
    try withLibrary { db in
      let rows = try oeuvre.all().with(oeuvre).including(required: toAuthor)
        .order(Column("books").desc).fetchAll(db)
      #expect(rows[0]["books"] == 2)
      #expect(rows[0].scopes["author"]?["name"] == "Melville")
      let toTable = oeuvre.association(to: Table("author")) { oeuvre, author in
        author[Column("id")] == oeuvre[Column("authorID")]
      }
      #expect(try oeuvre.joining(required: toTable).with(oeuvre).fetchCount(db) == 3)
      let all = oeuvre.association(to: Award.self)
      #expect(try oeuvre.joining(required: all).with(oeuvre).fetchCount(db) == 4 * 3)
    }
  }

  @Test func `A-090: an expression is reached through a table, and leads on`() throws {
    let path = Book.hasOne(Row.self, through: Book.author, using: ofAuthor)
    try expectLibrarySQL(
      Book.including(optional: path).with(oeuvre),
      """
      \(Self.oeuvreSQL) SELECT "book".*, "oeuvre".* FROM "book" \
      LEFT JOIN "author" ON "author"."id" = "book"."authorID" \
      LEFT JOIN "oeuvre" ON "oeuvre"."authorID" = "author"."id"
      """
    )
    let back = oeuvre.association(to: Author.self) { $1.id == $0[Column("authorID")] }
    try expectLibrarySQL(
      Author.joining(required: ofAuthor.joining(required: back.joining(optional: Author.country)))
        .with(oeuvre),
      """
      \(Self.oeuvreSQL) SELECT "author1".* FROM "author" "author1" \
      JOIN "oeuvre" ON "oeuvre"."authorID" = "author1"."id" \
      JOIN "author" "author2" ON "author2"."id" = "oeuvre"."authorID" \
      LEFT JOIN "country" ON "country"."code" = "author2"."countryCode"
      """
    )
  }

  @Test func `a recursive expression finds the pupils of each author`() throws {
    let school = CommonTableExpression<Row>(
      recursive: true,
      named: "school",
      columns: ["masterID", "pupilID"],
      literal: """
        SELECT mentorID, id FROM author WHERE mentorID IS NOT NULL
        UNION SELECT school.masterID, author.id FROM author, school WHERE mentorID = school.pupilID
        """
    )
    let pupils = school.association(to: Author.self) { school, author in
      author.id == school[Column("pupilID")]
    }
    let schools = Author.association(to: school) { author, school in
      school[Column("masterID")] == author.id
    }
    try withLibrary { db in
      try db.execute(sql: "UPDATE author SET mentorID = 3 WHERE id = 4")
      let rows = try Row.fetchAll(
        db,
        Author.joining(required: schools.including(required: pupils.order(\.id).forKey("pupil")))
          .with(school).order { [$0.id] }
      )
      #expect(rows.map { $0["id"] as Int } == [1, 1, 3])
      let names = rows.map { $0.scopesTree["pupil"]?["name"] as String? }
      #expect(names == ["Auster", "Anonymous", "Anonymous"])
    }
  }

  @Test func `columns make an expression an association whose rows are fetched apart`() throws {
    let oeuvres = Author.hasMany(
      oeuvre,
      using: ForeignKey(["authorID"], to: ["id"])
    ).with(oeuvre).filter(Column("books") > 1)
    try withLibrary { db in
      var rows: [Row] = []
      let statements = try tracedStatements(db) {
        rows = try Row.fetchAll(db, Author.including(all: oeuvres).order(\.id))
      }.filter { !$0.lowercased().contains("pragma") }
      #expect(
        statements == [
          #"SELECT * FROM "author" ORDER BY "id""#,
          """
          \(Self.oeuvreSQL) SELECT * FROM "oeuvre" \
          WHERE ("books" > 1) AND ("authorID" IN (1, 2, 3, 4))
          """,
        ]
      )
      #expect(rows.map { $0.prefetchedRows["oeuvres"]?.count } == [1, 0, 0, 0])
    }
  }

  @Test func `conditions compare any columns of two tables`() throws {
    let sameYear = Table("book").association(to: Book.self) { book, other in
      other.year >= book[Column("year")] && other.id != book[Column("id")]
    }
    try expectLibrarySQL(
      Table("book").joining(optional: sameYear.filter { $0.title > "A" }),
      """
      SELECT "book1".* FROM "book" "book1" LEFT JOIN "book" "book2" \
      ON (("book2"."year" >= "book1"."year") AND ("book2"."id" <> "book1"."id")) \
      AND ("book2"."title" > 'A')
      """
    )
  }

  @Test func `rows that a condition associates cannot be fetched apart`() throws {
    try withLibrary { db in
      let message = """
        the association with oeuvre has a condition that is not made of a foreign key, so that its \
        rows cannot be fetched apart: use including(optional:)
        """
      let author = try Author.find(db, key: 1)
      expectDatabaseError(.SQLITE_MISUSE, message) {
        _ = try author.request(for: ofAuthor).with(oeuvre).fetchAll(db)
      }
      let through = Author.hasMany(
        Award.self,
        through: ofAuthor,
        using: oeuvre.association(to: Award.self)
      )
      expectDatabaseError(.SQLITE_MISUSE, message) {
        _ = try Author.including(all: through).with(oeuvre).fetchAll(db)
      }
    }
  }

  @Test func `equal conditions make equal requests, and others differ`() throws {
    let other = Author.association(to: oeuvre) { author, oeuvre in
      oeuvre[Column("authorID")] == author.mentorID
    }
    #expect(Author.including(optional: ofAuthor) == Author.including(optional: ofAuthor))
    #expect(Author.including(optional: ofAuthor) != Author.including(optional: other))
    try withLibrary { db in
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        two associations of the request are called oeuvre, one with oeuvre and one with oeuvre, by \
        different columns: give one of them another name with forKey(_:)
        """
      ) {
        _ = try Author.including(optional: ofAuthor).including(optional: other).with(oeuvre)
          .fetchAll(db)
      }
      let both = Author.including(optional: ofAuthor)
        .including(optional: other.forKey("mentored")).with(oeuvre)
      let count = try both.fetchCount(db)
      #expect(count == 4)
    }
  }
}
