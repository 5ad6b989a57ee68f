import Storage
import Testing

@testable import StorageTestSupport

extension ParityTests {
  /// Associations between records.
  static let associations: [ParityLine] = [
    .same(.api(1), "including(required:), including(all:), decoding into nested types") {
      struct Info: Decodable, FetchableRecord {
        var book: Book
        var author: Author?
        var awards: [Award]
      }
      try withLibrary { db in
        let request = Book.including(optional: Book.author).including(all: Book.awards)
          .order(\.id).asRequest(of: Info.self)
        let infos = try Info.fetchAll(db, request)
        #expect(infos.map(\.author?.name) == ["Melville", "Melville", "Zola", "Auster", nil])
        #expect(infos.map(\.awards.count) == [2, 0, 1, 0, 0])
      }
    },
    .same(.api(1), "record.request(for:)") {
      try withLibrary { db in
        let author = try Author.find(db, key: 1)
        #expect(try author.request(for: Author.books).fetchCount(db) == 2)
      }
    },
    .same(.api(1), "hasMany(_:through:using:), joining(required:), forKey(_:)") {
      try withLibrary { db in
        let authors = try Author.joining(required: Author.awards.forKey("prizes"))
          .distinct().order(\.id).fetchAll(db)
        #expect(authors.map(\.id) == [1, 2])
      }
    },
    .same(.api(1), "annotated(with: Author.books.count), having(Author.books.count >= 2)") {
      struct Info: Decodable, FetchableRecord {
        var author: Author
        var bookCount: Int
        var maxBookYear: Int?
      }
      try withLibrary { db in
        let request =
          Author
          .annotated(with: Author.books.count, Author.books.max(Column("year")))
          .having(Author.books.count >= 2)
        let infos = try Info.fetchAll(db, request)
        #expect(infos.map(\.author.name) == ["Melville"])
        #expect(infos.map(\.bookCount) == [2])
        #expect(infos.map(\.maxBookYear) == [1851])
      }
    },
    .same(.api(1), "having(!Author.awards.isEmpty && Author.books.isEmpty == false)") {
      let isAwarded: AssociationAggregate<Author> = !Author.awards.isEmpty
      try withLibrary { db in
        let request = Author.having(isAwarded && Author.books.isEmpty == false).order(\.id)
        let authors = try request.fetchAll(db)
        #expect(authors.map(\.id) == [1, 2])
      }
    },
    .same(.api(1), "annotated(with: (Author.books.count + Author.pupils.count).forKey(…))") {
      let total = Author.books.count + Author.pupils.count
      let latest = Author.books.max { $0.year } ?? 0
      try withLibrary { db in
        let rows = try Row.fetchAll(
          db,
          Author.annotated(with: total.forKey("total"), latest).order(\.id)
        )
        #expect(rows.map { $0["total"] as Int } == [3, 1, 1, 0])
        #expect(rows.map { $0["maxBookYear"] as Int } == [1851, 1885, 1992, 0])
      }
    },
    .same(.api(1), "including(all: Author.books.having(Book.awards.isEmpty == false))") {
      struct Info: Decodable, FetchableRecord {
        var author: Author
        var books: [Book]
      }
      try withLibrary { db in
        let awarded = Author.books.having(Book.awards.isEmpty == false)
        let infos = try Info.fetchAll(db, Author.including(all: awarded).order(\.id))
        #expect(infos.map { $0.books.map(\.id) } == [[1], [3], [], []])
      }
    },
    .same(.api(11), "TableAlias() without a type, Player.aliased(_:)") {
      try withLibrary { db in
        let book = TableAlias(), author = TableAlias()
        let request = Book.aliased(book).joining(required: Book.author.aliased(author))
          .filter(book[Column("year")] < 1850 && author[Column("name")] == "Melville")
        let books = try request.fetchAll(db)
        #expect(books.map(\.title) == ["Typee"])
      }
    },
    .same(.api(1), "Table(…).hasMany(_:), belongsTo(_:), including(all:)") {
      try withLibrary { db in
        let books = Table("book"), awards = Table("award")
        let rows = try books.including(all: books.hasMany(awards)).order(Column("id")).fetchAll(db)
        #expect(rows.map { $0.prefetchedRows["awards"]?.count } == [2, 0, 1, 0, 0])
        let count = try awards.joining(required: awards.belongsTo(books)).fetchCount(db)
        #expect(count == 3)
      }
    },
    .same(.api(1), "association(to:on:) of common table expressions") {
      let awarded = CommonTableExpression<Row>(
        named: "awarded",
        request: Award.select(Column("bookID")).distinct()
      )
      let association = Book.association(
        to: awarded,
        on: { book, awarded in book[Column("id")] == awarded[Column("bookID")] }
      )
      try withLibrary { db in
        let books = try Book.joining(required: association).with(awarded).order(\.id).fetchAll(db)
        #expect(books.map(\.id) == [1, 3])
      }
    },
  ]
}
