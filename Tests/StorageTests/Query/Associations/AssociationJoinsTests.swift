import Storage
import Testing

@testable import StorageTestSupport

@Suite struct AssociationJoinsTests {
  @Test func `A-085, A-086: including, joining and annotating write a join by the foreign key`()
    throws
  {
    try expectLibrarySQL(
      Award.including(required: Award.book),
      #"SELECT "award".*, "book".* FROM "award" JOIN "book" ON "book"."id" = "award"."bookID""#
    )
    try expectLibrarySQL(
      Book.including(optional: Book.author),
      """
      SELECT "book".*, "author".* FROM "book" \
      LEFT JOIN "author" ON "author"."id" = "book"."authorID"
      """
    )
    try expectLibrarySQL(
      Author.joining(required: Author.books.filter { $0.year < 1900 }),
      """
      SELECT "author".* FROM "author" JOIN "book" \
      ON ("book"."authorID" = "author"."id") AND ("book"."year" < 1900)
      """
    )
    try expectLibrarySQL(
      Book.annotated(withOptional: Book.author.select { $0.name.forKey("authorName") }),
      """
      SELECT "book".*, "author"."name" AS "authorName" FROM "book" \
      LEFT JOIN "author" ON "author"."id" = "book"."authorID"
      """
    )
    try expectLibrarySQL(
      Book.including(optional: Book.cover),
      """
      SELECT "book".*, "cover".* FROM "book" LEFT JOIN "cover" ON "cover"."bookID" = "book"."id"
      """
    )
    try expectLibrarySQL(
      Copy.including(required: Copy.shelf),
      """
      SELECT "copy".*, "shelf".* FROM "copy" JOIN "shelf" \
      ON ("shelf"."room" = "copy"."room") AND ("shelf"."number" = "copy"."number")
      """
    )
  }

  @Test func `a joined row exists if the first column of its key is not NULL`() throws {
    let shelf = TableAlias<Shelf>()
    try expectLibrarySQL(
      Copy.joining(optional: Copy.shelf.aliased(shelf)).filter(shelf.exists),
      """
      SELECT "copy".* FROM "copy" LEFT JOIN "shelf" \
      ON ("shelf"."room" = "copy"."room") AND ("shelf"."number" = "copy"."number") \
      WHERE "shelf"."room" IS NOT NULL
      """
    )
  }

  @Test func `a joined row of a view exists if one of its columns is not NULL`() throws {
    try withLibrary { db in
      try db.execute(
        sql: "CREATE VIEW classic AS SELECT NULL AS note, authorID FROM book WHERE year < 1850"
      )
      let classic = TableAlias(name: "c")
      let classics = Author.association(to: Table("classic")) { author, classic in
        classic["authorID"] == author["id"]
      }
      let request = Author.joining(optional: classics.aliased(classic)).order(\.id)
      #expect(try request.filter(classic.exists).fetchAll(db).map(\.name) == ["Melville"])
      #expect(
        try request.filter(!classic.exists).fetchAll(db).map(\.name)
          == ["Zola", "Auster", "Anonymous"]
      )
      #expect(try request.filter(classic.exists && true.databaseValue).fetchCount(db) == 1)
      expectSQL(
        try request.filter(!classic.exists).makePreparedRequest(db).statement,
        """
        SELECT "author".* FROM "author" LEFT JOIN "classic" "c" \
        ON "c"."authorID" = "author"."id" \
        WHERE "c"."note" IS NULL AND "c"."authorID" IS NULL ORDER BY "author"."id"
        """
      )
      // The same holds for the rows of a common table expression.
      let old = CommonTableExpression<Row>(named: "old", sql: "SELECT * FROM classic")
      let oldOnes = Author.association(to: old) { $1["authorID"] == $0["id"] }
      let found = Author.joining(optional: oldOnes.aliased(classic)).with(old)
      #expect(try found.filter(classic.exists).fetchCount(db) == 1)
    }
  }

  @Test func `filters, orders and selections of associations go to their own table`() throws {
    try expectLibrarySQL(
      Book.all()
        .including(
          required: Book.author.select { [$0.name] }.filter { $0.name > "M" }.order(\.name)
        )
        .filter { $0.title > "A" }.order(\.title.desc),
      """
      SELECT "book".*, "author"."name" FROM "book" JOIN "author" \
      ON ("author"."id" = "book"."authorID") AND ("author"."name" > 'M') \
      WHERE "book"."title" > 'A' ORDER BY "book"."title" DESC, "author"."name"
      """
    )
  }

  @Test func `A-084: a table that is read twice gets a number, an alias keeps its name`() throws {
    try expectLibrarySQL(
      Author.including(optional: Author.mentor),
      """
      SELECT "author1".*, "author2".* FROM "author" "author1" \
      LEFT JOIN "author" "author2" ON "author2"."id" = "author1"."mentorID"
      """
    )
    let mentor = TableAlias<Author>(name: "mentor")
    try expectLibrarySQL(
      Author.including(required: Author.mentor.aliased(mentor)).filter(mentor.name > "M"),
      """
      SELECT "author".*, "mentor".* FROM "author" \
      JOIN "author" "mentor" ON "mentor"."id" = "author"."mentorID" WHERE "mentor"."name" > 'M'
      """
    )
    let pupil = TableAlias(), teacher = TableAlias<Author>()
    try expectLibrarySQL(
      Author.all().aliased(pupil).including(required: Author.mentor.aliased(teacher))
        .filter(pupil[Column("name")] > teacher.name),
      """
      SELECT "author1".*, "author2".* FROM "author" "author1" \
      JOIN "author" "author2" ON "author2"."id" = "author1"."mentorID" \
      WHERE "author1"."name" > "author2"."name"
      """
    )
    try expectLibrarySQL(
      Book.including(optional: Book.author).including(optional: Book.editor),
      """
      SELECT "book".*, "author1".*, "author2".* FROM "book" \
      LEFT JOIN "author" "author1" ON "author1"."id" = "book"."authorID" \
      LEFT JOIN "author" "author2" ON "author2"."id" = "book"."editorID"
      """
    )
  }

  @Test func `A-085: an association through others joins them, and shares their joins`() throws {
    try expectLibrarySQL(
      Book.including(optional: Book.country),
      """
      SELECT "book".*, "country".* FROM "book" \
      LEFT JOIN "author" ON "author"."id" = "book"."authorID" \
      LEFT JOIN "country" ON "country"."code" = "author"."countryCode"
      """
    )
    try expectLibrarySQL(
      Book.including(required: Book.author).including(optional: Book.country),
      """
      SELECT "book".*, "author".*, "country".* FROM "book" \
      JOIN "author" ON "author"."id" = "book"."authorID" \
      LEFT JOIN "country" ON "country"."code" = "author"."countryCode"
      """
    )
  }

  @Test func `what an optional row requires is joined with it first`() throws {
    let request = Book.including(
      optional: Book.author.including(required: Author.country.filter { $0.code == "US" })
    ).order(\.id)
    try expectLibrarySQL(
      request,
      """
      SELECT "book".*, "author"."id" AS "id", "author"."name" AS "name", \
      "author"."countryCode" AS "countryCode", "author"."mentorID" AS "mentorID", \
      "country"."code" AS "code", "country"."name" AS "name" \
      FROM "book" LEFT JOIN ("author" JOIN "country" \
      ON ("country"."code" = "author"."countryCode") AND ("country"."code" = 'US')) \
      ON "author"."id" = "book"."authorID" ORDER BY "book"."id"
      """
    )
    try withLibrary { db in
      let rows = try Row.fetchAll(db, request)
      #expect(
        rows.map { $0.scopes["author"]?["name"] as String? }
          == ["Melville", "Melville", nil, "Auster", nil]
      )
    }
  }

  @Test func `JOI-02, JOI-03: an association joins a table, with or without its columns`() throws {
    let join = #"FROM "author" JOIN "book" ON "book"."authorID" = "author"."id""#
    try expectLibrarySQL(Author.joining(required: Author.books), #"SELECT "author".* \#(join)"#)
    try expectLibrarySQL(
      Author.including(required: Author.books),
      #"SELECT "author".*, "book".* \#(join)"#
    )
    try withLibrary { db in
      let authors = try Author.joining(required: Author.books).order(\.id).fetchAll(db)
      #expect(authors.map(\.id) == [1, 1, 2, 3])
      let rows = try Row.fetchAll(db, Author.including(required: Author.books).order(\.id))
      let titles = rows.map { $0.scopes["book"]?["title"] as String? }
      #expect(Set(titles) == ["Moby-Dick", "Typee", "Germinal", "Leviathan"])
    }
  }

  @Test func `JOI-10: a table is joined with itself through an alias`() throws {
    let mentors = TableAlias<Author>(name: "mentors")
    let request = Author.joining(required: Author.mentor.aliased(mentors))
    try expectLibrarySQL(
      request,
      """
      SELECT "author".* FROM "author" \
      JOIN "author" "mentors" ON "mentors"."id" = "author"."mentorID"
      """
    )
    try withLibrary { db in
      let names = try request.select { [$0.name, mentors.name.forKey("mentor")] }
        .asRequest(of: Row.self).fetchAll(db).map { [$0["name"] as String, $0["mentor"]] }
      #expect(names == [["Auster", "Melville"]])
    }
  }

  @Test func `rows through pivots of different names are fetched apart`() throws {
    func books(_ name: String, _ room: String) -> HasManyThroughAssociation<Shelf, Book> {
      let copies = Shelf.copies.filter(Column("room") == room).forKey(name)
      return Shelf.hasMany(Book.self, through: copies, using: Copy.book)
    }
    try withLibrary { db in
      let request = Shelf.including(all: books("here", "A").forKey("found"))
        .including(all: books("there", "B").forKey("missing"))
      let row = try #require(try Row.fetchOne(db, request))
      let found = row.prefetchedRows["found"]?.map { $0["title"] as String }
      #expect(found?.sorted() == ["Moby-Dick", "Moby-Dick", "Typee"])
      #expect(row.prefetchedRows["missing"] == [])
      // With one name, neither of them may be dropped or merged into the other.
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        two associations of the request are called books, one through here and one through there: \
        give one of them another name with forKey(_:)
        """
      ) {
        _ = try Shelf.including(all: books("here", "A")).including(all: books("there", "B"))
          .fetchAll(db)
      }
      let twice = Shelf.including(all: books("here", "A")).including(all: books("here", "A"))
      #expect(try Row.fetchOne(db, twice)?.prefetchedRows["books"]?.count == 3)
    }
  }

  @Test func `one name for two tables, or with two aliases, is an error that names both`() throws {
    try withLibrary { db in
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        two associations of the request are called works, one with book and one with award, by \
        different columns: give one of them another name with forKey(_:)
        """
      ) {
        _ = try Author.including(all: Author.books.forKey("works"))
          .including(all: Author.awards.forKey("works")).fetchAll(db)
      }
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        two associations of the request are called author, with the aliases a and b: give one of \
        them another name with forKey(_:)
        """
      ) {
        _ = try Book.joining(required: Book.author.aliased(TableAlias(name: "a")))
          .including(required: Book.author.aliased(TableAlias(name: "b"))).fetchAll(db)
      }
      // The error comes from any level.
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        two associations of the request are called author, one with author and one with author, by \
        different columns: give one of them another name with forKey(_:)
        """
      ) {
        let books = Author.books.including(optional: Book.author)
        _ = try Author.including(
          all: books.including(optional: Book.editor.forKey("author"))
        ).fetchAll(db)
      }
    }
  }

  @Test func `one name for two different associations is an error that says what to write`() throws
  {
    try withLibrary { db in
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        two associations of the request are called author, one with author and one with author, by \
        different columns: give one of them another name with forKey(_:)
        """
      ) {
        _ = try Book.including(optional: Book.author)
          .including(optional: Book.editor.forKey("author")).fetchAll(db)
      }
    }
  }

  /// A use of a request.
  enum Use: String, CaseIterable {
    case fetch, first, count, exists, delete, update

    func run<Record: FetchableRecord>(
      _ request: QueryInterfaceRequest<Record>,
      _ column: String,
      _ db: Database
    ) throws {
      switch self {
      case .fetch: _ = try request.fetchAll(db)
      case .first: _ = try request.fetchOne(db)
      case .count: _ = try request.fetchCount(db)
      case .exists: _ = try request.isEmpty(db)
      case .delete: _ = try request.deleteAll(db)
      case .update: _ = try request.updateAll(db, Column(column).set(to: ""))
      }
    }
  }

  @Test(arguments: Use.allCases)
  func `no use of a request drops one of two associations with one name`(use: Use) throws {
    let books = Book.joining(required: Book.author.filter { $0.name == "Melville" })
      .joining(required: Book.editor.forKey("author"))
    let authors = Author.having(
      Author.books.joining(optional: Book.author)
        .joining(optional: Book.editor.forKey("author")).count >= 1
    )
    let error = """
      two associations of the request are called author, one with author and one with author, by \
      different columns: give one of them another name with forKey(_:)
      """
    try withLibrary { db in
      expectDatabaseError(.SQLITE_MISUSE, error) { try use.run(books, "title", db) }
      expectDatabaseError(.SQLITE_MISUSE, error) { try use.run(authors, "name", db) }
    }
  }
}
