import Storage
import Testing

@testable import StorageTestSupport

/// Aggregates whose rows would be joined several times, and aggregates of joined tables.
@Suite struct AggregateIsolationTests {
  @Test func `a sum is not multiplied by other joins`() throws {
    try withLibrary { db in
      let request = Author.annotated(
        with: Author.books.sum(\.year).forKey("years"),
        Author.awards.count,
        Author.pupils.sum(\.id).forKey("pupils")
      ).order(\.id)
      expectSQL(
        try request.makePreparedRequest(db).statement,
        """
        SELECT "author".*, (SELECT SUM("book"."year") FROM "book" \
        WHERE "book"."authorID" = "author"."id") AS "years", \
        COUNT(DISTINCT "award"."id") AS "awardCount", (SELECT SUM("author1"."id") \
        FROM "author" "author1" WHERE "author1"."mentorID" = "author"."id") AS "pupils" \
        FROM "author" LEFT JOIN "book" ON "book"."authorID" = "author"."id" \
        LEFT JOIN "award" ON "award"."bookID" = "book"."id" GROUP BY "author"."id" \
        ORDER BY "author"."id"
        """
      )
      let rows = try Row.fetchAll(db, request)
      #expect(rows.map { $0["years"] as Int? } == [3697, 1885, 1992, nil])
      #expect(rows.map { $0["awardCount"] as Int } == [2, 1, 0, 0])
      #expect(rows.map { $0["pupils"] as Int? } == [3, nil, nil, nil])
    }
  }

  @Test func `a sum through other tables is joined, and their count beside it`() throws {
    try expectLibrarySQL(
      Author.annotated(with: Author.awards.sum(\.id).forKey("s"), Author.books.count),
      """
      SELECT "author".*, SUM("award"."id") AS "s", COUNT(DISTINCT "book"."id") AS "bookCount" \
      FROM "author" LEFT JOIN "book" ON "book"."authorID" = "author"."id" \
      LEFT JOIN "award" ON "award"."bookID" = "book"."id" GROUP BY "author"."id"
      """
    )
    try withLibrary { db in
      let request = Author.joining(required: Author.books)
        .annotated(with: Author.awards.sum(\.id).forKey("s")).order(\.id)
      expectSQL(
        try request.makePreparedRequest(db).statement,
        """
        SELECT "author".*, (SELECT SUM("award"."id") FROM "book" \
        JOIN "award" ON "award"."bookID" = "book"."id" WHERE "book"."authorID" = "author"."id") \
        AS "s" FROM "author" JOIN "book" ON "book"."authorID" = "author"."id" \
        GROUP BY "author"."id" ORDER BY "author"."id"
        """
      )
      let sums = try Row.fetchAll(db, request).map { $0["s"] as Int? }
      #expect(sums == [3, 3, nil])
    }
  }

  @Test func `one row is joined, and the rows are grouped`() throws {
    try expectLibrarySQL(
      Book.including(optional: Book.author).including(optional: Book.cover)
        .annotated(with: Book.awards.count),
      """
      SELECT "book".*, COUNT(DISTINCT "award"."id") AS "awardCount", "author".*, "cover".* \
      FROM "book" LEFT JOIN "author" ON "author"."id" = "book"."authorID" \
      LEFT JOIN "cover" ON "cover"."bookID" = "book"."id" \
      LEFT JOIN "award" ON "award"."bookID" = "book"."id" GROUP BY "book"."id"
      """
    )
  }

  @Test func `joined rows are not merged`() throws {
    try withLibrary { db in
      let request = Author.including(required: Author.books.order(\.id))
        .annotated(with: Author.pupils.count)
        .having(Author.books.count > 0)
      expectSQL(
        try request.makePreparedRequest(db).statement,
        """
        SELECT "author".*, (SELECT COUNT(DISTINCT "author1"."id") FROM "author" "author1" \
        WHERE "author1"."mentorID" = "author"."id") AS "pupilCount", "book".* FROM "author" \
        JOIN "book" ON "book"."authorID" = "author"."id" \
        WHERE (SELECT COUNT(DISTINCT "book"."id") FROM "book" \
        WHERE "book"."authorID" = "author"."id") > 0 ORDER BY "book"."id"
        """
      )
      let rows = try Row.fetchAll(db, request)
      #expect(rows.map { $0.scopes["book"]!["id"] as Int } == [1, 2, 3, 4])
      #expect(rows.map { $0["pupilCount"] as Int } == [1, 1, 0, 0])
      #expect(try request.fetchCount(db) == 4)
    }
  }

  @Test func `aggregates of all included rows`() throws {
    struct BookInfo: Decodable, FetchableRecord {
      var book: Book
      var awardCount: Int
    }
    struct Info: Decodable, FetchableRecord {
      var author: Author
      var books: [BookInfo]
    }
    try withLibrary { db in
      let books = Author.books.having(!Book.awards.isEmpty).annotated(with: Book.awards.count)
      let request = Author.including(all: books).order(\.id).asRequest(of: Info.self)
      var infos: [Info] = []
      try expectSQL(
        db,
        """
        SELECT "book".*, COUNT(DISTINCT "award"."id") AS "awardCount" FROM "book" \
        LEFT JOIN "award" ON "award"."bookID" = "book"."id" \
        WHERE "book"."authorID" IN (1, 2, 3, 4) GROUP BY "book"."id" \
        HAVING COUNT(DISTINCT "award"."id") > 0
        """
      ) {
        infos = try request.fetchAll(db)
      }
      #expect(infos.map { $0.books.map(\.book.id) } == [[1], [3], [], []])
      #expect(infos.map { $0.books.map(\.awardCount) } == [[2], [1], [], []])
    }
  }

  @Test func `aggregates of rows that several rows have in common`() throws {
    try withLibrary { db in
      let copies = Reader.copies.annotated(with: Copy.loans.count).order(Copy.loans.count.desc)
      let rows = try Row.fetchAll(db, Reader.including(all: copies.limit(1)).order(Column("id")))
      let counts = rows.map { $0.prefetchedRows["copies"]!.map { $0["loanCount"] as Int } }
      #expect(counts == [[2], [2], []])
      let ben = try Reader.find(db, key: 2)
      let copy = try Row.fetchOne(db, ben.request(for: copies).asRequest(of: Row.self))
      #expect(copy?["loanCount"] as Int? == 2)
    }
  }

  @Test func `aggregates of joined rows are subqueries`() throws {
    struct Info: Decodable, FetchableRecord {
      struct Writer: Decodable {
        var name: String
        var bookCount: Int
      }
      var book: Book
      var author: Writer?
    }
    try withLibrary { db in
      let author = Book.author.annotated(with: Author.books.count)
      let request = Book.including(optional: author.having(Author.books.count >= 2))
        .order(\.id)
      expectSQL(
        try request.makePreparedRequest(db).statement,
        """
        SELECT "book".*, "author".*, CASE WHEN "author"."id" IS NOT NULL \
        THEN (SELECT COUNT(DISTINCT "book"."id") FROM "book" \
        WHERE "book"."authorID" = "author"."id") END AS "bookCount" FROM "book" LEFT JOIN "author" \
        ON ("author"."id" = "book"."authorID") AND ((SELECT COUNT(DISTINCT "book"."id") \
        FROM "book" WHERE "book"."authorID" = "author"."id") >= 2) ORDER BY "book"."id"
        """
      )
      let infos = try request.asRequest(of: Info.self).fetchAll(db)
      #expect(infos.map(\.author?.bookCount) == [2, 2, nil, nil, nil])
      let productive = author.having(Author.books.count >= 2)
      #expect(try Book.joining(required: productive).fetchCount(db) == 2)
    }
  }

  @Test func `aggregates of aggregated rows, and of rows with required ones`() throws {
    try withLibrary { db in
      let awarded = Author.books.having(Book.awards.isEmpty == false)
      let winners = try Author.having(awarded.count == 1).order(\.id).fetchAll(db)
      #expect(winners.map(\.id) == [1, 2])
      let covered = Author.books.joining(required: Book.cover)
      #expect(
        try Author.having(covered.count == 1).order(\.id).fetchAll(db).map(\.id) == [1, 3]
      )
      let local = Author.books.including(optional: Book.author.order(\.name)).order(\.title)
        .including(all: Book.awards)
      #expect(try Author.having(local.count == 2).fetchAll(db).map(\.id) == [1])
    }
  }

  @Test func `a request that groups its rows has aggregates of its groups`() throws {
    try withLibrary { db in
      let request = Author.select(Column("countryCode")).group(\.countryCode)
        .annotated(with: Author.books.count).order(\.countryCode)
      let counts = try Row.fetchAll(db, request).map { $0["bookCount"] as Int }
      #expect(counts == [0, 1, 3])
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        the aggregate of books cannot be computed for the groups of the request: remove group(_:), \
        or compute it in a request of its own
        """
      ) {
        _ = try request.annotated(with: Author.books.sum(\.year), Author.pupils.count)
          .makePreparedRequest(db)
      }
    }
  }

  @Test func `an aggregate of limited, distinct or grouped rows is an error`() throws {
    try withLibrary { db in
      for (association, clause) in [
        (Author.books.limit(1), "limit"), (Author.books.distinct(), "distinct"),
        (Author.books.group(\.year), "group"),
      ] {
        for request in [
          Author.having(association.count > 0),
          Author.including(required: Author.books).having(association.count > 0),
        ] {
          expectDatabaseError(
            .SQLITE_MISUSE,
            """
            the association books has a \(clause), which a join cannot express: use \
            including(all:), or join a CommonTableExpression with join(_:on:)
            """
          ) {
            _ = try request.fetchAll(db)
          }
        }
      }
      let message = """
        the table award has no foreign key to author (it has bookID → book): declare one in the \
        schema, or write using: ForeignKey([…], to: […]) in the association
        """
      expectDatabaseError(.SQLITE_MISUSE, message) {
        _ = try Author.having(Author.hasMany(Award.self).count > 0).fetchAll(db)
      }
    }
  }
}
