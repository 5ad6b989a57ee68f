import Storage
import Testing

/// The schema that the tests of associations use: a library, its members, and their loans.
enum Library {
  static let schema = """
    CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE author (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL,
      countryCode TEXT REFERENCES country(code),
      mentorID INTEGER REFERENCES author(id)
    );
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER,
      authorID INTEGER REFERENCES author(id),
      editorID INTEGER,
      FOREIGN KEY (editorID) REFERENCES author(id)
    );
    CREATE TABLE award (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL,
      bookID INTEGER NOT NULL REFERENCES book(id)
    );
    CREATE TABLE cover (bookID INTEGER PRIMARY KEY REFERENCES book(id), path TEXT NOT NULL);
    CREATE TABLE shelf (
      room TEXT NOT NULL, number INTEGER NOT NULL, label TEXT, PRIMARY KEY (room, number)
    ) WITHOUT ROWID;
    CREATE TABLE copy (
      id INTEGER PRIMARY KEY, bookID INTEGER REFERENCES book(id), room TEXT, number INTEGER,
      FOREIGN KEY (room, number) REFERENCES shelf(room, number)
    );
    CREATE TABLE reader (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE loan (
      readerID INTEGER NOT NULL REFERENCES reader(id),
      copyID INTEGER NOT NULL REFERENCES copy(id), day TEXT,
      PRIMARY KEY (readerID, copyID)
    );
    """

  static let content = """
    INSERT INTO country VALUES ('FR', 'France'), ('US', 'United States'), ('IS', 'Iceland');
    INSERT INTO author VALUES
      (1, 'Melville', 'US', NULL), (2, 'Zola', 'FR', NULL), (3, 'Auster', 'US', 1),
      (4, 'Anonymous', NULL, NULL);
    INSERT INTO book VALUES
      (1, 'Moby-Dick', 1851, 1, NULL), (2, 'Typee', 1846, 1, 3), (3, 'Germinal', 1885, 2, NULL),
      (4, 'Leviathan', 1992, 3, 2), (5, 'Fables', NULL, NULL, NULL);
    INSERT INTO award VALUES (1, 'Best Whale', 1), (2, 'Longest', 1), (3, 'Darkest', 3);
    INSERT INTO cover VALUES (1, 'whale.png'), (4, 'bomb.png');
    INSERT INTO shelf VALUES ('A', 1, 'Sea'), ('A', 2, NULL), ('B', 1, 'Mines');
    INSERT INTO copy VALUES
      (1, 1, 'A', 1), (2, 1, 'A', 1), (3, 2, 'A', 1), (4, 3, 'B', 1), (5, 4, NULL, NULL),
      (6, 3, 'A', NULL);
    INSERT INTO reader VALUES (1, 'Ann'), (2, 'Ben'), (3, 'Cid');
    INSERT INTO loan VALUES (1, 1, '2026-01-01'), (1, 4, '2026-01-02'), (2, 1, '2026-01-03');
    """
}

/// Runs a test in an access to an in-memory database with the tables of ``Library``, filled.
@discardableResult
func withLibrary<Result>(_ body: (Database) throws -> Result) throws -> Result {
  let queue = try DatabaseQueue()
  return try queue.writeWithoutTransaction { db in
    try db.execute(sql: Library.schema)
    try db.execute(sql: Library.content)
    return try body(db)
  }
}

/// Checks the SQL of a request over the tables of ``Library``.
func expectLibrarySQL(
  _ request: some FetchRequest,
  _ sql: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try withLibrary { db in
    expectSQL(
      try request.makePreparedRequest(db).statement,
      sql,
      sourceLocation: sourceLocation
    )
  }
}

struct Nation: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "country"
  var code: String
  var name: String

  enum Columns {
    static let code = Column("code")
    static let name = Column("name")
  }

  static let authors = hasMany(Author.self)
  static let books = hasMany(Book.self, through: authors, using: Author.books)
}

struct Author: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var countryCode: String?
  var mentorID: Int64?

  enum Columns {
    static let id = Column("id")
    static let name = Column("name")
    static let countryCode = Column("countryCode")
    static let mentorID = Column("mentorID")
  }

  static let books = hasMany(Book.self, using: Book.authorKey)
  static let editedBooks = hasMany(Book.self, key: "editedBooks", using: Book.editorKey)
  static let country = belongsTo(Nation.self)
  static let mentor = belongsTo(Author.self, key: "mentor")
  static let pupils = hasMany(Author.self, key: "pupils")
  static let awards = hasMany(Award.self, through: books, using: Book.awards)
}

struct Book: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var title: String
  var year: Int?
  var authorID: Int64?
  var editorID: Int64?

  enum Columns {
    static let id = Column("id")
    static let title = Column("title")
    static let year = TypedColumn<Int?>("year")
    static let authorID = Column("authorID")
  }

  static let authorKey = ForeignKey(["authorID"])
  static let editorKey = ForeignKey(["editorID"])
  static let author = belongsTo(Author.self, using: authorKey)
  static let editor = belongsTo(Author.self, key: "editor", using: editorKey)
  static let awards = hasMany(Award.self)
  static let cover = hasOne(Cover.self)
  static let copies = hasMany(Copy.self)
  static let shelves = hasMany(Shelf.self, through: copies, using: Copy.shelf)
  static let country = hasOne(Nation.self, through: author, using: Author.country)
}

struct Award: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var bookID: Int64

  enum Columns {
    static let id = Column("id")
    static let name = Column("name")
  }

  static let book = belongsTo(Book.self)
}

struct Cover: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  var bookID: Int64
  var path: String

  static let book = belongsTo(Book.self)
}

struct Shelf: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  var room: String
  var number: Int
  var label: String?

  static let copies = hasMany(Copy.self)
  static let books = hasMany(Book.self, through: copies, using: Copy.book)
}

struct Copy: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var bookID: Int64?
  var room: String?
  var number: Int?

  enum Columns {
    static let id = Column("id")
  }

  static let book = belongsTo(Book.self)
  static let shelf = belongsTo(Shelf.self)
  static let loans = hasMany(Loan.self)
  static let readers = hasMany(Reader.self, through: loans, using: Loan.reader)
}

struct Reader: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String

  static let loans = hasMany(Loan.self)
  static let copies = hasMany(Copy.self, through: loans, using: Loan.copy)
  static let books = hasMany(Book.self, through: copies, using: Copy.book)
}

struct Loan: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  var readerID: Int64
  var copyID: Int64
  var day: String?

  static let reader = belongsTo(Reader.self)
  static let copy = belongsTo(Copy.self)
}
