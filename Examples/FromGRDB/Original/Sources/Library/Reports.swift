import Foundation
import GRDB

/// Numbers for the yearly report.
struct Reports {
  let database: LibraryDatabase

  func loansByShelf() throws -> [Book.Shelf: Int] {
    try database.reader.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT book.shelf, COUNT(loan.id) AS loans
          FROM book LEFT JOIN loan ON loan.bookId = book.id
          GROUP BY book.shelf
          """
      )
      return Dictionary(uniqueKeysWithValues: rows.map { ($0["shelf"], $0["loans"]) })
    }
  }

  func books(since year: Int, by author: String) throws -> [Book] {
    try database.reader.read { db in
      let request: SQLRequest<Book> = """
        SELECT \(columnsOf: Book.self) FROM \(Book.self)
        WHERE \(Book.Columns.year) >= \(year)
          AND \(Book.Columns.authorId) IN (
            SELECT \(Author.Columns.id) FROM \(Author.self)
            WHERE \(Author.Columns.name) = \(author))
        ORDER BY \(Book.Columns.year)
        """
      return try request.fetchAll(db)
    }
  }

  func initials() throws -> [String] {
    try database.reader.read { db in
      let initials = DatabaseFunction.initials
      return try String.fetchAll(db, Author.select(initials(Author.Columns.name)).alphabetically())
    }
  }

  func longestTitles() throws -> [String: String] {
    try database.reader.read { db in
      var titles: [String: String] = [:]
      let cursor = try Row.fetchCursor(
        db,
        sql: """
          SELECT author.name, longest(book.title) AS title
          FROM author JOIN book ON book.authorId = author.id GROUP BY author.id
          """
      )
      while let row = try cursor.next() {
        titles[row["name"]] = row["title"]
      }
      return titles
    }
  }

  func oldestYear() throws -> Int? {
    try database.reader.read { db in
      try Book.select(min(Book.Columns.year)).fetchOne(db)
    }
  }

  func copiesAndTitles() throws -> (copies: Int, titles: Int) {
    try database.reader.read { db in
      let request = Book.select([sum(Book.Columns.copies), count(Book.Columns.id)], as: Row.self)
      guard let row = try request.fetchOne(db) else { return (0, 0) }
      return (row[0] ?? 0, row[1])
    }
  }

  /// The years from the first to the last book, with the number of books.
  func years() throws -> [(year: Int, count: Int)] {
    try database.reader.read { db in
      let years = CommonTableExpression(
        recursive: true,
        named: "years",
        columns: ["year"],
        literal: """
          SELECT MIN(year) FROM book
          UNION ALL
          SELECT year + 1 FROM years WHERE year < (SELECT MAX(year) FROM book)
          """
      )
      let request: SQLRequest<Row> = """
        WITH RECURSIVE \(definitionFor: years)
        SELECT \(years).year, (SELECT COUNT(*) FROM book WHERE book.year = \(years).year)
        FROM \(years) ORDER BY 1
        """
      return try request.fetchAll(db).map { ($0[0], $0[1]) }
    }
  }

  func tagged(_ tag: String) throws -> [String] {
    try database.reader.read { db in
      try Book
        .filter(Book.Columns.tags.jsonExtract(atPath: "$[0]") == tag)
        .select(Book.Columns.title, as: String.self)
        .fetchAll(db)
    }
  }
}
