import Storage
import Testing

@testable import StorageTestSupport

@Suite struct AssociationAggregateTests {
  private static let joined = """
    FROM "author" LEFT JOIN "book" ON "book"."authorID" = "author"."id" GROUP BY "author"."id"
    """

  // MARK: - SQL

  @Test(arguments: [
    (Author.books.count, #"COUNT(DISTINCT "book"."id") AS "bookCount""#),
    (Author.books.isEmpty, #"COUNT(DISTINCT "book"."id") = 0 AS "hasNoBook""#),
    (Author.books.min(Column("year")), #"MIN("book"."year") AS "minBookYear""#),
    (Author.books.max { $0.year }, #"MAX("book"."year") AS "maxBookYear""#),
    (Author.books.average(\.year), #"AVG("book"."year") AS "averageBookYear""#),
    (Author.books.sum { $0.year }, #"SUM("book"."year") AS "bookYearSum""#),
    (Author.books.total(\.year), #"TOTAL("book"."year") AS "bookYearSum""#),
    (Author.books.min { length($0.title) }, #"MIN(LENGTH("book"."title"))"#),
    (Author.books.count.forKey("n"), #"COUNT(DISTINCT "book"."id") AS "n""#),
  ])
  func `aggregates are columns with a name`(
    aggregate: AssociationAggregate<Author>,
    sql: String
  ) throws {
    try expectLibrarySQL(
      Author.annotated(with: aggregate),
      #"SELECT "author".*, "# + sql + " " + Self.joined
    )
  }

  /// Checks an aggregate as a column and as a condition. `#` means the number of books.
  private func check(
    _ aggregate: AssociationAggregate<Author>,
    _ sql: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let sql = sql.replacing("#", with: #"COUNT(DISTINCT "book"."id")"#)
    try expectLibrarySQL(
      Author.annotated(with: aggregate),
      #"SELECT "author".*, "# + sql + " " + Self.joined,
      sourceLocation: sourceLocation
    )
    try expectLibrarySQL(
      Author.having(aggregate),
      #"SELECT "author".* "# + Self.joined + " HAVING " + sql,
      sourceLocation: sourceLocation
    )
  }

  @Test func `aggregates combine by operators and functions, and lose their name`() throws {
    try check(Author.books.count + 1, "# + 1")
    try check(1 + Author.books.count, "1 + #")
    try check(Author.books.count - Author.books.count, "# - #")
    try check(-Author.books.count, "-#")
    try check(Author.books.count * 2, "# * 2")
    try check(7 / Author.books.count, "7 / #")
    try check(Author.books.count % 2, "# % 2")
    try check(Author.books.count < 2, "# < 2")
    try check(Author.books.count <= 2, "# <= 2")
    try check(2 > Author.books.count, "2 > #")
    try check(Author.books.count >= Author.books.count, "# >= #")
    try check(Author.books.count == 2, "# = 2")
    try check(Author.books.count != 2, "# <> 2")
    try check(Author.books.count == nil, "# IS NULL")
    try check(Author.books.count != nil, "# IS NOT NULL")
    try check(Author.books.isEmpty == false, "# > 0")
    try check(true == Author.books.isEmpty, "# = 0")
    try check(Author.books.isEmpty != true, "# > 0")
    try check(!Author.books.isEmpty, "# > 0")
    try check(Author.books.count > 1 && Author.books.count < 3, "(# > 1) AND (# < 3)")
    try check(Author.books.isEmpty || Author.books.count > 2, "(# = 0) OR (# > 2)")
    try check(Author.books.count == Column("id"), ##"# = "author"."id""##)
    try check(Column("id") < Author.books.count, ##""author"."id" < #"##)
    try check(abs(Author.books.count), "ABS(#)")
    try check(length(Author.books.count), "LENGTH(#)")
    try check(round(Author.books.count, 1), "ROUND(#, 1)")
  }

  @Test func `a conversion to a type keeps the name of an aggregate`() throws {
    try expectLibrarySQL(
      Author.annotated(with: cast(Author.books.count, as: .real)),
      #"SELECT "author".*, CAST(COUNT(DISTINCT "book"."id") AS REAL) AS "bookCount" "#
        + Self.joined
    )
    try expectLibrarySQL(
      Author.annotated(with: cast(Author.books.max(\.year) ?? 0, as: .text)),
      #"SELECT "author".*, CAST(IFNULL(MAX("book"."year"), 0) AS TEXT) AS "maxBookYear" "#
        + Self.joined
    )
    try expectLibrarySQL(
      Author.annotated(with: cast(Author.books.count, as: .real).forKey("n")),
      #"SELECT "author".*, CAST(COUNT(DISTINCT "book"."id") AS REAL) AS "n" "# + Self.joined
    )
  }

  @Test func `a default value keeps the name of an aggregate`() throws {
    try expectLibrarySQL(
      Author.annotated(with: Author.books.max(\.year) ?? 0),
      #"SELECT "author".*, IFNULL(MAX("book"."year"), 0) AS "maxBookYear" "# + Self.joined
    )
  }

  @Test func `names of associations are singular in names of columns`() throws {
    try withLibrary { db in
      let request = Author.annotated(
        with: Author.pupils.count,
        Author.books.forKey("novels").count,
        Author.books.forKey("novels").max(\.year),
        Author.awards.isEmpty
      )
      let columns = try request.makePreparedRequest(db).statement.columnNames
      #expect(columns.suffix(4) == ["pupilCount", "novelCount", "maxNovelYear", "hasNoAward"])
    }
  }

  @Test func `several aggregates of one association share a join, also with filters`() throws {
    try expectLibrarySQL(
      Author.annotated(with: Author.books.min(\.year), Author.books.max(\.year))
        .having(Author.books.count >= 1),
      """
      SELECT "author".*, MIN("book"."year") AS "minBookYear", MAX("book"."year") AS "maxBookYear" \
      \(Self.joined) HAVING COUNT(DISTINCT "book"."id") >= 1
      """
    )
    let old = Author.books.filter { $0.year < 1860 }
    try expectLibrarySQL(
      Author.annotated(with: old.count.forKey("old"), Author.books.count),
      """
      SELECT "author".*, COUNT(DISTINCT "book1"."id") AS "old", \
      COUNT(DISTINCT "book2"."id") AS "bookCount" FROM "author" \
      LEFT JOIN "book" "book1" ON ("book1"."authorID" = "author"."id") AND ("book1"."year" < 1860) \
      LEFT JOIN "book" "book2" ON "book2"."authorID" = "author"."id" GROUP BY "author"."id"
      """
    )
  }

  @Test func `tables between are joined, and shared`() throws {
    try expectLibrarySQL(
      Author.annotated(with: Author.books.count, Author.awards.count),
      """
      SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount", \
      COUNT(DISTINCT "award"."id") AS "awardCount" FROM "author" \
      LEFT JOIN "book" ON "book"."authorID" = "author"."id" \
      LEFT JOIN "award" ON "award"."bookID" = "book"."id" GROUP BY "author"."id"
      """
    )
  }

  @Test func `the same table twice, and a table that refers to itself`() throws {
    try expectLibrarySQL(
      Author.having(Author.books.count > Author.editedBooks.count),
      """
      SELECT "author".* FROM "author" \
      LEFT JOIN "book" "book1" ON "book1"."authorID" = "author"."id" \
      LEFT JOIN "book" "book2" ON "book2"."editorID" = "author"."id" GROUP BY "author"."id" \
      HAVING COUNT(DISTINCT "book1"."id") > COUNT(DISTINCT "book2"."id")
      """
    )
    try expectLibrarySQL(
      Author.having(Author.pupils.count > 0).order(\.name),
      """
      SELECT "author1".* FROM "author" "author1" \
      LEFT JOIN "author" "author2" ON "author2"."mentorID" = "author1"."id" \
      GROUP BY "author1"."id" HAVING COUNT(DISTINCT "author2"."id") > 0 ORDER BY "author1"."name"
      """
    )
  }

  @Test func `rows without an integer key are grouped by their row ids or their keys`() throws {
    try expectLibrarySQL(
      Reader.annotated(with: Reader.loans.count),
      """
      SELECT "reader".*, COUNT(DISTINCT "loan"."rowid") AS "loanCount" FROM "reader" \
      LEFT JOIN "loan" ON "loan"."readerID" = "reader"."id" GROUP BY "reader"."id"
      """
    )
    try expectLibrarySQL(
      Shelf.annotated(with: Shelf.copies.count),
      """
      SELECT "shelf".*, COUNT(DISTINCT "copy"."id") AS "copyCount" FROM "shelf" LEFT JOIN "copy" \
      ON ("copy"."room" = "shelf"."room") AND ("copy"."number" = "shelf"."number") \
      GROUP BY "shelf"."room", "shelf"."number"
      """
    )
    try withLibrary { db in
      let request = Book.annotated(with: Book.shelves.count).order(\.id)
      expectSQL(
        try request.makePreparedRequest(db).statement,
        """
        SELECT "book".*, COUNT(DISTINCT CASE WHEN "shelf"."room" IS NOT NULL \
        THEN QUOTE("shelf"."room") || ',' || QUOTE("shelf"."number") END) AS "shelfCount" \
        FROM "book" LEFT JOIN "copy" ON "copy"."bookID" = "book"."id" LEFT JOIN "shelf" \
        ON ("shelf"."room" = "copy"."room") AND ("shelf"."number" = "copy"."number") \
        GROUP BY "book"."id" ORDER BY "book"."id"
        """
      )
      let counts = try Row.fetchAll(db, request).map { $0["shelfCount"] as Int }
      #expect(counts == [1, 1, 1, 0, 0])
    }
  }

  @Test func `a column that hides the row id is not taken for it`() throws {
    struct Box: TableRecord {
      static let things = hasMany(Thing.self)
    }
    struct Thing: TableRecord {}
    try DatabaseQueue().writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE box (code TEXT PRIMARY KEY, rowid TEXT);
          CREATE TABLE thing (name TEXT, oid INT, boxCode TEXT REFERENCES box(code));
          INSERT INTO box VALUES ('a', 'x'), (NULL, 'x'), (NULL, 'x');
          INSERT INTO thing VALUES ('n', 1, 'a'), ('n', 1, 'a');
          """
      )
      let rows = try Row.fetchAll(db, Box.annotated(with: Box.things.count))
      #expect(rows.map { $0["thingCount"] as Int } == [2, 0, 0])
    }
  }

  // MARK: - Requests

  @Test func `aggregates are added to requests, tables and arrays, and sort rows`() throws {
    try withLibrary { db in
      let request = Author.filter { $0.name != "Zola" }.annotated(with: [Author.books.count])
        .order(Author.books.count.desc, Column("name"))
      expectSQL(
        try request.makePreparedRequest(db).statement,
        """
        SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount" FROM "author" \
        LEFT JOIN "book" ON "book"."authorID" = "author"."id" WHERE "author"."name" <> 'Zola' \
        GROUP BY "author"."id" ORDER BY COUNT(DISTINCT "book"."id") DESC, "author"."name"
        """
      )
      let rows = try Row.fetchAll(db, request)
      #expect(rows.map { $0["name"] as String } == ["Melville", "Auster", "Anonymous"])
      #expect(rows.map { $0["bookCount"] as Int } == [2, 1, 0])
      let table = Table<Author>("author")
      #expect(try table.having(Author.books.isEmpty).fetchAll(db).map(\.name) == ["Anonymous"])
      #expect(
        try table.annotated(with: Author.books.count).makePreparedRequest(db).statement.sql
          == Author.annotated(with: Author.books.count).makePreparedRequest(db).statement.sql
      )
      #expect(try Author.order(Author.books.count).fetchAll(db).map(\.id).last == 1)
    }
  }

  @Test func `pages are sorted by aggregates`() throws {
    try withLibrary { db in
      let request = Author.order(Author.books.count.desc).having(Author.books.count < 5)
      var ids: [Int64] = []
      var position: KeysetPosition?
      repeat {
        let page = try request.fetchPage(db, after: position, size: 1)
        ids += page.rows.map(\.id)
        position = page.next
      } while position != nil
      #expect(ids == [1, 3, 2, 4])
    }
  }

  @Test func `annotated columns are decoded`() throws {
    struct Info: Decodable, FetchableRecord, Equatable {
      var author: Author
      var bookCount: Int
      var maxBookYear: Int?
    }
    struct Flat: Decodable, FetchableRecord {
      var name: String
      var hasNoBook: Bool
    }
    try withLibrary { db in
      let infos = try Author.annotated(with: Author.books.count, Author.books.max(\.year))
        .order(\.id).asRequest(of: Info.self).fetchAll(db)
      #expect(infos.map(\.author.id) == [1, 2, 3, 4])
      #expect(infos.map(\.bookCount) == [2, 1, 1, 0])
      #expect(infos.map(\.maxBookYear) == [1851, 1885, 1992, nil])
      let flat = try Author.annotated(with: Author.books.isEmpty).order(\.id)
        .asRequest(of: Flat.self).fetchAll(db)
      #expect(flat.map(\.hasNoBook) == [false, false, false, true])
    }
  }

  @Test func `rows are counted, tested, updated and deleted`() throws {
    try withLibrary { db in
      let productive = Author.having(Author.books.count >= 2)
      #expect(try productive.fetchCount(db) == 1)
      #expect(try productive.isEmpty(db) == false)
      #expect(try Author.annotated(with: Author.books.count).fetchCount(db) == 4)
      #expect(try Author.filter(key: 1).annotated(with: Author.books.count).fetchOne(db)?.id == 1)
      try expectSQL(
        db,
        """
        UPDATE "author" SET "name" = 'M.' WHERE "id" IN (SELECT "author"."id" FROM "author" \
        LEFT JOIN "book" ON "book"."authorID" = "author"."id" GROUP BY "author"."id" \
        HAVING COUNT(DISTINCT "book"."id") >= 2)
        """
      ) {
        try productive.updateAll(db, Column("name").set(to: "M."))
      }
      #expect(try Author.having(Author.books.isEmpty).deleteAll(db) == 1)
      #expect(try Author.fetchCount(db) == 3)
    }
  }

  @Test func `aliases of an association refer to its rows`() throws {
    let book = TableAlias(), other = TableAlias()
    try withLibrary { db in
      let old = Author.books.aliased(book).filter(book[Column("year")] < 1850)
      let authors = try Author.having(old.count > 0).fetchAll(db)
      #expect(authors.map(\.id) == [1])
      try expectLibrarySQL(
        Author.annotated(with: Author.books.aliased(book).count)
          .having(Author.books.aliased(other).count > 0)
          .group(other[Column("year")], book[Column("id")]),
        """
        SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount" FROM "author" \
        LEFT JOIN "book" ON "book"."authorID" = "author"."id" \
        GROUP BY "book"."year", "book"."id" HAVING COUNT(DISTINCT "book"."id") > 0
        """
      )
      try expectLibrarySQL(
        Author.having(Author.books.aliased(TableAlias(name: "b")).count > 0),
        """
        SELECT "author".* FROM "author" LEFT JOIN "book" "b" ON "b"."authorID" = "author"."id" \
        GROUP BY "author"."id" HAVING COUNT(DISTINCT "b"."id") > 0
        """
      )
    }
  }

  @Test func `equal requests are equal, and a change of an associated row is observed`() throws {
    func request(_ minimum: Int) -> QueryInterfaceRequest<Author> {
      Author.having(Author.books.filter { $0.year > 1800 }.count >= minimum)
    }
    #expect(request(1) == request(1))
    #expect(Set([request(1), request(1), request(2)]).count == 2)
    #expect(Author.having(Author.books.isEmpty) != Author.having(Author.pupils.isEmpty))
    try withLibrary { db in
      let region = try request(1).databaseRegion(db)
      #expect("\(region)" == "author(countrycode,id,mentorid,name), book(authorid,id,year)")
      let nested = try Book.including(all: Book.awards).joining(
        optional: Book.author.annotated(with: Author.pupils.count)
      ).databaseRegion(db)
      #expect("\(nested)".contains("award("))
    }
  }

  @Test func `an observation follows the associated rows`() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in
      try db.execute(sql: Library.schema)
      try db.execute(sql: Library.content)
    }
    let recorder = Recorder<[Int64]>()
    let request = Author.having(Author.books.count >= 2).order(\.id)
    let observation = ValueObservation.tracking { db in try request.fetchAll(db).map(\.id) }
      .start(
        in: queue,
        onError: { recorder.append(error: $0) },
        onChange: { recorder.append($0) }
      )
    defer { observation.cancel() }
    #expect(try await recorder.nextValue() == [1])
    try await queue.write { try $0.execute(sql: "UPDATE book SET authorID = 2 WHERE id = 4") }
    #expect(try await recorder.nextValue() == [1, 2])
  }
}
