internal import Storage

/// A record with associated records, which are decoded by index.
struct Author: FetchableRecord, TableRecord {
  var id: Int
  var name: String

  static let books = hasMany(Book.self)

  /// Returns the SQL that creates the tables, with 20 books for each author.
  static func creation(rows: Int) -> String {
    """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, authorID INTEGER NOT NULL REFERENCES author(id),
      title TEXT NOT NULL, price REAL NOT NULL
    );
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(rows))
    INSERT INTO author SELECT n, 'Author ' || n FROM number;
    WITH RECURSIVE number (n) AS (
      SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < \(rows * 20 - 1)
    )
    INSERT INTO book SELECT n + 1, n / 20 + 1, 'Book ' || n, n * 0.25 + 0.125 FROM number;
    CREATE INDEX book_authorID ON book (authorID)
    """
  }
}

extension Author {
  init(row: Row) {
    id = row[0]
    name = row[1]
  }
}

extension Author: Checksummed {
  var checksum: Int { [id, name.checksum].checksum }
}

/// An associated record, which is decoded by index.
struct Book: FetchableRecord, TableRecord {
  var id: Int
  var authorID: Int
  var title: String
  var price: Double
}

extension Book {
  init(row: Row) {
    id = row[0]
    authorID = row[1]
    title = row[2]
    price = row[3]
  }
}

extension Book: Checksummed {
  var checksum: Int { [id, authorID, title.checksum, price.checksum].checksum }
}

/// An author with all books.
struct Oeuvre: FetchableRecord {
  var author: Author
  var books: [Book]
}

extension Oeuvre {
  init(row: Row) {
    author = Author(row: row)
    books = row["books"]
  }
}

extension Oeuvre: Checksummed {
  var checksum: Int { author.checksum &* 31 &+ books.checksum }
}
