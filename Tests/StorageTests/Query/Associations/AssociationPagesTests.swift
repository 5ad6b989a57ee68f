import Storage
import Testing

@testable import StorageTestSupport

/// Pages of requests with associations.
@Suite struct AssociationPagesTests {
  private struct BookInfo: Decodable, Hashable, FetchableRecord {
    var book: Book
    var author: Author?
    var awards: [Award]
  }

  private static let infos = Book.including(optional: Book.author)
    .including(all: Book.awards.order(\.id)).order { $0.year.desc }
    .asRequest(of: BookInfo.self)

  private func pages<Element: Fetchable>(
    _ request: QueryInterfaceRequest<Element>,
    _ db: Database,
    size: Int
  ) throws -> [[Element]] {
    var pages: [[Element]] = []
    var position: KeysetPosition?
    repeat {
      let page = try request.fetchPage(db, after: position, size: size)
      pages.append(page.rows)
      position = page.next
    } while position != nil
    return pages
  }

  @Test func `pages contain joined and prefetched rows`() throws {
    try withLibrary { db in
      let all = try Self.infos.fetchAll(db)
      #expect(all.map(\.book.id) == [4, 3, 1, 2, 5])
      for size in 1...6 {
        let pages = try pages(Self.infos, db, size: size)
        #expect(pages.map(\.count).dropLast().allSatisfy { $0 == size })
        #expect(pages.flatMap(\.self) == all, "\(size)")
      }
      let page = try Self.infos.fetchPage(db, size: 2, isCounted: true)
      #expect(page.totalCount == 5)
    }
  }

  @Test func `the rows of a page show no columns of its order`() throws {
    try withLibrary { db in
      let request = Author.select(\.name).order { $0.countryCode }
        .including(optional: Author.country.select(\.name)).including(all: Author.books)
        .asRequest(of: Row.self)
      let rows = try pages(request, db, size: 3).flatMap(\.self)
      #expect(rows.map(\.columnNames) == Array(repeating: ["name"], count: 4))
      #expect(rows.map { $0["name"] } == ["Anonymous", "Zola", "Melville", "Auster"])
      #expect(
        rows.map { $0.scopes["country"]?["name"] as String? }
          == [nil, "France", "United States", "United States"]
      )
      #expect(rows.map { $0.prefetchedRows["books"]?.count } == [0, 1, 2, 1])
    }
  }

  @Test func `the associated rows of the next page are not fetched`() throws {
    try withLibrary { db in
      let statements = try tracedStatements(db) {
        _ = try Row.fetchPage(Author.order(\.id).including(all: Author.books), db)
      }.filter { !$0.lowercased().contains("pragma") }
      #expect(
        statements == [
          #"SELECT *, "id" FROM "author" ORDER BY "id" LIMIT 3"#,
          #"SELECT * FROM "book" WHERE "authorID" IN (1, 2)"#,
        ]
      )
    }
  }

  @Test func `a table that is joined once for each row keeps the order unique`() throws {
    try withLibrary { db throws in
      let covered = Book.including(optional: Book.cover).joining(optional: Book.country)
      #expect(try pages(covered, db, size: 2).flatMap(\.self).map(\.id) == [1, 2, 3, 4, 5])
      let message = "the page cannot be fetched: its order is not unique, because the request has"
      for (request, obstacle) in [
        (Author.joining(required: Author.books), "joined tables"),
        (Author.joining(required: Author.pupils), "joined tables"),
        (Author.including(optional: Author.country.order(\.name)), "an order of joined rows"),
        (Author.joining(optional: Author.association(to: Table("book"))), "joined tables"),
      ] {
        expectDatabaseError(.SQLITE_MISUSE, "\(message) \(obstacle)") {
          _ = try request.fetchPage(db, size: 2)
        }
      }
    }
  }

  private static let named: [QueryInterfaceRequest<Row>] = [
    Author.annotated(with: Author.books.count).order(Column("bookCount").desc, Column("id"))
      .asRequest(of: Row.self),
    Author.annotated(withOptional: Author.country.select(Column("name").forKey("countryName")))
      .order(Column("countryName").desc, Column("id")).asRequest(of: Row.self),
    Author.annotated(with: (Column("id") % 2).forKey("parity")).including(optional: Author.mentor)
      .order(Column("parity").desc, Column("id")).asRequest(of: Row.self),
  ]

  @Test(arguments: named)
  func `pages are sorted by named result columns`(_ request: QueryInterfaceRequest<Row>) throws {
    try withLibrary { db in
      let all = try request.fetchAll(db)
      for size in 1...5 {
        try #expect(pages(request, db, size: size).flatMap(\.self) == all, "\(size)")
      }
    }
  }
}

extension Row {
  fileprivate static func fetchPage(
    _ request: QueryInterfaceRequest<Author>,
    _ db: Database
  ) throws -> KeysetPage<Row> {
    try request.asRequest(of: Row.self).fetchPage(db, size: 2)
  }
}
