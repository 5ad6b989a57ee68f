import Foundation
import GRDB

/// A book with its author, and how often it was lent.
struct BookInfo: Decodable, FetchableRecord, Equatable {
  var book: Book
  var author: Author
  var loanCount: Int
}

/// An author with all books, and the subjects of each.
struct AuthorInfo: Decodable, FetchableRecord {
  struct FiledBook: Decodable {
    var book: Book
    var subjects: [Subject]
  }

  var author: Author
  var books: [FiledBook]
}

/// A line of the list on the wall.
struct Line: Decodable, FetchableRecord, Equatable {
  var title: String
  var authorName: String
}

/// What visitors ask for.
struct Catalogue {
  let database: LibraryDatabase

  func infos(on shelf: Book.Shelf) throws -> [BookInfo] {
    try database.reader.read { db in
      try Book.all()
        .on(shelf)
        .including(required: Book.author)
        .annotated(with: Book.loans.count)
        .order(Book.Columns.title)
        .asRequest(of: BookInfo.self)
        .fetchAll(db)
    }
  }

  func authors() throws -> [AuthorInfo] {
    try database.reader.read { db in
      try Author
        .including(
          all: Author.books
            .order(Book.Columns.year)
            .including(all: Book.subjects.order(Column("label")))
        )
        .alphabetically()
        .asRequest(of: AuthorInfo.self)
        .fetchAll(db)
    }
  }

  func lines() throws -> [Line] {
    try database.reader.read { db in
      try Book
        .select(Book.Columns.title)
        .annotated(withRequired: Book.author.select(Author.Columns.name.forKey("authorName")))
        .order(Book.Columns.title.collating(.localizedNames))
        .asRequest(of: Line.self)
        .fetchAll(db)
    }
  }

  func neverLent() throws -> [String] {
    try database.reader.read { db in
      try Book.having(Book.loans.isEmpty).order(\.title).fetchAll(db).map(\.title)
    }
  }

  func popularAuthors(atLeast count: Int) throws -> [Author] {
    try database.reader.read { db in
      try Author.having(Author.loans.count >= count).alphabetically().fetchAll(db)
    }
  }

  func books(about code: String) throws -> [Book] {
    try database.reader.read { db in
      guard let subject = try Subject.fetchOne(db, key: code) else { return [] }
      return try subject.request(for: Subject.books).order(Column("title")).fetchAll(db)
    }
  }

  func titles(from country: String, since year: Int) throws -> [String] {
    try database.reader.read { db in
      let titles: [String] =
        try Book.all()
        .written(in: country)
        .published(since: year)
        .select(Book.Columns.title)
        .fetchAll(db)
      return titles.sorted()
    }
  }

  /// Finds books by the words of their titles, the best first.
  func search(_ words: String) throws -> [Book] {
    try database.reader.read { db in
      guard let pattern = FTS5Pattern(matchingAllPrefixesIn: words) else { return [] }
      return try Book.fetchAll(
        db,
        sql: """
          SELECT book.* FROM book
          JOIN book_ft ON book_ft.rowid = book.id AND book_ft MATCH ?
          ORDER BY bm25(book_ft), book.id
          """,
        arguments: [pattern]
      )
    }
  }

  func countMatches(_ words: String) throws -> Int {
    try database.reader.read { db in
      let pattern = try db.makeFTS5Pattern(rawPattern: words, forTable: "book_ft")
      return try Table("book_ft").matching(pattern).fetchCount(db)
    }
  }
}
