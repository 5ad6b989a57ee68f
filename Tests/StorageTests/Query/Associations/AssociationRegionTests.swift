import Testing

@testable import Storage
@testable import StorageTestSupport

/// The region of a request with associations, by table, column and row.
@Suite struct AssociationRegionTests {
  private func expectRegion<Element>(
    _ request: QueryInterfaceRequest<Element>,
    _ region: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try withLibrary { db in "\(try request.databaseRegion(db))" }
    #expect(found == region, sourceLocation: sourceLocation)
  }

  @Test func `A-086: a joined table is read by its key and its selected columns`() throws {
    let names = Book.author.select(\.name)
    try expectRegion(
      Book.select(\.title).including(required: names),
      "author(id,name), book(authorid,title)"
    )
    try expectRegion(
      Book.select(\.title).including(optional: names),
      "author(id,name), book(authorid,title)"
    )
    try expectRegion(
      Book.select(\.title).annotated(withOptional: names),
      "author(id,name), book(authorid,title)"
    )
  }

  @Test func `A-086: a table that is only joined is read by its key, filter and order`() throws {
    try expectRegion(
      Book.select(\.title).joining(required: Book.author),
      "author(id), book(authorid,title)"
    )
    try expectRegion(
      Book.select(\.title).joining(required: Book.author.filter { $0.name > "M" }),
      "author(id,name)[name>'M'], book(authorid,title)"
    )
    try expectRegion(
      Book.select(\.title).joining(optional: Book.author.order(\.countryCode)),
      "author(countrycode,id), book(authorid,title)"
    )
  }

  @Test func `A-086: prefetched rows are read by their key and their selected columns`() throws {
    try expectRegion(
      Author.select(\.name).including(all: Author.books.select(\.title)),
      "author(id,name), book(authorid,title)"
    )
    try expectRegion(
      Author.select(\.name).including(
        all: Author.books.select(\.title).including(all: Book.awards.select(\.name))
      ),
      "author(id,name), award(bookid,name), book(authorid,id,title)"
    )
  }

  @Test func `A-085: a table between is read by its keys`() throws {
    try expectRegion(
      Reader.select(Column("name")).including(all: Reader.books.select(\.title)),
      "book(id,title), copy(bookid,id), loan(copyid,readerid), reader(id,name)"
    )
    try expectRegion(
      Book.select(\.title).joining(required: Book.country),
      "author(countrycode,id), book(authorid,title), country(*)"
    )
  }

  @Test func `a limit for each row reads the columns of the order`() throws {
    try expectRegion(
      Author.select(\.name).including(all: Author.books.select(\.title).order(\.year).limit(1)),
      "author(id,name), book(authorid,title,year)"
    )
  }

  @Test func `a row that is fetched by key through an association is one row of the region`() throws
  {
    let book = Book(id: 4, title: "Leviathan", year: 1992, authorID: 3, editorID: 2)
    try expectRegion(
      book.request(for: Book.author).select(\.name, as: String.self),
      "author(id,name)[3]"
    )
    try expectRegion(
      book.request(for: Book.author).select(\.name).including(all: Author.books.select(\.title)),
      "author(id,name)[3], book(authorid,title)"
    )
    try expectRegion(
      Award.filter(key: 1).select(\.name).including(required: Award.book.select(\.title)),
      "award(bookid,id,name)[1], book(id,title)"
    )
    try withLibrary { db in
      let books = try Book.fetchAll(db, keys: [1, 4])
      let (authors, recorder) = db.recordingRegion { try Book.author.fetchAll(db, for: books) }
      #expect(try authors.get().count == 2)
      #expect("\(recorder.region)" == "author(countrycode,id,mentorid,name)[1,3]")
    }
  }

  @Test func `the number of rows does not change what is read`() throws {
    try withLibrary { db in
      try db.execute(
        sql: """
          WITH RECURSIVE number (n) AS (SELECT 10 UNION ALL SELECT n + 1 FROM number WHERE n < 400)
          INSERT INTO author SELECT n, 'author', NULL, NULL FROM number
          """
      )
      let request = Author.select(\.name).including(all: Author.books.select(\.title))
      let (rows, recorder) = db.recordingRegion { try Row.fetchAll(db, request) }
      #expect(try rows.get().count == 395)
      #expect("\(recorder.region)" == "author(id,name), book(authorid,title)")
    }
  }

  @Test func `A-090: a common table expression is read by the tables of its query`() throws {
    let years = CommonTableExpression<Row>(
      named: "years",
      request: Book.select { [$0.authorID, max($0.year).forKey("last")] }.group(\.authorID)
    )
    let last = Author.association(to: years) { author, years in
      years[Column("authorID")] == author.id
    }
    try expectRegion(
      Author.select(\.name).including(optional: last).with(years),
      "author(id,name), book(authorid,year)"
    )
  }

  @Test func `the region of a request is what its fetch reads`() throws {
    for request in AssociationObservationTests.requests {
      try withLibrary { db in
        let stated = try request.databaseRegion(db)
        let (rows, recorder) = db.recordingRegion { try Row.fetchAll(db, request) }
        #expect(try !rows.get().isEmpty)
        #expect(stated.union(recorder.region) == stated, "\(request)")
      }
    }
  }
}
