import Foundation
import Storage
import Testing

/// `PastedRecords.swift` is the unchanged output of `schema --swift` for this schema.
@Suite struct PastedRecordsTests {
  private static let schema = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, price REAL NOT NULL,
      copies INTEGER NOT NULL DEFAULT 1, cover BLOB, bought_at DATETIME,
      is_lent BOOLEAN NOT NULL DEFAULT 0, "class" TEXT, extra, gross AS (price * 1.2));
    CREATE TABLE "book loan" (reader_id INTEGER NOT NULL, book_id INTEGER NOT NULL REFERENCES book,
      PRIMARY KEY (reader_id, book_id)) WITHOUT ROWID;
    CREATE TABLE genre (code TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL);
    CREATE TABLE remark (text);
    CREATE VIEW lent_book AS SELECT title, price FROM book WHERE is_lent;
    """

  @Test func `the pasted file is what the tool prints today`() async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("schema", file.path, "--swift")
    #expect(try await tool.exitCode() == 0)
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    let pasted = try String(contentsOfFile: path + "/PastedRecords.swift", encoding: .utf8)
    #expect(tool.outputText == pasted)
  }

  @Test func `pasted records are inserted, fetched, updated and queried by their columns`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.execute(sql: Self.schema)
      let date = Date(timeIntervalSinceReferenceDate: 0)
      var book = Book(
        title: "Emma",
        price: 10,
        copies: 2,
        cover: Data([1]),
        boughtAt: date,
        isLent: true,
        class: "novel"
      )
      try book.insert(db)
      #expect(book.id == 1)
      book.copies = 3
      try book.update(db)
      let found = try Book.filter(Book.Columns.title == "Emma" && Book.Columns.class == "novel")
        .fetchOne(db)
      #expect(found?.copies == 3 && found?.boughtAt == date && found?.cover == Data([1]))
      try BookLoan(readerId: 7, bookId: 1).insert(db)
      #expect(try BookLoan.filter(BookLoan.Columns.readerId == 7).fetchCount(db) == 1)
      try Genre(code: "n", name: "novel").insert(db)
      #expect(try Genre.fetchOne(db, key: "n")?.name == "novel")
      try Remark(text: nil).insert(db)
      for value in [1.databaseValue, "one".databaseValue, 1.5.databaseValue] {
        try Remark(text: value).insert(db)
      }
      #expect(try Remark.fetchAll(db).compactMap { $0.text?.description } == ["1", "'one'", "1.5"])
      #expect(try LentBook.order(LentBook.Columns.price).fetchAll(db).map(\.title) == ["Emma"])
    }
  }
}
