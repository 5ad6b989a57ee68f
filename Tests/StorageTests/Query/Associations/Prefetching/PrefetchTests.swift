import Storage
import Testing

@testable import StorageTestSupport

@Suite struct PrefetchTests {
  struct AuthorInfo: Decodable, Hashable, FetchableRecord {
    var author: Author
    var books: [Book]
  }

  struct BookInfo: Decodable, Hashable, FetchableRecord {
    var book: Book
    var author: Author?
    var awards: Set<Award>
  }

  @Test func `A-086: all associated rows are fetched by one more statement`() throws {
    try withLibrary { db in
      var infos: [AuthorInfo] = []
      let statements = try tracedStatements(db) {
        infos = try Author.order(\.id).including(all: Author.books.order(\.title))
          .asRequest(of: AuthorInfo.self).fetchAll(db)
      }
      #expect(
        statements.filter { !$0.contains("PRAGMA") && !$0.contains("pragma") } == [
          #"SELECT * FROM "author" ORDER BY "id""#,
          #"SELECT * FROM "book" WHERE "authorID" IN (1, 2, 3, 4) ORDER BY "title""#,
        ]
      )
      #expect(infos.map(\.author.name) == ["Melville", "Zola", "Auster", "Anonymous"])
      #expect(
        infos.map { $0.books.map(\.title) }
          == [["Moby-Dick", "Typee"], ["Germinal"], ["Leviathan"], []]
      )
    }
  }

  @Test func `A-089: rows contain their scopes and their prefetched rows`() throws {
    try withLibrary { db in
      let request = Book.order(\.id).including(optional: Book.author)
        .including(all: Book.awards.order(\.id))
      let rows = try Row.fetchAll(db, request)
      #expect(rows.map { $0.scopes.names } == Array(repeating: ["author"], count: 5))
      #expect(rows[0].prefetchedRows.keys == ["awards"])
      #expect(
        rows.map { $0.prefetchedRows["awards"]?.map { $0["name"] as String } }
          == [["Best Whale", "Longest"], [], ["Darkest"], [], []]
      )
      let infos = try request.asRequest(of: BookInfo.self).fetchAll(db)
      #expect(infos.map(\.book.id) == [1, 2, 3, 4, 5])
      #expect(infos.map(\.author?.id) == [1, 1, 2, 3, nil])
      #expect(infos.map(\.awards.count) == [2, 0, 1, 0, 0])
      #expect(try request.asRequest(of: BookInfo.self).fetchOne(db) == infos[0])
    }
  }

  @Test func `associated rows of associated rows, and of joined rows, are fetched by level`() throws
  {
    struct BookWithAwards: Decodable, FetchableRecord {
      var book: Book
      var awards: [Award]
    }
    struct Person: Decodable, FetchableRecord {
      var author: Author
      var books: [BookWithAwards]
    }
    struct Nationality: Decodable, FetchableRecord {
      var country: Nation
      var authors: [Person]
    }
    try withLibrary { db in
      let request = Nation.order(\.code).including(
        all: Author.fromNation.including(all: Author.books.order(\.id).including(all: Book.awards))
      )
      let nations = try request.asRequest(of: Nationality.self).fetchAll(db)
      #expect(nations.map(\.country.code) == ["FR", "IS", "US"])
      #expect(
        nations.map { $0.authors.map(\.author.name) }
          == [["Zola"], [], ["Melville", "Auster"]]
      )
      #expect(nations[2].authors[0].books.map { $0.awards.count } == [2, 0])
      struct Mention: Decodable, FetchableRecord {
        var award: Award
        var book: Book
        var awards: [Award]
      }
      let mentions = try Award.order(\.id)
        .including(required: Award.book.including(all: Book.awards))
        .asRequest(of: Mention.self).fetchAll(db)
      #expect(mentions.map { $0.awards.map(\.id) } == [[1, 2], [1, 2], [3]])
    }
  }

  @Test func `rows of a many-to-many association are fetched through the table between`() throws {
    try withLibrary { db in
      struct ReaderInfo: Decodable, FetchableRecord {
        var reader: Reader
        var copies: [Copy]
        var books: [Book]
      }
      let request = Reader.all().orderByPrimaryKey().including(all: Reader.copies.order(\.id))
        .including(all: Reader.books.order(\.id))
      var readers: [ReaderInfo] = []
      let statements = try tracedStatements(db) {
        readers = try request.asRequest(of: ReaderInfo.self).fetchAll(db)
      }.filter { !$0.lowercased().contains("pragma") }
      #expect(
        statements == [
          #"SELECT * FROM "reader" ORDER BY "id""#,
          """
          SELECT "copy".*, "loan"."readerID" FROM "copy" JOIN "loan" ON ("loan"."copyID" = "copy"."id") \
          AND ("loan"."readerID" IN (1, 2, 3)) ORDER BY "copy"."id"
          """,
          """
          SELECT "book".*, "loan"."readerID" FROM "book" JOIN "copy" ON "copy"."bookID" = "book"."id" \
          JOIN "loan" ON ("loan"."copyID" = "copy"."id") AND ("loan"."readerID" IN (1, 2, 3)) \
          ORDER BY "book"."id"
          """,
        ]
      )
      #expect(readers.map { $0.copies.map(\.id) } == [[1, 4], [1], []])
      #expect(readers.map { $0.books.map(\.id) } == [[1, 3], [1], []])
    }
  }

  @Test func `keys of several columns are row values`() throws {
    try withLibrary { db in
      struct ShelfInfo: Decodable, FetchableRecord {
        var shelf: Shelf
        var copies: [Copy]
      }
      let shelves = try Shelf.all().orderByPrimaryKey().including(all: Shelf.copies.order(\.id))
        .asRequest(of: ShelfInfo.self).fetchAll(db)
      #expect(shelves.map { $0.copies.map(\.id) } == [[1, 2, 3], [], [4]])
    }
  }

  @Test func `A-089: init(row:) reads records of scopes and of prefetched rows`() throws {
    struct Info: FetchableRecord {
      var book: Book
      var author: Author?
      var awards: [Award]
      init(row: Row) throws {
        book = try Book(row: row)
        author = row["author"]
        awards = row["awards"]
      }
    }
    try withLibrary { db in
      let infos = try Info.fetchAll(
        db,
        Book.order(\.id).including(optional: Book.author).including(all: Book.awards)
      )
      #expect(infos.map(\.author?.name) == ["Melville", "Melville", "Zola", "Auster", nil])
      #expect(infos.map(\.awards.count) == [2, 0, 1, 0, 0])
    }
  }

  @Test func `several rows decode into a collection only`() throws {
    struct Name: Decodable { var name: String }
    struct Texts: Decodable, FetchableRecord { var awards: [String: String] }
    struct Text: Decodable, FetchableRecord { var awards: String }
    struct Named: Decodable, FetchableRecord { var awards: Name }
    struct OneAward: Decodable, FetchableRecord { var awards: Award }
    try withLibrary { db in
      let request = Book.order(\.id).including(all: Book.awards)
      for fetch in [
        { _ = try request.asRequest(of: Texts.self).fetchAll($0) },
        { _ = try request.asRequest(of: Text.self).fetchAll($0) },
        { _ = try request.asRequest(of: Named.self).fetchAll($0) },
        { _ = try request.asRequest(of: OneAward.self).fetchAll($0) },
        { _ = try Row.fetchOne($0, request)?.decode(String.self, forColumn: "awards") },
      ] as [(Database) throws -> Void] {
        let error = #expect(throws: RowDecodingError.self) { try fetch(db) }
        let message = error?.description ?? ""
        #expect(message.contains("awards are several rows, which decode into a collection only"))
      }
    }
  }

  @Test func `an interrupted fetch of associated rows is an error`() throws {
    struct Info: FetchableRecord {
      var books: [Book]
      var names: [String]
      init(row: Row) {
        books = row["books"]
        names = row.prefetchedRows["books"]?.map { $0["title"] } ?? []
      }
    }
    struct Stored: FetchableRecord {
      var row: Row
      init(row: Row) { self.row = row.copy() }
    }
    try withLibrary { db in
      let slow = Author.books.filter(sql: "interruption()")
      db.add(
        function: DatabaseFunction("interruption", argumentCount: 0) { _ in
          throw DatabaseError(resultCode: .SQLITE_INTERRUPT)
        }
      )
      let request = Author.including(all: slow)
      #expect(throws: DatabaseError.self) { try Row.fetchAll(db, request) }
      #expect(throws: DatabaseError.self) { try Row.fetchOne(db, request) }
      #expect(throws: DatabaseError.self) { try Info.fetchAll(db, request) }
      #expect(throws: DatabaseError.self) { try Stored.fetchAll(db, request) }
      #expect(throws: DatabaseError.self) { try slow.fetchAll(db, for: Author.fetchAll(db)) }
      let rows = try Stored.fetchAll(db, Author.order(\.id).including(all: Author.books))
      #expect(rows.map { $0.row.prefetchedRows["books"]?.count } == [2, 1, 1, 0])
    }
  }

  @Test func `a selection without the key fetches it in a hidden column`() throws {
    struct Titles: Decodable, FetchableRecord, Hashable {
      var name: String
      var titles: [String]
    }
    try withLibrary { db in
      let request = Author.select(\.name).order(\.name)
        .including(all: Author.books.select(\.title).order(\.title).forKey("titles"))
      let titles = try request.asRequest(of: Titles.self).fetchAll(db)
      #expect(titles.map(\.titles) == [[], ["Leviathan"], ["Moby-Dick", "Typee"], ["Germinal"]])
      #expect(
        try Row.fetchAll(db, request).map(\.columnNames) == Array(repeating: ["name"], count: 4)
      )
    }
  }

  @Test func `a property that no association fills is an error that names the candidates`() throws {
    try withLibrary { db in
      let request = Book.including(optional: Book.author).asRequest(of: BookInfo.self)
      expectError(
        """
        cannot decode Set<Award> from a row: no association is called awards: the request includes \
        one row for each of author, and all rows for each of (none); include the association, or \
        name it with forKey("awards") - in rows of "SELECT "book".*, "author".* FROM "book" LEFT \
        JOIN "author" ON "author"."id" = "book"."authorID""
        """
      ) {
        _ = try request.fetchAll(db)
      }
    }
  }

  @Test func `a record of another table is not decoded from the row itself`() throws {
    struct Info: Decodable, FetchableRecord {
      var award: Award
      var reader: Reader
    }
    try withLibrary { db in
      // An award has all columns of a reader.
      for request in [Award.including(optional: Award.book), Award.including(all: Award.siblings)] {
        let error = #expect(throws: RowDecodingError.self) {
          try request.asRequest(of: Info.self).fetchAll(db)
        }
        #expect("\(error, default: "")".contains("no association is called reader"))
      }
    }
  }

  @Test func `the region of a request contains the tables of all levels`() throws {
    try withLibrary { db in
      let request = Author.including(all: Author.books.including(all: Book.awards))
      let region = try request.databaseRegion(db)
      #expect(
        "\(region)" == """
          author(countrycode,id,mentorid,name), award(bookid,id,name), \
          book(authorid,editorid,id,title,year)
          """
      )
    }
  }

  @Test func `an unscoped row has no associated rows`() throws {
    try withLibrary { db in
      let request = Author.including(all: Author.books).order(Column("id"))
      let row = try #require(try Row.fetchOne(db, request))
      #expect(!row.prefetchedRows.isEmpty)
      #expect(row.unscoped.prefetchedRows.isEmpty)
      #expect(row.unscoped.databaseValues == row.databaseValues)
      let rows = try Row.fetchAll(db, request)
      for row in rows {
        #expect(row.unscoped.prefetchedRows.isEmpty)
        #expect(!row.prefetchedRows.isEmpty)
        #expect(row.copy().unscoped.prefetchedRows.isEmpty)
      }
      #expect(rows.count == (try Author.fetchCount(db)))
    }
  }
}

extension Award {
  fileprivate static let siblings = hasMany(Award.self, through: book, using: Book.awards)
}

extension Author {
  fileprivate static var fromNation: HasManyAssociation<Nation, Author> {
    Nation.authors.order(\.id)
  }
}
