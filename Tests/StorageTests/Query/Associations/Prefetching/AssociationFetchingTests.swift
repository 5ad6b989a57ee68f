import Storage
import Testing

@testable import StorageTestSupport

@Suite struct AssociationFetchingTests {
  @Test func `a limit of included rows holds for each row`() throws {
    struct AuthorInfo: Decodable, FetchableRecord {
      var author: Author
      var books: [Book]
    }
    try withLibrary { db in
      let request = Author.order(\.id)
        .including(all: Author.books.filter { $0.year > 0 }.order(\.title.desc).limit(1))
        .asRequest(of: AuthorInfo.self)
      var infos: [AuthorInfo] = []
      let statements = try tracedStatements(db) { infos = try request.fetchAll(db) }
      #expect(
        statements.last == """
          SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY "authorID" ORDER BY "title" DESC) \
          AS ":row" FROM "book" WHERE ("year" > 0) AND ("authorID" IN (1, 2, 3, 4))) \
          WHERE ":row" <= 1 ORDER BY ":row"
          """
      )
      #expect(infos.map { $0.books.map(\.title) } == [["Typee"], ["Germinal"], ["Leviathan"], []])
      let second = Author.books.order(\.title.desc).limit(1, offset: 1)
      let books = try second.fetchAll(db, for: Author.fetchAll(db))
      #expect(
        books.mapValues { $0.map(\.title) }.filter { !$0.value.isEmpty }.values.map(\.self)
          == [["Moby-Dick"]]
      )
    }
  }

  @Test func `a limit without an end leaves rows out from each list, as in SQL`() throws {
    try withLibrary { db in
      let all = try Author.books.order(\.title).fetchAll(db, for: Author.fetchAll(db))
      for limit in [Int.max, -1] {
        let books = Author.books.order(\.title)
        let others = try books.limit(limit, offset: 1).fetchAll(db, for: Author.fetchAll(db))
        for (author, books) in all { #expect(others[author] ?? [] == Array(books.dropFirst())) }
        let same = try books.limit(limit).fetchAll(db, for: Author.fetchAll(db))
        for (author, books) in all { #expect(same[author] ?? [] == books) }
      }
    }
  }

  @Test func `a row to which several rows lead is fetched for each, and counted once`() throws {
    try withLibrary { db in
      let shelf = Shelf.filter(key: ["room": "A", "number": 1])
      func titles(_ books: HasManyThroughAssociation<Shelf, Book>) throws -> [String] {
        let row = try #require(try Row.fetchOne(db, shelf.including(all: books)))
        return row.prefetchedRows["books"]?.map { $0["title"] } ?? []
      }
      let books = Shelf.books.order(\.title)
      try #expect(titles(books) == ["Moby-Dick", "Moby-Dick", "Typee"])
      try #expect(titles(books.distinct()) == ["Moby-Dick", "Typee"])
      let count = shelf.select(Column("room")).annotated(with: Shelf.books.count)
      try #expect(Row.fetchOne(db, count)?["bookCount"] == 2)
    }
  }

  @Test func `distinct rows cannot be limited for each row`() throws {
    try withLibrary { db in
      let request = Author.including(all: Author.books.distinct().limit(1))
      expectDatabaseError(
        .SQLITE_MISUSE,
        """
        the distinct rows of book cannot be limited for each row that they belong to: remove \
        distinct() or the limit
        """
      ) { _ = try Row.fetchAll(db, request) }
    }
  }

  @Test func `an aggregate of no associated rows belongs to no row`() throws {
    try withLibrary { db in
      let last = Author.books.select(max(Column("year")).forKey("last"))
      let rows = try Row.fetchAll(db, Author.filter(key: 4).including(all: last))
      #expect(rows.map { $0.prefetchedRows["books"]?.count } == [0])
    }
  }

  @Test func `limited rows keep their scopes`() throws {
    try withLibrary { db in
      let request = Reader.order(Column("id"))
        .including(all: Reader.copies.including(required: Copy.book).order(\.id.desc).limit(1))
      let rows = try Row.fetchAll(db, request)
      let copies = rows.map { $0.prefetchedRows["copies"] ?? [] }
      #expect(copies.map { $0.map { $0["id"] as Int } } == [[4], [1], []])
      #expect(copies[0][0].columnNames == ["id", "bookID", "room", "number"])
      #expect(copies[0][0].scopes["book"]?["title"] == "Germinal")
    }
  }

  @Test func `associated rows of loaded records are fetched by one statement`() throws {
    try withLibrary { db in
      let authors = try Author.order(\.id).fetchAll(db)
      var books: [Author: [Book]] = [:]
      let statements = try tracedStatements(db) {
        books = try Author.books.order(\.id).fetchAll(db, for: authors)
      }.filter { !$0.lowercased().contains("pragma") }
      #expect(
        statements
          == [#"SELECT * FROM "book" WHERE "authorID" IN (1, 2, 3, 4) ORDER BY "id""#]
      )
      #expect(authors.map { books[$0]?.map(\.id) } == [[1, 2], [3], [4], []])
      let countries = try Author.country.fetchAll(db, for: authors)
      #expect(authors.map { countries[$0]?.code } == ["US", "FR", "US", nil])
      let awards = try Author.awards.fetchAll(db, for: authors)
      #expect(authors.map { awards[$0]?.count } == [2, 1, 0, 0])
      let none = try tracedStatements(db) {
        _ = try Author.books.fetchAll(db, for: [])
      }.filter { !$0.lowercased().contains("pragma") }
      #expect(none == [])
    }
  }

  private static let opposite = Column("id") * -1
  private static let ranked = Author.books.annotated(with: opposite.forKey("rank"))
  private static let named: [HasManyAssociation<Author, Book>] = [
    ranked.order(Column("rank")),
    ranked.order(Column("RANK").collating(.nocase)),
    ranked.order((Column("rank") * 2).asc),
    ranked.order(Column("rank").detached),
    ranked.joining(optional: Book.editor).order(Column("rank")),
    ranked.joining(optional: Book.editor).order(Column("rank").detached),
    Author.books.select(Column("id"), opposite.forKey("year")).order(Column("year")),
    Author.books.select(Column("id"), opposite.forKey("year"))
      .order((Column("year") + 1).asc),
    Author.books.select(Column("year").forKey("id"), Column("id").forKey("year"))
      .order(Column("id")),
    Author.books.select(Column("title"), opposite.forKey("id")).orderByPrimaryKey().reversed(),
    Author.books.annotated(with: Book.awards.count).order(Column("awardCount")),
    Author.books.annotated(withOptional: Book.editor.select(Column("name").forKey("editorName")))
      .order(Column("editorName").desc),
    Author.books.annotatedWhenConnected { _ in [opposite.forKey("rank")] }.order(Column("rank")),
  ]

  @Test(arguments: named.indices)
  func `limited rows are sorted by named result columns, as all rows are`(_ index: Int) throws {
    let books = Self.named[index]
    try withLibrary { db in
      func rows(_ books: HasManyAssociation<Author, Book>) throws -> [[Row]] {
        try Row.fetchAll(db, Author.order(Column("id")).including(all: books)).map {
          Array($0.prefetchedRows["books"] ?? [])
        }
      }
      let all = try rows(books)
      #expect(all.map(\.count) == [2, 1, 1, 0])
      try #expect(rows(books.limit(1)) == all.map { Array($0.prefix(1)) })
      try #expect(rows(books.limit(1, offset: 1)) == all.map { Array($0.dropFirst()) })
    }
  }
}
