import Storage
import Testing

@testable import StorageTestSupport

@Suite struct AssociationRequestTests {
  private struct AuthorInfo: Decodable, Hashable, Sendable, FetchableRecord {
    var author: Author
    var books: [Book]
  }

  private static func request() -> QueryInterfaceRequest<AuthorInfo> {
    let country = TableAlias()
    return Author.including(all: Author.books.filter { $0.year > 1800 })
      .joining(optional: Author.country.aliased(country))
      .filter { $0.name > "A" && country[Column("code")] == "US" }
      .asRequest(of: AuthorInfo.self)
  }

  @Test func `equal requests are equal, and identify an observation`() throws {
    #expect(Self.request() == Self.request())
    #expect(Set([Self.request(), Self.request()]).count == 1)
    #expect(Self.request() != Self.request().order(Column("id")))
    #expect(Author.including(all: Author.books) != Author.including(all: Author.editedBooks))
    #expect(Author.including(required: Author.books) != Author.including(optional: Author.books))
    _ = ValueObservation.tracking(Self.request())
    func requiresSendable(_ value: some Hashable & Sendable) {}
    requiresSendable(Author.books)
    requiresSendable(Self.request())
  }

  @Test func `aliases without a name are distinguished by the tables that they stand for`() throws {
    func request(_ swap: Bool) -> QueryInterfaceRequest<Book> {
      let author = TableAlias(), editor = TableAlias()
      let (left, right) = swap ? (editor, author) : (author, editor)
      return Book.joining(required: Book.author.aliased(author))
        .joining(required: Book.editor.aliased(editor))
        .filter(left[Column("name")] < right[Column("name")])
    }
    #expect(request(true) == request(true))
    #expect(request(true) != request(false))
    try withLibrary { db in
      let swapped = try request(true).fetchAll(db)
      let other = try request(false).fetchAll(db)
      #expect(swapped.map(\.id) == [2])
      #expect(other.map(\.id) == [4])
    }
  }

  @Test func `an alias without a table is an error`() throws {
    try withLibrary { db in
      let alias = TableAlias()
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        no table of the request has the alias of the column name: give it to a table with aliased(_:)
        """
      ) {
        _ = try Author.filter(alias[Column("name")] == "x").fetchAll(db)
      }
    }
  }

  @Test func `rows are counted, tested, deleted and updated with their associations`() throws {
    let french = Book.including(required: Book.author.filter { $0.countryCode == "FR" })
      .including(all: Book.awards)
    try withLibrary { db in
      #expect(try french.fetchCount(db) == 1)
      #expect(try french.isEmpty(db) == false)
      #expect(try Author.filter(Column("id") == 1).including(all: Author.books).fetchCount(db) == 1)
      try expectSQL(
        db,
        """
        SELECT COUNT(*) FROM "book" JOIN "author" ON ("author"."id" = "book"."authorID") \
        AND ("author"."countryCode" = 'FR')
        """
      ) {
        _ = try french.fetchCount(db)
      }
      try expectSQL(
        db,
        """
        UPDATE "book" SET "year" = 1900 WHERE "id" IN (SELECT "book"."id" FROM "book" \
        JOIN "author" ON ("author"."id" = "book"."authorID") AND ("author"."countryCode" = 'FR'))
        """
      ) {
        try french.updateAll(db, Column("year").set(to: 1900))
      }
      let author = TableAlias()
      let melville = Author.aliased(author).filter(author[Column("name")] == "Melville")
      try expectSQL(
        db,
        """
        UPDATE "author" SET "name" = 'M.' WHERE "author"."name" = 'Melville'
        """
      ) {
        try melville.updateAll(db, Column("name").set(to: "M."))
      }
      try db.execute(sql: "DELETE FROM loan; DELETE FROM copy; DELETE FROM award")
      #expect(try french.deleteAll(db) == 1)
      #expect(try french.isEmpty(db))
    }
  }

  @Test func `one row is fetched with its associated rows, and by key without a limit`() throws {
    try withLibrary { db in
      let request = Author.filter(key: 1).including(all: Author.books)
        .asRequest(of: AuthorInfo.self)
      var info: AuthorInfo?
      let statements = try tracedStatements(db) { info = try request.fetchOne(db) }
        .filter { !$0.lowercased().contains("pragma") }
      #expect(info?.books.count == 2)
      #expect(
        statements == [
          #"SELECT * FROM "author" WHERE "id" = 1"#,
          #"SELECT * FROM "book" WHERE "authorID" IN (1)"#,
        ]
      )
      #expect(try Author.filter(key: 99).including(all: Author.books).fetchOne(db) == nil)
      let region = try Author.filter(key: 1).including(all: Author.books).databaseRegion(db)
      #expect(
        "\(region)"
          == "author(countrycode,id,mentorid,name)[1], book(authorid,editorid,id,title,year)"
      )
    }
  }

  @Test func `a cursor cannot include all associated rows`() throws {
    try withLibrary { db in
      let request = Author.including(all: Author.books)
      let message = """
        a cursor cannot include books, which are fetched for all rows at once: use fetchAll(_:)
        """
      expectDatabaseError(.SQLITE_MISUSE, message) { _ = try request.fetchCursor(db) }
      expectDatabaseError(.SQLITE_MISUSE, message) {
        _ = try request.asRequest(of: Row.self).fetchCursor(db)
      }
      let infos = try request.asRequest(of: AuthorInfo.self).fetchSet(db)
      #expect(infos.count == 4)
    }
  }

  @Test func `a join cannot limit, group or distinguish associated rows`() throws {
    try withLibrary { db in
      for (association, clause) in [
        (Author.books.limit(1), "limit"), (Author.books.distinct(), "distinct"),
        (Author.books.group(\.year), "group"),
      ] {
        expectDatabaseError(
          .SQLITE_MISUSE,
          """
          the association book has a \(clause), which a join cannot express: use including(all:), \
          or join a CommonTableExpression with join(_:on:)
          """
        ) {
          _ = try Author.joining(required: association).fetchAll(db)
        }
      }
    }
  }

  @Test func `a diamond reads the table at its end once for each way`() throws {
    try expectLibrarySQL(
      Book.including(optional: Book.author.including(optional: Author.country))
        .including(optional: Book.editor.including(optional: Author.country)).order(\.id),
      """
      SELECT "book".*, "author1".*, "country1".*, "author2".*, "country2".* FROM "book" \
      LEFT JOIN "author" "author1" ON "author1"."id" = "book"."authorID" \
      LEFT JOIN "country" "country1" ON "country1"."code" = "author1"."countryCode" \
      LEFT JOIN "author" "author2" ON "author2"."id" = "book"."editorID" \
      LEFT JOIN "country" "country2" ON "country2"."code" = "author2"."countryCode" \
      ORDER BY "book"."id"
      """
    )
    struct Person: Decodable {
      var author: Author
      var country: Nation?
    }
    struct Info: Decodable, FetchableRecord {
      struct Writer: Decodable, FetchableRecord {
        var name: String
        var country: Nation?
      }
      var book: Book
      var author: Writer?
      var editor: Writer?
    }
    try withLibrary { db in
      let infos =
        try Book
        .including(optional: Book.author.including(optional: Author.country))
        .including(optional: Book.editor.including(optional: Author.country)).order(\.id)
        .asRequest(of: Info.self).fetchAll(db)
      #expect(infos.map(\.author?.country?.code) == ["US", "US", "FR", "US", nil])
      #expect(infos.map(\.editor?.country?.code) == [nil, "US", nil, "FR", nil])
    }
  }

  @Test func `a table that refers to itself is fetched as a tree`() throws {
    struct Pupil: Decodable, FetchableRecord {
      var author: Author
      var pupils: [Author]
    }
    struct Master: Decodable, FetchableRecord {
      var author: Author
      var pupils: [Pupil]
    }
    try withLibrary { db in
      try db.execute(sql: "UPDATE author SET mentorID = 3 WHERE id = 4")
      let masters = try Author.filter { $0.mentorID == nil }.order(\.id)
        .including(all: Author.pupils.including(all: Author.pupils))
        .asRequest(of: Master.self).fetchAll(db)
      #expect(masters.map(\.author.id) == [1, 2])
      #expect(masters.map { $0.pupils.map { $0.pupils.map(\.id) } } == [[[4]], []])
    }
  }

  @Test func `a table between needs no record type`() throws {
    try withLibrary { db in
      let books = Reader.hasMany(Copy.self, through: Table("loan"))
      let request = Reader.including(all: books.order(\.id)).order(Column("id"))
      let rows = try Row.fetchAll(db, request)
      #expect(
        rows.map { $0.prefetchedRows["copies"]!.map { $0["id"] as Int } } == [[1, 4], [1], []]
      )
      expectSQL(
        try Reader.joining(required: books).makePreparedRequest(db).statement,
        """
        SELECT "reader".* FROM "reader" JOIN "loan" ON "loan"."readerID" = "reader"."id" \
        JOIN "copy" ON "copy"."id" = "loan"."copyID"
        """
      )
    }
  }

  @Test func `an association that is used twice is joined once`() throws {
    let alias = TableAlias(name: "a")
    try expectLibrarySQL(
      Book.joining(required: Book.author.filter { $0.name > "M" }.aliased(alias))
        .including(optional: Book.author.filter { $0.name > "M" }.select(\.name))
        .filter(alias[Column("id")] > 1),
      """
      SELECT "book".*, "a"."name" FROM "book" JOIN "author" "a" \
      ON ("a"."id" = "book"."authorID") AND ("a"."name" > 'M') WHERE "a"."id" > 1
      """
    )
  }
}
