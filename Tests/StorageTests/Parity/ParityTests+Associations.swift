import Storage
import Testing

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
