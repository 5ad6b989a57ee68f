import Foundation
import GRDB
import Testing

@testable import Library

/// A library with two authors, three books, two subjects and two members.
struct Shelves {
  let database: LibraryDatabase
  let verne: Author
  let jansson: Author
  let moon: Book
  let sea: Book
  let moomins: Book
  let ada = Member(id: UUID(), name: "Ada", email: "ada@example.com", standing: .good)
  let bob = Member(id: UUID(), name: "Bob", email: nil, standing: .good)

  init(_ database: LibraryDatabase) throws {
    let members = [ada, bob]
    self.database = database
    (verne, jansson, moon, sea, moomins) = try database.writer.write { db in
      var verne = Author(id: nil, name: "Jules Verne", country: "FR")
      var jansson = Author(name: "Tove Jansson", country: "FI")
      try verne.insert(db)
      try jansson.save(db)
      func book(
        _ author: Author,
        _ title: String,
        _ year: Int,
        _ shelf: Book.Shelf,
        tags: [String]
      ) throws -> Book {
        try Book(
          authorId: author.id!,
          title: title,
          year: year,
          isbn: "isbn \(year)",
          shelf: shelf,
          copies: 1,
          tags: tags
        ).inserted(db)
      }
      let moon = try book(verne, "From the Earth to the Moon", 1865, .science, tags: ["space"])
      let sea = try book(verne, "Twenty Thousand Leagues", 1870, .fiction, tags: ["sea", "travel"])
      let moomins = try book(jansson, "The Moomins and the Great Flood", 1945, .children, tags: [])
      for member in members {
        try member.insert(db)
      }
      try Subject(code: "T", label: "Travel").insert(db)
      try Subject(code: "M", label: "Moon").insert(db)
      try Filing(bookId: moon.id!, subjectCode: "T").insert(db)
      try Filing(bookId: moon.id!, subjectCode: "M").insert(db)
      try Filing(bookId: sea.id!, subjectCode: "T").insert(db)
      return (verne, jansson, moon, sea, moomins)
    }
  }

  static func inMemory() throws -> Shelves {
    try Shelves(.inMemory())
  }
}

struct RecordTests {
  @Test func `Callbacks fill in ids and dates`() throws {
    let shelves = try Shelves.inMemory()
    #expect(shelves.verne.id == 1)
    #expect(shelves.moon.addedAt != nil)
    let stored = try shelves.database.reader.read { db in
      try Book.find(db, id: shelves.moon.id)
    }
    #expect(stored.title == shelves.moon.title)
    #expect(stored.shelf == .science)
    #expect(stored.tags == ["space"])
  }

  @Test func `A book needs a title`() throws {
    let shelves = try Shelves.inMemory()
    #expect(throws: LibraryError.untitledBook) {
      try shelves.database.writer.write { db in
        var book = shelves.moon
        book.title = ""
        try book.update(db)
      }
    }
  }

  @Test func `A missing record is named by its key`() throws {
    let shelves = try Shelves.inMemory()
    let missing = UUID()
    do {
      _ = try shelves.database.reader.read { db in try Member.find(db, id: missing) }
      Issue.record("No error")
    } catch RecordError.recordNotFound(databaseTableName: let table, key: let key) {
      #expect(table == "person")
      #expect(key["id"] == missing.databaseValue)
    }
  }

  @Test func `Changes are upserted, compared and deleted`() throws {
    let shelves = try Shelves.inMemory()
    try shelves.database.writer.write { db in
      var ada = shelves.ada
      ada.name = "Ada L."
      try ada.upsert(db)
      #expect(try Member.fetchCount(db) == 2)
      #expect(try ada.databaseChanges(from: shelves.ada).keys.sorted() == ["name"])
      let other = try #require(try Member.fetchOne(db, key: ["email": "ada@example.com"]))
      #expect(other.name == "Ada L.")
      #expect(try Member.deleteOne(db, id: shelves.bob.id))
      #expect(try !Member.exists(db, id: shelves.bob.id))
    }
  }
}

struct DeskTests {
  @Test func `A book is lent as often as there are copies`() async throws {
    let shelves = try Shelves.inMemory()
    let desk = Desk(database: shelves.database)
    let moon = try #require(shelves.moon.id)
    let loan = try await desk.lend(moon, to: shelves.ada.id, on: "2024-05-01")
    #expect(loan.id == 1)
    await #expect(throws: LibraryError.noCopyLeft(title: shelves.moon.title)) {
      try await desk.lend(moon, to: shelves.bob.id, on: "2024-05-02")
    }
    try await desk.takeBack(moon, from: shelves.ada.id, on: "2024-05-03")
    try await desk.lend(moon, to: shelves.bob.id, on: "2024-05-04")
    let journal = try await shelves.database.reader.read { db in
      try String.fetchAll(db, sql: "SELECT entry FROM journal ORDER BY id")
    }
    #expect(journal == ["lent 1", "returned 1", "lent 1"])
    await #expect(throws: RecordError.self) {
      try await desk.takeBack(moon, from: shelves.ada.id, on: "2024-05-05")
    }
  }

  @Test func `Members with too many loans are blocked`() async throws {
    let shelves = try Shelves.inMemory()
    let desk = Desk(database: shelves.database)
    for book in [shelves.moon, shelves.sea] {
      try await desk.lend(#require(book.id), to: shelves.ada.id, on: "2024-05-01")
    }
    #expect(try await desk.block(membersWithMoreThan: 1) == 1)
    await #expect(throws: LibraryError.blockedMember) {
      try await desk.lend(#require(shelves.moomins.id), to: shelves.ada.id, on: "2024-05-02")
    }
  }

  @Test func `Copies are acquired, moved and discarded`() async throws {
    let shelves = try Shelves.inMemory()
    let desk = Desk(database: shelves.database)
    let more = try await desk.acquire(shelves.sea)
    #expect(more.copies == 2)
    let id = try #require(more.id)
    try desk.discard(id)
    try desk.discard(id)
    #expect(try await shelves.database.reader.read { try Book.fetchCount($0) } == 2)
    let moved = try desk.move([1, 3], to: .fiction)
    #expect(moved.allSatisfy { $0.shelf == .fiction } && moved.count == 2)
    try desk.rename(shelves.verne, to: "J. Verne")
    let author = try await shelves.database.reader.read { try shelves.moon.author.fetchOne($0) }
    #expect(author?.name == "J. Verne")
  }
}

struct CatalogueTests {
  @Test func `Books come with their author and loans`() async throws {
    let shelves = try Shelves.inMemory()
    try await Desk(database: shelves.database).lend(1, to: shelves.ada.id, on: "2024-05-01")
    let infos = try Catalogue(database: shelves.database).infos(on: .science)
    #expect(infos.map(\.author) == [shelves.verne])
    #expect(infos.map(\.loanCount) == [1])
    #expect(infos.map(\.book.title) == [shelves.moon.title])
  }

  @Test func `Authors come with their books, and these with their subjects`() throws {
    let shelves = try Shelves.inMemory()
    let authors = try Catalogue(database: shelves.database).authors()
    #expect(authors.map(\.author.name) == ["Jules Verne", "Tove Jansson"])
    #expect(authors[0].books.map(\.book.year) == [1865, 1870])
    #expect(authors[0].books[0].subjects.map(\.label) == ["Moon", "Travel"])
    #expect(authors[1].books[0].subjects.isEmpty)
  }

  @Test func `Aggregates of associations filter`() async throws {
    let shelves = try Shelves.inMemory()
    try await Desk(database: shelves.database).lend(2, to: shelves.ada.id, on: "2024-05-01")
    let catalogue = Catalogue(database: shelves.database)
    #expect(try catalogue.neverLent() == [shelves.moon.title, shelves.moomins.title])
    #expect(try catalogue.popularAuthors(atLeast: 1) == [shelves.verne])
  }

  @Test func `Requests join, select and sort`() throws {
    let shelves = try Shelves.inMemory()
    let catalogue = Catalogue(database: shelves.database)
    #expect(
      try catalogue.lines() == [
        Line(title: "From the Earth to the Moon", authorName: "Jules Verne"),
        Line(title: "The Moomins and the Great Flood", authorName: "Tove Jansson"),
        Line(title: "Twenty Thousand Leagues", authorName: "Jules Verne"),
      ]
    )
    #expect(try catalogue.books(about: "T").map(\.id) == [1, 2])
    #expect(try catalogue.titles(from: "FR", since: 1866) == ["Twenty Thousand Leagues"])
  }

  @Test func `Titles are found by their words`() async throws {
    let shelves = try Shelves.inMemory()
    let catalogue = Catalogue(database: shelves.database)
    #expect(try catalogue.search("moo").map(\.id) == [1, 3])
    #expect(try catalogue.countMatches("league OR flood") == 2)
    try await shelves.database.writer.write { db in
      var moon = shelves.moon
      try moon.updateChanges(db) { $0.title = "Around the Moon" }
      _ = try moon.delete(db)
    }
    #expect(try catalogue.search("moo").map(\.id) == [3])
  }
}

struct ReportTests {
  @Test func `Rows of SQL are read by name and index`() async throws {
    let shelves = try Shelves.inMemory()
    try await Desk(database: shelves.database).lend(1, to: shelves.ada.id, on: "2024-05-01")
    let reports = Reports(database: shelves.database)
    #expect(try reports.loansByShelf() == [.science: 1, .fiction: 0, .children: 0])
    #expect(try reports.oldestYear() == 1865)
    #expect(try reports.copiesAndTitles() == (3, 3))
  }

  @Test func `Literals embed columns, tables and values`() throws {
    let reports = try Reports(database: Shelves.inMemory().database)
    #expect(try reports.books(since: 1866, by: "Jules Verne").map(\.id) == [2])
    let years = try reports.years()
    #expect(years.count == 81)
    #expect(years.filter { $0.count > 0 }.map(\.year) == [1865, 1870, 1945])
    #expect(try reports.tagged("sea") == ["Twenty Thousand Leagues"])
  }

  @Test func `Functions of the app run in SQL`() throws {
    let reports = try Reports(database: Shelves.inMemory().database)
    #expect(try reports.initials() == ["JV", "TJ"])
    #expect(try reports.longestTitles()["Jules Verne"] == "From the Earth to the Moon")
  }
}

struct OfficeTests {
  @Test func `Errors are distinguished by their codes`() throws {
    let shelves = try Shelves.inMemory()
    let office = Office(database: shelves.database)
    var other = Member(id: UUID(), name: "Ada", email: "ada@example.com", standing: .good)
    #expect(try !office.register(other))
    other.email = nil
    #expect(try office.register(other))
  }

  @Test func `Aliases name the tables of a join`() async throws {
    let shelves = try Shelves.inMemory()
    let desk = Desk(database: shelves.database)
    try await desk.lend(1, to: shelves.ada.id, on: "2023-05-01")
    try await desk.lend(3, to: shelves.ada.id, on: "2024-05-01")
    let office = Office(database: shelves.database)
    #expect(try office.borrowed(by: "Ada", from: "FR") == [shelves.moon.title])
    #expect(try office.borrowed(by: "Bob", from: "FR") == [])
    try await desk.takeBack(1, from: shelves.ada.id, on: "2023-06-01")
    let (counts, sink) = AsyncStream<Int>.makeStream()
    try await office.archive(2023) { sink.yield($0) }
    var values = counts.makeAsyncIterator()
    #expect(await values.next() == 1)
  }

  @Test func `Rows are split into records`() throws {
    let shelves = try Shelves.inMemory()
    let cards = try Office(database: shelves.database).cards()
    #expect(cards.map(\.author) == [shelves.verne, shelves.verne, shelves.jansson])
    #expect(cards.map(\.book.title).first == shelves.moon.title)
  }

  @Test func `Subjects are upserted, dumped and copied`() throws {
    let shelves = try Shelves.inMemory()
    let office = Office(database: shelves.database)
    #expect(try office.label("T", "Voyages").label == "Voyages")
    #expect(try office.inventory().contains("T|Voyages"))
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("library-\(UUID().uuidString).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try office.copy(to: path)
    let copy = try DatabaseQueue(path: path)
    #expect(try copy.read { db in try Subject.fetchCount(db) } == 2)
    try copy.close()
  }
}

struct MigrationTests {
  @Test func `A file of 2019 is brought up to date`() throws {
    let queue = try DatabaseQueue(configuration: LibraryDatabase.makeConfiguration())
    try LibraryDatabase.migrator.migrate(queue, upTo: "2019-search")
    try queue.write { db in
      try db.execute(sql: "INSERT INTO author (name) VALUES (?)", arguments: ["Jules Verne"])
      try db.execute(
        sql: "INSERT INTO book (authorId, title) VALUES (:author, :title)",
        arguments: ["author": db.lastInsertedRowID, "title": "Five Weeks in a Balloon"]
      )
      #expect(try LibraryDatabase.migrator.appliedMigrations(db).count == 3)
    }
    let database = try LibraryDatabase(queue)
    try database.reader.read { db in
      #expect(try LibraryDatabase.migrator.hasCompletedMigrations(db))
      let book = try #require(try Book.fetchOne(db))
      #expect(book.shelf == .fiction)
      #expect(try book.author.fetchOne(db)?.country == "FR")
      #expect(try db.indexes(on: "book").contains { $0.name == "book_on_isbn" && $0.isUnique })
      #expect(try db.columns(in: "book").map(\.name).contains("addedAt"))
      #expect(try db.primaryKey("filing").columns == ["bookId", "subjectCode"])
      #expect(
        try db.foreignKeys(on: "loan").map(\.destinationTable).sorted() == ["book", "person"]
      )
    }
    #expect(throws: DatabaseError.self) {
      try database.writer.write { db in
        try db.execute(sql: "INSERT INTO book (authorId, title) VALUES (1, '')")
      }
    }
  }
}

struct BoardTests {
  @Test func `The board follows books, loans and traffic`() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("library-\(UUID().uuidString).sqlite").path
    defer {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
    let shelves = try Shelves(.onDisk(path: path))
    let board = Board(shelves.database)
    let desk = Desk(database: shelves.database)

    let (titles, titlesSink) = AsyncStream<[String]>.makeStream()
    let newest = board.showNewestBooks(
      onError: { Issue.record($0) },
      onChange: { titlesSink.yield($0) }
    )
    let (loans, loansSink) = AsyncStream<Int>.makeStream()
    let open = board.openLoans.start(
      onError: { Issue.record($0) },
      onChange: { loansSink.yield($0) }
    )
    let (traffic, trafficSink) = AsyncStream<Void>.makeStream()
    let region = board.onTraffic { _ in trafficSink.yield() }
    let counter = LoanCounter()
    shelves.database.writer.add(transactionObserver: counter)

    var titleValues = titles.makeAsyncIterator()
    var loanValues = loans.makeAsyncIterator()
    var trafficValues = traffic.makeAsyncIterator()
    #expect(await titleValues.next()?.count == 3)
    #expect(await loanValues.next() == 0)

    try await desk.lend(1, to: shelves.ada.id, on: "2024-05-01")
    #expect(await loanValues.next() == 1)
    #expect(await trafficValues.next() != nil)
    try shelves.database.writer.unsafeReentrantWrite { _ in }
    #expect(counter.committed == 1)

    var infos = board.infos().makeAsyncIterator()
    #expect(try await infos.next()?.map(\.loanCount) == [1, 0, 0])
    try await desk.lend(2, to: shelves.bob.id, on: "2024-05-02")
    #expect(try await infos.next()?.map(\.loanCount) == [1, 1, 0])

    let title = "The Mysterious Island"
    _ = try await desk.acquire(
      Book(authorId: 1, title: title, year: 1875, shelf: .fiction, copies: 2, tags: [])
    )
    #expect(await titleValues.next()?.first == title)
    newest.cancel()
    open.cancel()
    region.cancel()
  }
}
