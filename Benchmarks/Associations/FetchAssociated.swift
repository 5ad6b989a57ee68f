internal import CWellspringSQLite
internal import Storage

/// Fetches rows with all of their associated rows.
///
/// The baseline runs the same two statements, and groups the rows by a dictionary of the keys.
enum FetchAssociated {
  private static let rowCount = 1000

  static let benchmarks = [
    Benchmark(
      .associations,
      "Fetch 1,000 rows with 20 associated rows each into structs, by index",
      limit: 1.5,
      enforcedLimit: 1.5
    ) {
      try contest(in: $0) {
        try Oeuvre.fetchAll($0, Author.including(all: Author.books))
      }
    },
    Benchmark(
      .associations,
      "Fetch 1,000 rows with 20 associated rows each into Codable structs",
      limit: 3.2
    ) {
      try contest(in: $0) {
        try CodableOeuvre.fetchAll($0, CodableAuthor.including(all: CodableAuthor.books))
      }
    },
  ]

  private static func contest(
    in workspace: Workspace,
    ours: @escaping (Database) throws -> some Checksummed
  ) throws -> Contest {
    let path = try workspace.makeDatabase("author") { db in
      try db.execute(Author.creation(rows: rowCount))
    }
    let pool = try DatabasePool(benchmarking: path)
    let connection = try RawConnection(path: path, isReadonly: true)
    let authors = try connection.prepare("SELECT * FROM author")
    let books = try connection.prepare(
      "SELECT * FROM book WHERE authorID IN (SELECT value FROM json_each(?))"
    )
    return Contest(
      ours: Side { try pool.read(ours) },
      baseline: Side { try rawStructs(connection, authors, books) }
    )
  }

  private static func rawStructs(
    _ connection: RawConnection,
    _ authors: OpaquePointer,
    _ books: OpaquePointer
  ) throws -> [Oeuvre] {
    try connection.execute("BEGIN")
    defer { try? connection.execute("COMMIT") }
    var oeuvres: [Oeuvre] = []
    var positions: [Int: Int] = [:]
    var keys = "["
    while sqlite3_step(authors) == SQLITE_ROW {
      let author = Author(
        id: Int(sqlite3_column_int64(authors, 0)),
        name: rawText(authors, 1)
      )
      positions[author.id] = oeuvres.count
      if !oeuvres.isEmpty { keys += "," }
      keys += String(author.id)
      oeuvres.append(Oeuvre(author: author, books: []))
    }
    try connection.finish(authors)
    rawBind(keys + "]", books, 1)
    while sqlite3_step(books) == SQLITE_ROW {
      let book = Book(
        id: Int(sqlite3_column_int64(books, 0)),
        authorID: Int(sqlite3_column_int64(books, 1)),
        title: rawText(books, 2),
        price: sqlite3_column_double(books, 3)
      )
      guard let position = positions[book.authorID] else {
        throw RawConnection.Failure(description: "a book has no author")
      }
      oeuvres[position].books.append(book)
    }
    try connection.finish(books)
    return oeuvres
  }
}
